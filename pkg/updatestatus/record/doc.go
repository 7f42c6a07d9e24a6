// Package record makes the UpdateRecord of an update from the statuses of the UpdateStatus, one after the other. Files
// and tests can make records in the same way as the controller.
//
//	recorder.go  Recorder: which update a status is about, when it ends, and with which result
//	observed.go  which statuses count, and when an update is complete
//	times.go     which times are known: what began or ended in a gap has none
//	operators.go, pools.go, nodes.go, episodes.go: the lists of a record
//	fit.go       a record that fits its object
//	prune.go     which records are kept
//
// A status has times too, but a controller that starts again gives what has changed meanwhile the time at which it first saw it.
// So nothing counts that a status dates into a gap, but for times that are those of an object of the cluster: the history of the
// ClusterVersion, when an operator began to progress, and when the drain or the reboot of a node started.
//
// It is pure. Resume goes on from a stored record.
package record
