// Package publish keeps the objects of the controller in the cluster.
//
//	store.go     creates, reads, writes and deletes the objects of one kind: the same way for each, with a timeout for each request
//	platform.go  the kinds of a cluster, and those of a hosted cluster in its management cluster
//	follower.go  a controller that is notified when a status was built, and writes something made of it
//	summary.go   the summary: each change immediately (a burst of ten, then two a second), and once a minute that it was confirmed
//	records.go   the records of updates: once a minute while they change, and at their end
//	history.go   the records of earlier updates, which make estimates better, and which nothing waits for
//
// The primary controller (package controller) writes the status itself, with a Store and a schedule of its own: it has up to 1 MiB.
// The summary and the records have no informer: what others change is found, and repaired, with the next write.
package publish
