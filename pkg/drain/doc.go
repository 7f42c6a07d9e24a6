// Package drain explains why the drain of a node takes long: which pods block it and for which cause, and what an
// administrator can do about it. A drain goes on until every pod that it waits for (WaitsFor) is gone; the causes why one is
// not are in causes.go in the order of their precedence.
//
//	drain.go     what an explanation is made from, and its parts
//	causes.go    the cause that blocks each pod
//	messages.go  the texts of each cause, and the facts about pods and PodDisruptionBudgets
//	trim.go      the fields of pods that explanations read
package drain
