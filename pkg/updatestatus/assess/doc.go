// Package assess turns objects of a cluster into insights. An assessment is a pure function of the objects and the current
// time: it reads no clock, network or file. It also returns when its result changes without an event.
//
// The rules are in packages below, which import each other only downwards:
//
//	checks                   the table of all health checks, and the next steps of an insight
//	standalone  hosted       the rules of a kind of cluster, with a file and an Input struct for each kind of object
//	controlplane  nodestate  what both have: cluster operators and the course of an update; what a Node says of itself
//	assess                   what all share: results, the engine of health checks, times; alerts
//
// Each kind may have Health insights: conditions that need an administrator's attention. A health check is a row of the table of its
// kind (health*.go), which has all that belongs to it: its function, what it reads (so that Trim keeps it), texts and next steps.
// CheckHealth runs the rows of a kind. docs/updatestatus/insights.md is written from the rows.
//
// Alerts have Health insights only, during an update only. BoundAlerts limits their number, and AlertOutage handles alerts that cannot
// be read. ObservedBefore returns what sources have observed that objects of the cluster don't have.
//
// Times of objects that cannot be true are dropped before anything is assessed (times.go).
//
// A condition's lastTransitionTime is set if an object of the cluster has it, and zero otherwise: package status then keeps
// the time of the previous status.
package assess
