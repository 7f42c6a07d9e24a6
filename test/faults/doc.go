// Package faults plays updates while things go wrong between the controller and the cluster, and shows that nothing is
// lost, nothing wrong and nothing leaked: docs/reliability.md names what is promised.
//
//	way.go        the way to the API server: a proxy that does what rules say
//	rules.go      what can go wrong on it: answers, stalls, slow streams, watches that end
//	world.go      an update that is played in real time with the controller as a process, and what is asserted of it
//	process.go    the controller: started, stopped, killed
//	scenarios.go  what goes wrong, one after the other, or all of it at random
//	outages.go    the API server, etcd or the controller is away
//	crd.go        the CRD of the object goes and comes back
//	logs.go       what the controller logged
//	sample.go     what a process holds: memory, goroutines, connections
//
// A scenario ends in the exact status of an undisturbed run, at most Patience after what went wrong is over, or
// RepeatedPatience; no version of the object steps back. Chance is decided by a seed, which a failed test prints. The tests play a short form of each
// scenario; cmd soak (make soak) plays them at random for as long as one likes.
package faults
