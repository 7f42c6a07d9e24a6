// Package harness runs the Update Status Controller for tests, the demo and the benchmark, always as the ServiceAccount of
// manifests/ and with nothing but the permissions that its RBAC grants:
//
//	inprocess.go  in the process of the test, with a clock of the test
//	process.go    the built binary
//	pod.go        the built binary, started as the Deployment of manifests/ describes it
//	observer.go   Observer records every version of the UpdateStatus that the API server stores
package harness
