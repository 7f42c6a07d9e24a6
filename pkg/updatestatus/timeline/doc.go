// Package timeline lays an UpdateRecord out over time: lanes with bars for the control plane, its operators, the pools and their
// nodes, and for the health insights. The text (pkg/updatestatus/describe) and the report (pkg/updatestatus/report) are drawn from it, so that they agree.
//
//	timeline.go  New: the axis, the lanes in their order, and what was not observed
//	lanes.go     a lane for each kind of list in a record
//	bar.go       Bar: from when to when, and how far its ends are known
//
// What a record does not know is not drawn: a bar without a known start is only its end, and one that ended at an unknown moment
// says by when it had ended. Times that can't be true, as of files, are not known either.
package timeline
