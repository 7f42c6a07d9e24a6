// Update-status-invariants watches the UpdateStatus of a real cluster over an update, and fails on the first version that breaks an
// invariant: what an end-to-end job runs beside `oc adm upgrade`.
//
//	update-status-invariants [--kubeconfig FILE] [--junit FILE] [--versions FOLDER] [--timeout 4h]
//
// It needs permission to get and watch updatestatuses.update.openshift.io, which the role cluster-reader has. It ends with 0 when an update has
// begun and everything is updated, and with 1 if an invariant does not hold (the version and the one before are in the folder), if
// the time is up, or if it can't read the cluster. The invariants are in test/updatestatus/invariants.
package main
