// Package truncate makes a status fit into the object, and lists nodes by name where that is enough.
//
//	fit.go      Fit: the steps, one after the other
//	parts.go    the parts of a status, copies of it, and its size
//	leaveout.go which insights are left out where nothing else helps
//	incomplete.go the condition InsightsComplete, which counts them
//	text.go     long texts, cut to a limit
//
// In this order, until everything fits:
//   - beyond listBytes of insights about nodes, those that need no words are listed by name in the insight of their pool: all of
//     them, so that a node moves only when it changes itself. Every other node has its insight;
//   - long texts are cut, all to the same size, down to 256 bytes; then next nodes and the commands of remediations are dropped;
//   - nodes are left out: completed, pending, paused, unknown ones, those that are being updated;
//   - unavailable and degraded nodes and health insights are left out: alerts first, then by level, where an unavailable node
//     is a Warning and a degraded one an Error;
//   - worker pools, complete ones first, and operators, updated ones first, where they alone are too many.
//
// Insights that the API server rejects (Input.Rejected) are always left out.
//
// Pools keep their counts. What others wrote is never cut: it takes from the space of this controller's insights, and only if
// it fills the object alone that grows too large.
//
// What is left out changes little from status to status, and not with a restart: among insights of the same priority a hash of
// their uids decides, and an insight that the object before does not have comes in only where some space remains.
package truncate
