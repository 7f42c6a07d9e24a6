// Package controller runs the Update Status Controller for tests, demo and benchmark: within the process (InProcess), with
// a clock of the caller's, as the built binary (Process), or as the built binary the way the Deployment of manifests/ has it
// run (Pod). In each way it is the ServiceAccount of manifests/, and may do
// what its RBAC grants and nothing else.
//
// Observer sees every version of the UpdateStatus that the API server ever had.
package controller
