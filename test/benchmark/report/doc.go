// Package report is what a benchmark measures, what it must show, and how it is told: a Run is the content of a JSON file,
// rows.go lists what is made of it and the bounds, table.go writes docs/benchmark.md. It is pure.
package report
