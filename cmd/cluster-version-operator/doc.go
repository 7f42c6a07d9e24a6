// Cluster-version-operator is the binary that the Update Status Controller is a subcommand of:
//
//	cluster-version-operator update-status-controller [--kubeconfig FILE] [--namespace NAMESPACE]
//	cluster-version-operator update-status-controller gather FOLDER
//
// The subcommand (updatestatuscontroller.go) is library-go's controllercmd around updatestatus.Run: page
// pkg/updatestatus/run.go is the one to read. The rest (standin.go) stands in for the Cluster Version Operator's own commands, into
// whose repository hack/updatestatus/install-into.sh copies the subcommand.
package main
