// Package assess turns objects of a cluster into insights. It holds the rules and nothing else: an assessment is a pure
// function of the objects and a moment, it reads no clock, no network and no file, and it also says when its answer will
// change although nothing happens.
//
// A file per kind, an Input struct per kind, and these answers:
//
//	ClusterVersion     how far the control plane is   Updating   True/ClusterVersionProgressing
//	                                                             False/ClusterVersionNotProgressing
//	                                                             Unknown/CannotDetermineUpdating
//	                                                  assessment Unknown, Progressing, Progressing - Slow, Stalled, Completed
//	                                                  completion, versions, start, end, estimated end
//	ClusterOperator    how far an operator is         Updating   True/Progressing, False/Updated, False/Pending,
//	(payload only)                                               Unknown/CannotDetermine
//	                                                  Healthy    True/AsExpected, False/Unavailable, False/Degraded,
//	                                                             Unknown/CannotDetermine
//	Node               how far a node is              Updating   True/Draining, True/Updating, True/Rebooting,
//	(in a pool only)                                             False/Completed, False/Paused, False/Pending,
//	                                                             Unknown/CannotDetermine
//	                                                  Available  True/AsExpected, False/NotReady, False/DiskPressure,
//	                                                             False/NetworkUnavailable, False/Unschedulable,
//	                                                             False/MachineConfigDaemonProcessing, False/MultipleReasons
//	                                                  Degraded   False/AsExpected, True/NodeDegraded,
//	                                                             True/NodeUnreconcilable
//	                                                  version, estimate, message
//	                   a drain that takes long: why        (drain.go, drainpods.go, drainwords.go)
//	MachineConfigPool  how far a pool is              Updating   True/Progressing, False/Completed, False/Pending,
//	                                                             False/Excluded, Unknown/CannotDetermine
//	                                                  assessment Pending, Progressing, Completed, Degraded, Excluded
//	                                                  (Unknown without a target); completion, counts of nodes
//	Alert              nothing but a Health insight   (during an update only)
//
// Each of them may come with Health insights: what needs an administrator's attention. The table of health checks is in
// health.go; docs/insights.md says when each appears and what to do.
//
// BoundAlerts limits the number of alerts, and AlertOutage handles alerts that can't be read.
//
// Cluster assesses a whole cluster at once, for one that is given in files. The informer controllers call the functions
// of each kind instead, so that a change of one object costs what depends on it and no more.
//
// A condition's lastTransitionTime is set where an object of the cluster knows it and zero elsewhere: keeping times is
// the business of package status.
package assess
