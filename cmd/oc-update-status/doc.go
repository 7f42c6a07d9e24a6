// Oc-update-status shows the progress of a cluster's update. On the PATH it is the plugin for
//
//	oc update status
//
// and with other names, for which make build creates links:
//
//	kubectl-update-status            kubectl update status
//	oc_complete-update-status        shell completion of oc update status
//	kubectl_complete-update-status   shell completion of kubectl update status
//	oc-update-report, …              oc update report, with the same four names
//	oc-update-rehearse, …            oc update rehearse, likewise
//
// The commands are in pkg/updatestatus/cli.
package main
