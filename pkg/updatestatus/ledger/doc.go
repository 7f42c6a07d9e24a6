// Package ledger has the last report of each source about each subject, and whether the source is complete. It belongs to one
// goroutine, the collector of the primary controller, and has no times: package status adds them.
package ledger
