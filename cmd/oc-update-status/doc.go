// Oc-update-status shows how far the update of a cluster is. On the PATH it is the plugin behind
//
//	oc update status
//
// and under other names, which make build makes links for:
//
//	kubectl-update-status            kubectl update status
//	oc_complete-update-status        what shells complete oc update status with
//	kubectl_complete-update-status   the same for kubectl
//
// The command is in pkg/cli.
package main
