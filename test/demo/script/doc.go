// Package script is the plot of the demo: the update that is played, and what an administrator does on the way. It is pure:
// the same seed plays the same update, on an API server or in memory.
//
//	pool infra   is paused from the beginning, and resumed when the control plane is updated
//	a worker     fails to take its new configuration, and is repaired some minutes later
//	all else     goes well
package script
