// Cluster-version-operator is the binary that the Update Status Controller is a subcommand of:
//
//	cluster-version-operator update-status-controller [--kubeconfig FILE] [--namespace NAMESPACE]
//	cluster-version-operator version
//
// The subcommand is library-go's controllercmd around updatestatus.Run: page pkg/updatestatus/run.go is the one to read.
package main
