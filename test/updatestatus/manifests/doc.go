// Package manifests renders and reads manifests/ as the Cluster Version Operator does, and its tests hold what the Cluster
// Version Operator and the bootstrap of a cluster ask of them.
//
//	manifests/*.yaml ──► Render (text/template) ──► Read (typed, strict) ──► Find
package manifests
