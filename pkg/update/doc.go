// Package update reads a status once, for everything that is made of it: the summary, the record, the exit status, text
// and report. It has the only answers to "is the update over, and for whom?", "how many nodes are in which state?", and "which
// problem is worse?".
//
// Start with Read. State (state.go) is the state of the whole update, Counts (nodes.go) are those of nodes, and Outdated and Unconfirmed (stale.go)
// tell whether the status is outdated. The package has no text for people but reasons why something is outdated.
package update
