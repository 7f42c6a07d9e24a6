// Package status builds the status of the UpdateStatus: the previous status, the ledger and a moment give the next one.
// Building twice changes nothing, and the order in which reports arrived does not matter.
//
//	builder.go      the Builder: what the primary controller calls, and Build, for a cluster in files
//	merge.go        what a source reports, merged with its last insights
//	times.go        the one place where times are kept
//	rejected.go     insights that the API server rejects: left out until they change
//	parts.go        the control plane and the worker pools
//	conditions.go   the conditions of the status and of its parts
//
// Times:
//   - a condition with the same status keeps its lastTransitionTime, unless the assessment brings a real one;
//   - acquiredAt changes with the content of an insight only;
//   - a health insight keeps its startedAt where no object of the cluster tells a real one;
//   - an estimate that moved little stays, as does that of an update that is stalled;
//   - a node that is being updated keeps when it reached its phases, and a pool what the nodes took that are done (package
//     estimate);
//   - a time that cannot be true (insight.IsKnown) is never taken over.
//
// A source that is not complete yet (the controller has just started) keeps what the previous status has from it. Informers
// that are no sources of this controller are left alone. Package truncate bounds a status that is to be stored.
package status
