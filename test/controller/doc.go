// Package controller runs the Update Status Controller for tests, demo and benchmark: within the process (InProcess), with
// a clock of the caller's, or as the built binary (Process). Either way it is the ServiceAccount of manifests/, and may do
// what its RBAC grants and nothing else.
//
// Observer sees every version of the UpdateStatus that the API server ever had.
package controller
