// Package controller is the primary controller: it writes the status of UpdateStatus/cluster, or, for a hosted cluster, that of its
// HostedClusterUpdateStatus.
//
//	Send ──► collector (one goroutine owns the ledger) ──► queue ──► sync: status.Build ──► equal? in sync : write
//
// The object is created if it is missing, and repaired when another client edits its status. A status is written only if it
// differs from the status in the cluster, with the resourceVersion that was read: after a conflict the object is read again.
// Which object that is its Store knows (package publish).
//
//	controller.go     what starts and stops with the controller; sync.go: one round, from the ledger to the object
//	schedule.go       when to write: pace, backoff, patience for sources, next check; pacer.go limits the bytes
//	rejected.go       what the API server rejects (422): left out if it is insights, so that the rest is written
//	object.go         reading, creating and writing the object; only its metadata is watched, so that the controller's own
//	                  writes, up to 1 MiB each, do not come back
//	collector.go      messages of the sources → ledger; tells the alerts' source when an update starts or ends
//	eventrecorder.go  events about what was written
//	metrics.go        what the controller does; state.go: what it holds, read when it is scraped
//
// docs/updatestatus/metrics.md is generated from the definitions of the metrics.
package controller
