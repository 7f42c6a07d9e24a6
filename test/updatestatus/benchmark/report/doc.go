// Package report has the results of a benchmark: a Run is the content of a JSON file, rows.go has the rows of the table and their
// bounds, table.go writes docs/updatestatus/benchmark.md. It is pure.
package report
