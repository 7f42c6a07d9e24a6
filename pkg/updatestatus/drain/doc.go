// Package drain explains why the drain of a node takes long: which pods block it and for which cause, and what an
// administrator can do about it. A drain goes on until every pod that it waits for (WaitsFor) is gone; the causes why one is
// not are in causes.go in the order of their precedence.
//
//	drain.go     what an explanation is made from, and its parts
//	causes.go    the cause that blocks each pod
//	drainer.go   what drains a node, and what its drains leave there
//	machine.go   what the message of a Machine says, where pods can't be read
//	messages.go  the texts of each cause, and the facts about pods and PodDisruptionBudgets
//	trim.go      the fields of pods that explanations read
package drain
