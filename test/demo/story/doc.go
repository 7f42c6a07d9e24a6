// Package story has the update that the demo plays, and finds the moments of it that are worth a look. It is pure.
//
// Script (script.go, steps.go) is the plot; the same seed plays the same update, on an API server or in memory:
//
//	pool infra    is paused from the start, and resumed once the control plane is updated
//	one worker    fails to apply its new configuration, and is repaired some minutes later
//	two workers   can't be drained for a while: storage rebuilds, and a virtual machine can't migrate
//	all else      goes well
//
// Teller (teller.go) takes the versions of the UpdateStatus and returns headlines, and whether the update is over.
// milestones.go lists all headlines but those of health insights of level Warning and above, which come and go.
package story
