// Report writes the reports of updates that are played in memory, to look at, and for the picture of README.md. Its tests look at
// them in a browser. It also writes the screens of README.md: what a watch shows on a terminal of 80 columns and 24 rows.
//
//	go run ./test/updatestatus/report DIR                  writes a file for each
//	go run ./test/updatestatus/report DIR blocked          writes one of them
//	go run ./test/updatestatus/report -screens README.md   writes the screens between the marks
package main
