// Oc-update-status shows how far the update of a cluster is. On the PATH it is the plugin behind
//
//	oc update status
//
// and, under the name kubectl-update-status, also behind `kubectl update status`. The command is in pkg/cli.
package main
