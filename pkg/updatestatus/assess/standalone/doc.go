// Package standalone has the rules of clusters that run their control plane themselves. There is a file and an Input struct for each
// kind, with these results:
//
//	ClusterVersion     progress of the control plane  Updating   True/ClusterVersionProgressing
//	                                                             False/ClusterVersionNotProgressing
//	                                                             Unknown/CannotDetermineUpdating
//	                                                  assessment Unknown, Progressing, ProgressingSlow, Stalled, Completed
//	                                                  completion, versions, start, end, estimated end
//	ClusterOperator    package controlplane
//	Node               progress of a node             Updating   True/Draining, True/Updating, True/Rebooting,
//	(in a pool only)                                             False/Completed, False/Paused, False/Pending,
//	                                                             Unknown/CannotDetermine
//	                                                  Available  True/AsExpected, False/NotReady, False/DiskPressure,
//	                                                             False/NetworkUnavailable, False/Unschedulable,
//	                                                             False/MachineConfigDaemonProcessing, False/MultipleReasons
//	                                                  Degraded   False/AsExpected, True/NodeDegraded,
//	                                                             True/NodeUnreconcilable
//	                                                  version, estimate, message
//	                   drainStartedAt (drain.go); the explanation of a long drain is in package drain
//	MachineConfigPool  progress of a pool             Updating   True/Progressing, False/Completed, False/Pending,
//	                                                             False/Excluded, Unknown/CannotDetermine
//	                                                  assessment Pending, Progressing, Completed, Degraded, Excluded
//	                                                  (Unknown without a target); completion, counts of nodes
//
// Assess assesses a whole cluster, for evaluations of files, of which Missing returns what they lack. The sources call ControlPlane and
// Nodes.Assess instead: that assesses again only what depends on a changed object. DrainsAhead predicts drains that won't end. Rehearse assesses a cluster as if an update had just
// started.
//
// Trim drops from objects, before they are cached, what no rule reads.
package standalone
