// Package podreader reads the pods of cluster operators that fail, once a minute while they do and during an update only.
//
//	pkg/updatestatus/source ── Pods(wanted) ──► the pods of their namespaces, as the API server prints them (a Table without objects),
//	    ▲                          then in full the one that may be the worst
//	    └────────── changed() ◄────── if a result differs from the previous one
//
// There is no watch and no cache. The namespaces of one operator may have some 12,000 pods: a row of the table has 200 bytes, a pod 10 KiB.
//
//	reader.go  when they are read, and the results
//	read.go    the requests about an operator
//
// The rules are in package podstate.
package podreader
