// Package recorded loads recorded clusters into the real API server and runs the controller: its UpdateStatus, and the text, must
// equal those of the cluster's files. Package test/updatestatus/conformance compares that text with the recorded one.
//
//	make conformance EXAMPLES=DIR
//
// Without EXAMPLES the clusters of test/updatestatus/conformance/testdata are loaded, which are made up.
package recorded
