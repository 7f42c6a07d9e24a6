// Package manifests reads manifests/ as the Cluster Version Operator does: file by file in the order of their names, each
// object into its type. A field that the type does not have is an error.
package manifests
