// Package status makes the status of the UpdateStatus: the previous status, the ledger and a moment give the next one.
// Building twice changes nothing, and the order in which reports arrived does not matter.
//
//	build.go    the status, complete                summary.go  what its conditions say
//	times.go    the one place where times are kept  memory.go   what was made of what was said before
//	keeper.go   the insights of a source            rollout.go  what goes on in a pool, and when it is complete
//	bound.go    what is left out of it, and in which order; draft.go, worth.go, value.go, shorten.go,
//	            size.go and leftout.go help
//
// Of times:
//   - a condition with the same status keeps its lastTransitionTime, unless the assessment brings a real one;
//   - acquiredAt changes with an insight's content only;
//   - a health insight keeps its startedAt where no object of the cluster tells a real one;
//   - an estimate that moved by less than estimateTolerance stays, as does that of an update that is stalled; one of a pool
//     if it moved by less than estimateShare of what is left;
//   - a node that is being updated keeps when it reached its phases (nodephases.go), and a pool what the nodes took that are
//     done (nodedurations.go): in the object, so that a restart loses nothing.
//
// When a pool is complete, and what a node still takes, follows from these times: docs/estimates.md has the rule. It is said
// as of the last thing that happened in the pool, so that time that passes changes nothing, but that a pool is stuck:
// Memory.NextCheck tells when that is. pace.go knows how fast nodes are, forecast.go how a queue of them is worked off.
//
// A source that is not complete yet (the controller has just started) keeps what the previous status holds from it.
// Informers that are no sources of this controller are left alone.
//
// A status that is to be stored is bounded (Input.Bounded), with its managedFields, to MaxObjectBytes. In this order:
//   - long texts are cut, all to the same size, down to 256 bytes;
//   - nodes are left out: completed, pending, paused, unknown ones, those that are being updated, unavailable ones,
//     degraded ones; the first four of these fill the object only up to 896 KiB, which about 1,100 nodes do;
//   - health insights are left out, alerts first and then those of the lowest level, where they don't fit beside the
//     unavailable and degraded nodes, or these take half of the room; no other nodes are kept then;
//   - worker pools, complete ones first, and operators, updated ones first, where they alone are too many.
//
// Pools keep their counts, and the condition InsightsComplete counts what is left out of each part. What others wrote is
// not ours to cut: it takes from the room for what is ours, and only if it fills the object alone that grows too large.
//
// Of insights of the same value a hash of their uids decides, and what is not in the object yet is taken in only where some
// slack remains: a node that changes moves itself and one or two others, a text that grows and shrinks moves nothing. What
// is left out keeps its times in the Memory, and loses them with a restart: what comes back then is new.
//
// Beside it, numbers.go counts what a ledger amounts to, for the metrics, and announce.go says what happened between two
// statuses, for events.
package status
