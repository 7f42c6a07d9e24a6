// Package simulator stands in for the components that write the objects of a cluster: the Cluster Version Operator, the
// operators of the payload, the Machine Config Operator with its daemon, and the kubelets. Querier (querier.go) stands in for
// the Thanos querier: a TLS server of alerts that asks the API server which client may read them (authorizer.go), as
// kube-rbac-proxy does.
//
// There are two ways to get a cluster onto an API server.
//
// A recorded cluster, from files, as it was at one point in time:
//
//	recorded, err := simulator.ReadRecorded("examples/4.15.0-ec2-early")
//	recorded.Shift(time.Since(recorded.Newest()))  // if it is to look as if it was recorded just now
//	err = writer.Load(ctx, recorded)
//
// A played update, from a seed:
//
//	simulation := simulator.NewSimulation(simulator.Update{Seed: 1, Start: time.Now()}.Lasting(2 * time.Minute))
//	player := simulator.Player{Writer: writer, Wait: simulator.RealTime}
//	err = player.Create(ctx, simulation)
//	_, err = player.Play(ctx, simulation, nil)
//
// The Simulation is pure: it yields the writes one by one, with their times, and the same script and seed yield the same
// writes. The Player makes them on an API server, at their time or as fast as it can. What is played, in the order in
// which a real cluster does it:
//
//	ClusterVersion     requested, accepted: history Partial, Progressing
//	ClusterOperators   run level by run level: Progressing, the new version, not Progressing; some degrade for a moment
//	machine-config     renders a MachineConfig for each pool; the pools want it
//	nodes              pool by pool side by side: assigned, Working, drained, Rebooting, not ready, ready, uncordoned, Done
//	machine-config     updated when the master pool is
//	ClusterVersion     Completed; the nodes of the other pools go on
//
// A script can degrade nodes and pause pools; Pause, Resume and Repair change it on the way.
package simulator
