// Package status makes the status of the UpdateStatus: the previous status, the ledger and a moment give the next one.
// Building twice changes nothing, and the order in which reports arrived does not matter.
//
// This is the one place where times are kept:
//   - a condition with the same status keeps its lastTransitionTime, unless the assessment brings a real one;
//   - acquiredAt changes with an insight's content only;
//   - a health insight keeps its startedAt where no object of the cluster tells a real one;
//   - an estimate that moved by less than estimateTolerance stays, as does that of an update that is stalled.
//
// A source that is not complete yet (the controller has just started) keeps what the previous status holds from it.
// Informers that are no sources of this controller are left alone.
//
// Beside it, numbers.go counts what a ledger amounts to, for the metrics, and announce.go says what happened between two
// statuses, for events.
package status
