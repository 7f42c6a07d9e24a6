// Package hosted plays the update of a hosted cluster: what HyperShift, the Cluster API, the kubelets and the operators write, in the
// order in which they do, to the management cluster and to the hosted one. Nothing in it waits or reads a clock.
//
//	script.go        what is played: versions, pools, how long it takes
//	play.go          Play: all writes with their times, and the objects before them
//	controlplane.go  the HostedCluster, its components, and the cluster operators
//	pools.go         a NodePool, whose nodes are replaced or updated in place
//	objects.go       the objects before the update
//	writer.go        Writer: writes to the two API servers
//	world.go         World: what the two API servers have then, for tests without them
package hosted
