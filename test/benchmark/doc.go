// Benchmark measures the Update Status Controller on clusters from 6 to 5,000 nodes, on a real API server:
// `make benchmark` builds and runs it, and writes docs/benchmark.md from what it measured.
//
//	main.go      flags; one run after the other; a JSON file for each, the document from all of them
//	run.go       a run in its parts: first a replay without the controller, then the same with it
//	session.go   a control plane with a cluster on it
//	replay.go    the writes of a played update, at their time, several at once
//	singly.go    changes that come one after the other
//	recorder.go  each write and each version of the object, with their times
//	verdict.go   whether a version says what an assessment of the whole cluster says
//	usage.go     what processes used; scrape.go asks the controller
//	client.go    a call of the client
//
// What is pure is apart: shape (which clusters), report (bounds and table), and test/lag (how late the object was).
package main
