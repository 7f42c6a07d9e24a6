// Package summarywriter writes UpdateStatusSummary/cluster, for a controller that follows the primary one (package follow). Package
// summary makes the summary of a status.
//
//	writer.go  when it writes
//	history.go the records of earlier updates, which estimates need
//	object.go  the object as it was last read or written: reading, creating and writing it
//
// It writes each change immediately (a burst of ten, then two a second), and once a minute the time at which the status was
// confirmed. It has no informer: what others change is found, and repaired, with the next write.
package summarywriter
