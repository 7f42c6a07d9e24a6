// Package rehearsal tells how an update that has not begun would go: how long its parts take, what would hold it up, in which order its nodes are
// updated, and how far it is at a moment. It has no rules about clusters: it assesses the cluster as if the update had just started
// (standalone.Rehearse), and estimates it as in its first moment (package estimate).
//
//	rehearsal.go  Rehearsal, the document; Of makes it
//	until.go      how far an update is at a moment, one that has begun too
//	version.go    the version to rehearse, and what can't be rehearsed
package rehearsal
