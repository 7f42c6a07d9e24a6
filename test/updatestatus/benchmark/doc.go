// Benchmark measures the Update Status Controller on clusters from 6 to 5,000 nodes, on a real API server:
// `make benchmark` builds and runs it, and writes docs/updatestatus/benchmark.md from what it measured.
//
//	main.go      flags; the runs, a JSON file for each; the document from all of them
//	run.go       the parts of a run: a replay without the controller, then the same with it
//	measurement.go what is measured of a running controller, and a call of the client
//	session.go   a control plane with a cluster on it
//	replay.go    the writes of a simulated update, when they are due, several at a time
//	singly.go    changes one at a time
//	recorder.go  each write and each version of the object, with their times
//	verdict.go   how much of a version differs from an assessment of the whole cluster
//	usage.go     what processes used; scrape.go has the metrics of the controller
//	hosted.go    the controllers of many hosted clusters, for make benchmark-hosted and docs/updatestatus/benchmark-hosted.md: fleet.go creates the
//	             hosted clusters, written.go counts what is written
//
// Pure packages beside it: shape (the clusters), report (bounds and table), and test/updatestatus/lag (how late the object was).
package main
