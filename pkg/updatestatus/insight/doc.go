// Package insight is the vocabulary of the channel between the sources and the primary controller.
//
//	control-plane-informer ──┐  Message{Source, Reports, State}
//	node-informer ───────────┼──────────── Send ────────────►  ledger  ──►  status.Builder  ──►  UpdateStatus/cluster
//	alert-informer ──────────┘
//
// A Report has all insights that the source has about a Subject, as of now. It replaces the previous report of the source about the
// subject. The report of a deleted object is empty. Insights therefore need no expiry, a source need not send a list of the subjects
// that still exist, and the next report repairs one that is lost or repeated.
//
// The reports of one Message take effect together: an operator and the completion that counts it, a node and its pool's counts
// are never published apart.
//
// After its caches have synced, a source reports everything and then once, by State.Complete, that it is complete. Until then
// the primary controller keeps what the object in the cluster has from that source; from then on the source's reports alone
// decide. A restart thus neither drops insights nor invents new start times.
//
// The first two sources watch the ClusterVersion, each by itself. State.Target names the update for which they have assessed
// what they reported: while two complete sources name different ones, an update has just started or ended, and the remaining
// reports are on their way. Nothing is written until they agree, or else an update would seem to start with completed nodes.
//
// A cluster without alerts is complete all the same: nothing waits for the alert-informer.
//
// The package also has what all producers and readers of insights agree on: uids, texts (text.go) and times (times.go) of objects
// that anyone may have written, what the conditions of the insights about nodes and operators mean (node.go, operator.go), how nodes are
// counted (nodecounts.go), a reader of all insights by what they are about (members.go), and kinds.go, the table of the types of insights.
package insight
