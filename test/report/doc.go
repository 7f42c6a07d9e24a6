// Report writes the reports of updates that are played in memory, to look at, and for the picture of README.md. Its tests look at
// them in a browser.
//
//	go run ./test/report DIR            writes a file for each
//	go run ./test/report DIR blocked    writes one of them
package main
