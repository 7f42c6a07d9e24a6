// Package pace lets tests wait without judging by the wall clock: a limit is a time on a quiet machine, and is prolonged while other work
// has the cores. Only a hang reaches a limit, however busy the machine is.
//
//	pace.go  contexts and polling with such limits
//	load.go  measures how busy the machine is
package pace
