// Package summary makes the UpdateStatusSummary, the update of the whole cluster in one small object, of an UpdateStatus that
// nothing was left out of.
//
//	summary.go     Of: what is in the summary, and its bound
//	conditions.go  Updating and NeedsAttention
//	kstatus.go     Reconciling and Stalled
//	completed.go   when everything was complete, and which version it runs
//	waiting.go     what the update waits for
//	estimate.go    when the whole update is expected to be complete
//
// It is pure. What no object tells (when the last node was complete) is kept from the summary before.
package summary
