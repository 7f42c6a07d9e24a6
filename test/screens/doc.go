// Screens writes the screens of README.md: what a watch shows on a terminal of 80 columns and 24 rows at four moments of updates
// that are played in memory.
//
//	go run ./test/screens README.md      writes them between the marks
package main
