// Package estimate estimates when nodes and pools will be updated, from what the nodes of a pool took that are done.
// docs/updatestatus/estimates.md explains the rule.
//
//	phases.go     the phases of a node's update: the rule of thumb for each, when a node reached them, what they took
//	durations.go  the sample of durations that a pool keeps
//	pool.go       a pool: what its nodes do, and the forecast
//	model.go      how long nodes take, as far as the durations tell
//	queue.go      how long the nodes that are left take together
//	ranges.go     from when to when the control plane and each pool will be complete, from the start of an update on
//	history.go    what records of earlier updates, and rules of thumb, tell about durations
//	belief.go     durations that are uncertain, and how evidence is weighed
//
// A range is as of now. An estimate is as of the last event in the pool, not as of now: passing time changes nothing, except that a pool becomes
// stuck, which Forecast.NextCheck announces. All that an estimate needs is in the object, so that a restart loses nothing.
package estimate
