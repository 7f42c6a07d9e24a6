// Package insight is the vocabulary of the channel between the informer controllers and the primary controller.
//
//	control-plane-informer ──┐  Message{Source, Reports, State}
//	node-informer ───────────┼──────────── Send ────────────►  ledger  ──►  status.Build  ──►  UpdateStatus/cluster
//	alert-informer ──────────┘
//
// A Report says: about this Subject, these are all insights that the source has, as of now. It replaces what the source
// said about the subject before; an empty report takes it back; a deleted object is an empty report. So nothing has to
// be expired, no list of known ids travels, and any lost or repeated report is healed by the next.
//
// The reports of one Message take effect together: an operator and the completion that counts it, a node and its pool's
// counts are never seen apart.
//
// After its caches have synced, a source reports everything it sees and then says once, by State.Complete, that it is
// complete. Until then the primary controller keeps what the object in the cluster holds from that source; from then on
// the source's reports alone decide. A restart thus neither drops insights nor invents new start times.
//
// The first two look at the ClusterVersion, each at its own moment. State.Target tells for which update they have assessed
// what they reported: while two complete sources name different ones, an update has just begun or ended, and the rest of
// the reports is on its way. Nothing is written until they agree, or else an update would seem to begin with nodes that
// are complete.
//
// A cluster without alerts is complete all the same: nothing waits for the alert-informer.
//
// The package also holds what every producer and reader of insights must agree on: uids, bounds of texts, and what the
// conditions of a node insight mean.
package insight
