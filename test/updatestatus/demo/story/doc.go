// Package story has the update that the demo plays. It is pure: the same seed plays the same update, on an API server or in memory.
//
//	pool infra    is paused from the start, and resumed once the control plane is updated
//	one worker    fails to apply its new configuration, and is repaired some minutes later
//	one worker    can't be drained for a while: storage rebuilds
//	all else      goes well
//
// Or it plays one of Faults alone, until its cause is removed.
package story
