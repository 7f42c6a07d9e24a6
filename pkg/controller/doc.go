// Package controller is the primary controller: it keeps the status of UpdateStatus/cluster.
//
//	Send ──► collector (one goroutine owns the ledger) ──► queue ──► sync: status.Build ──► equal? stop : pacer ──► write
//
// The object is created when it is missing and repaired when somebody edits its status. A status is written only if it
// differs from what the cluster holds, with the resourceVersion that was seen: a conflict is a new look, not an error.
// What it has written itself does not come back: the object is watched by its metadata, and read when somebody else has
// written it (object.go). The pacer collects changes under load, so that a large cluster costs etcd no more bytes a second
// than a small one. Events of what was written are recorded beside it (announcer.go).
//
// Metrics: metrics.go counts what the controller does; state.go reads what it holds when it is scraped, by look, as the
// keeper does. docs/metrics.md is made from their definitions.
package controller
