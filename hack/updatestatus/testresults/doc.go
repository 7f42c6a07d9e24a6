// Command testresults prints the results of the tests that hack/updatestatus/test.sh has run: the slowest ones, those that were skipped, with their
// reasons, and those that failed, with the first line that says why, and how to run one of them again. It writes the output of each
// failed test to a file.
//
//	go run ./hack/updatestatus/testresults bin/test
//
// The folder has the output of `go test -json` in files *.json. The exit status is 1 if a test failed.
package main
