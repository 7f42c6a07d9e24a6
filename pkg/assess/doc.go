// Package assess turns objects of a cluster into insights. An assessment is a pure function of the objects and the current
// time: it reads no clock, network or file. It also returns when its result changes without an event.
//
// There is a file and an Input struct for each kind, with these results:
//
//	ClusterVersion     progress of the control plane  Updating   True/ClusterVersionProgressing
//	                                                             False/ClusterVersionNotProgressing
//	                                                             Unknown/CannotDetermineUpdating
//	                                                  assessment Unknown, Progressing, Progressing - Slow, Stalled, Completed
//	                                                  completion, versions, start, end, estimated end
//	ClusterOperator    progress of an operator        Updating   True/Progressing, False/Updated, False/Pending,
//	(payload only)                                               Unknown/CannotDetermine
//	                                                  Healthy    True/AsExpected, False/Unavailable, False/Degraded,
//	                                                             Unknown/CannotDetermine
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
//	Alert              a Health insight only          (during an update only)
//
// A hosted cluster has other objects in the place of some of these, with the same results where they mean the same:
//
//	HostedCluster      as ClusterVersion: its two histories are one (hostedrelease.go), which is complete when both are
//	Component          as ClusterOperator; HostedOperator is for the cluster operators of the hosted cluster
//	NodePool           as MachineConfigPool, to a version of its own; until the pool itself has completed the update it is
//	                   Progressing, although all nodes that are there may be complete
//	HostedNode         as Node. A node that is updated in place has the same phases. Of nodes that are replaced, an old one is
//	                   Pending, Paused or Draining until it is gone. A new one has no result until it has joined, and is
//	                   Completed then
//
// Each kind may have Health insights: conditions that need an administrator's attention. A health check is a row of the table of its
// kind (health_*.go), which has all that belongs to it: its function, what it reads (so that Trim keeps it), texts and next steps.
// docs/insights.md is written from the rows.
//
// BoundAlerts limits the number of alerts, and AlertOutage handles alerts that cannot be read.
//
// Cluster assesses a whole cluster, and Hosted a whole hosted cluster, for evaluations of files. The informer controllers call the functions of each kind
// instead, so that only what depends on a changed object is assessed.
//
// Times of objects that cannot be true are dropped before anything is assessed (times.go).
//
// A condition's lastTransitionTime is set if an object of the cluster has it, and zero otherwise: package status then keeps
// the time of the previous status.
package assess
