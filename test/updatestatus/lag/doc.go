// Package lag measures how far an UpdateStatus lags behind the cluster. It is pure: its input is what was
// written and what was seen, each with its time.
//
//	simulator writes ──► Cluster ──► States ──► Between ──► Transitions ──┐
//	                                                                  ├──► Measure ──► Result
//	versions of the UpdateStatus ──► See ──► Sightings ───────────────┘
//
// A state is that of a subject: the phase of a node and whether it is degraded, how far an operator is and whether
// it is healthy. What it ought to be follows from the objects with the controller's own rules (pkg/updatestatus/assess): not whether
// they are right is measured, but how late they are applied.
//
// A transition ends in one of three ways:
//
//	seen       a version with the new state was seen; the time from the write to then is its lag
//	overtaken  the subject had changed again before a version with the new state was seen
//	missing    no version with the new state was ever seen, though nothing has changed since
package lag
