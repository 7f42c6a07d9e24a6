// Package simulator stands in for the components that write the objects of a cluster: the Cluster Version Operator, the
// operators of the payload, the Machine Config Operator with its daemon, and the kubelets. It is pure and imports no client, so that
// the tests of pure packages may use it: package playback writes to an API server.
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
//	simulation := simulator.NewSimulation(simulator.Update{Seed: 1, Start: time.Now()})
//	player := playback.Player{Writer: writer, Wait: playback.RealTime}
//	err = player.Create(ctx, simulation)
//	_, err = player.Play(ctx, simulation, nil)
//
// The Simulation yields the writes one by one, with their times, and the same script and seed yield the same writes. The Player makes them on an API server, at their time or as fast as it can.
//
// # What is played
//
// Each behaviour, the code of the host that it follows, the release since which the host does it (4.x, where it is not older than
// all that is supported) and the file in which it is played. CVO is openshift/cluster-version-operator, MCO
// openshift/machine-config-operator, Kubernetes kubernetes/kubernetes.
//
//	The Cluster Version Operator
//	  nothing is written until a release is accepted, or refused   CVO pkg/cvo/sync_worker.go, status.go         cvo.go
//	  history Partial on acceptance, the one before ends           CVO pkg/cvo/status_history.go                 cvo.go
//	  it counts from the start again, the new operator as well     CVO pkg/cvo/sync_worker.go                    cvo.go
//	  run level by run level; all versions that a manifest lists,  CVO pkg/payload/task_graph.go,                cvo.go
//	    available, not degraded                                      pkg/cvo/internal/operatorstatus.go
//	  Completed some seconds after the last operator               CVO pkg/cvo/sync_worker.go                    cvo.go
//	  Progressing: reasons, counts, what it waits for              CVO pkg/cvo/status.go                         cvo_progress.go
//	  Failing Unknown SlowClusterOperator, 30 or 90 min      4.19  CVO pkg/cvo/status.go                         cvo_progress.go
//	  Failing True at once where an operator is unavailable, after CVO pkg/cvo/internal/operatorstatus.go,       cvo_progress.go
//	    40 min where one is degraded, MultipleErrors at once         status.go, sync_worker.go
//	  a manifest that can't be applied: attempts, whose counts are CVO pkg/payload/task.go,                      cvo_failure.go
//	    dropped until they are as far as the one before, and then    pkg/cvo/sync_worker.go (Report)
//	    without an error until it fails again
//	  a release that is forced, one for several architectures      CVO pkg/cvo/updatepayload.go, sync_worker.go  cvo.go
//	  Failing True while reconciling                               CVO pkg/cvo/status.go                         cvo_progress.go
//	  another release while one is applied (Request)               CVO pkg/cvo/sync_worker.go                    cvo.go
//
//	Operators
//	  their own version first, then those of what they run         each operator                                 operators.go
//	  network waits for all nodes, and counts those it waits for;  openshift/cluster-network-operator            network.go
//	    Degraded RolloutHung after 10 min; up to 4.21                pkg/controller/statusmanager/pod_status.go
//	  degraded for some minutes in each revision of static pods    openshift/library-go                          operators.go
//	                                                                 pkg/operator/staticpod/controller
//	  machine-config: its daemon, then its controller, which       MCO pkg/operator/sync.go                      machineconfigoperator.go
//	    renders; Degraded MachineConfigDaemonFailed if a node is
//	    not ready for long
//	  machine-config: done when all required pools are updated     MCO pkg/operator/sync.go                      machineconfigoperator.go
//	    and no pool is degraded
//	  Degraded RequiredPoolsFailed after 10 min × machines of the  MCO pkg/operator/sync.go, status.go           machineconfigoperator.go
//	    required pools, at once for a paused required pool
//	  Upgradeable PoolUpdating, DegradedPool                       MCO pkg/operator/status.go                    machineconfigoperator.go
//
//	Pools
//	  a MachineConfig is rendered for each, all roll together      MCO pkg/controller/render                     pools.go
//	  conditions and counts                                        MCO pkg/controller/node/status.go             poolstatus.go
//	  ImageBuildDegraded                                     4.20  MCO pkg/updatestatus/controller/build, node/status.go      poolstatus.go, imagemode.go
//	  builds of images, of which nodes wait                        MCO pkg/updatestatus/controller/build                      imagemode.go
//	  taint UpdateInProgress on nodes that wait                    MCO pkg/controller/node/node_controller.go    nodecontroller.go
//	  capacity: unavailable nodes, and failed ones once more       MCO node_controller.go,                       nodecontroller.go,
//	                                                                 pkg/controller/common/layered_node_state.go   nodestate.go
//	  order by zone and age, if not all can be taken               MCO node_controller.go                        nodecontroller.go
//	  the operator's own node last                                 MCO node_controller.go                        nodecontroller.go
//	  turns of masters and arbiters                          4.23  MCO node_controller.go                        nodecontroller.go
//	  nodes that are cordoned or not ready keep what they were     MCO node_controller.go                        nodecontroller.go
//	    assigned; others are assigned anew
//
//	Nodes
//	  Working, desiredDrain, lastAppliedDrain, uncordoned, Done    MCO pkg/daemon/update.go, daemon.go, drain.go daemon.go
//	  never state Rebooting; post-config-action              4.15  MCO pkg/daemon/update.go, daemon.go           daemon.go
//	  no drain, no reboot (node disruption policies)               MCO pkg/daemon/update.go                      daemon.go
//	  no drain of a single node                                    MCO pkg/daemon/drain.go                       daemon.go
//	  Degraded, Unreconcilable; tried again for ever; the state    MCO pkg/daemon/daemon.go, update.go,          daemon.go
//	    stays until Done; Degraded after an hour of a drain          writer.go, drain.go
//	  cordon, drain, uncordon; attempts of a blocked drain         MCO pkg/controller/drain/drain_controller.go  draincontroller.go
//	  MachineConfigNodes                                     4.19  MCO pkg/upgrademonitor/upgrade_monitor.go     machineconfignode.go
//	    what is said of each step                                  MCO pkg/daemon, pkg/controller/drain          reports.go
//	  conditions Unknown 50 s after the kubelet stopped, then      Kubernetes pkg/controller/nodelifecycle,      kubelet.go
//	    Ready False, then True; taints with it                       pkg/kubelet
//	  heartbeats                                                   Kubernetes pkg/kubelet                        kubelet.go
//
// Times that are not named in the code of a host (how long a payload is retrieved, an operator or a node takes) are those of the script.
//
// # What is not played
//
// status.extension and relatedObjects of machine-config; Upgradeable and RetrievedUpdates of the ClusterVersion; NodeDegraded False "…
// succeeded"; pinned image sets; a pool that can't be rendered; the first build of an image; node disruption policies that drain without a
// reboot; taints of the node lifecycle controller as writes of their own.
//
// Background events (heartbeats, tries of a daemon or a drain, timeouts) do not keep an update going that is stuck: Next ends there, unless
// Update.AtLeast says for how long it is played. Resume, Unblock, Repair and Request change the script on the way.
package simulator
