// Package update reads a status once. The summary, the record, events, metrics, the exit status, text and report use the result. It has the only answers to "is the update over, and for whom?", "how many nodes are in which state?", and "which
// problem is worse?".
//
//	update.go       Read: start here; nodes.go counts nodes and operators
//	state.go        State, the state of the whole update
//	stale.go        Outdated and Unconfirmed: why a status may be outdated; truncated.go, for a file that ends too early
//	urgent.go       whether the difference between two statuses is written at once
//	events.go       what happened between two statuses, for events; assessments.go, for the log
//	built.go        a status as the controller built it, for the writers of summary and records
//
// The package has no text for people but reasons why something is outdated, and the messages of events.
package update
