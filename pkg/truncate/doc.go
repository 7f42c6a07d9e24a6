// Package truncate bounds a status to MaxObjectBytes, with its managedFields, and encodes it.
//
//	truncate.go  the order in which texts are cut and insights left out
//	part.go      the parts of a status: what is never left out, and its size
//	item.go      an insight with its encoding: each is encoded once, for its size as for the object
//	text.go      long texts, cut to a limit
//	leftout.go   the condition InsightsComplete, which counts what is left out
//	encode.go    a status put together from encoded insights
//
// In this order, until everything fits:
//   - long texts are cut, all to the same size, down to 256 bytes;
//   - nodes are left out: completed, pending, paused, unknown ones, those that are being updated; the first four fill the
//     object only up to 896 KiB, which about 1,100 nodes do;
//   - unavailable and degraded nodes and health insights are left out: alerts first, then by level, where an unavailable node
//     is a Warning and a degraded one an Error;
//   - worker pools, complete ones first, and operators, updated ones first, where they alone are too many.
//
// Insights that the API server rejects (Input.Rejected) are always left out.
//
// Pools keep their counts. What others wrote is never cut: it takes from the space of this controller's insights, and only if
// it fills the object alone that grows too large.
//
// Which insights are left out changes little from status to status, and not with a restart: among insights of the same priority
// a hash of their uids decides, and an insight that the object before does not have comes in only where some space remains.
package truncate
