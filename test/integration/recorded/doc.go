// Package recorded loads recorded clusters into the real API server and lets the controller watch them: what it writes is
// what an assessment of the cluster's files says, and so is the text. Package test/conformance compares that text with
// what administrators saw.
//
//	make conformance EXAMPLES=DIR
//
// Without EXAMPLES the clusters of test/conformance/testdata are loaded, which are made up.
package recorded
