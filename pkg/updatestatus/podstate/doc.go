// Package podstate tells which pod of a cluster operator that fails is the worst, and why: most often a pod says what the operator does not.
//
//	podstate.go    Worst: the worst of some pods
//	state.go       the state of a pod, from what its kubelet and the scheduler write
//	counted.go     which pods say nothing about the operator, such as those of a node that reboots
//	rows.go        which pods of a namespace are worth reading in full, by the table that the API server prints of them
//	installer.go   the pods that install static pods, and those that retrieve a release
//	namespaces.go  the namespaces of an operator
//	trim.go        the fields of pods that are read
package podstate
