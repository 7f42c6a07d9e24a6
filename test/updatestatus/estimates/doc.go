// Command estimates measures how far off the estimates of worker pools are, on updates that are played in memory, and
// writes the page that says so.
//
//	play.go      an update: what the Machine Config Operator writes to nodes, at random times, through the same assessments,
//	             ledger and status as in the controller
//	scenarios.go which pools, and how long their nodes take
//	sequences.go clusters that are updated several times, and the ranges of the summary in them
//	measure.go   the errors of many updates
//	bounds.go    how far off they may be: else no page is written
//	page.go      docs/updatestatus/estimates.md
//
// Random numbers have a fixed seed: the page is the same every time, and hack/updatestatus/verify-estimates.sh compares it with the code.
package main
