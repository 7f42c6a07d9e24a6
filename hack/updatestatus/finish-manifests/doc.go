// Finish-manifests adds the annotations to all manifests that select the clusters in which the Cluster Version Operator applies
// them (release.go), and fails if a file has no valid name for a release payload (names.go). Its arguments are a
// folder, into which it writes the tombstones (tombstones.go), and the manifests. hack/updatestatus/update-manifests.sh runs it.
//
// Each manifest needs all of the annotations. The list is in one place, so that a promotion from one feature set to the next
// changes one line.
package main
