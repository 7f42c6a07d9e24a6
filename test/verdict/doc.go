// Package verdict says whether an UpdateStatus is right. Tests that play updates share it.
//
//	insights.go  all insights of an object
//	steps.go     the invariants of an update: nothing goes back, everything adds up
//	expected.go  what an assessment of a whole cluster at once says, to compare with
//
// It is pure.
package verdict
