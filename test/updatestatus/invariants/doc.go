// Package invariants checks UpdateStatus objects. It is pure, and shared by all tests that play updates.
//
//	insights.go  returns all insights of an object
//	steps.go     the invariants of an update: the lifecycle only moves forward, and the counts add up
//	parts.go     which nodes and operators go back from a version to the next one
//	watcher.go   all of this for the versions of a real cluster, one by one, with what must not change between two versions
//	expected.go  the status that an assessment of the whole cluster gives, to compare with
package invariants
