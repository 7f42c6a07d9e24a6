// Package conformance compares the client's text for recorded clusters with what was recorded there, byte for byte.
//
//	make conformance EXAMPLES=DIR
//
// A recorded cluster is a set of files in a folder, NAME-cv.yaml and what is beside it (see pkg/updatestatus/snapshot), with the text
// that administrators saw in NAME.output and, with all details, in NAME.detailed-output. Each goes the whole way: from
// its files through the assessment, the ledger, the status and the description. Without EXAMPLES the clusters of testdata
// are compared, which are made up. The causes of problems are compared with testdata/causes.yaml, for the clusters that are in it.
//
// Where our text differs on purpose, differences.go changes the recorded text before it is compared: one function for
// each rule, which changes no more than what the rule is about. Everything else has to be the same.
package conformance
