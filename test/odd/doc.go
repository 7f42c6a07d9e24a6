// Package odd draws clusters that no healthy component would write, but an API server accepts: texts of any length and
// alphabet, names of 253 characters, missing and repeated conditions, times of any age, versions that are none. Property
// tests and fuzzing share it (rapid.MakeFuzz).
//
//	cluster.go  whole clusters
//	values.go   texts, names, times, versions
package odd
