// Package integration tells user stories on a real API server: what an administrator sees in UpdateStatus when a cluster is
// updated, when something goes wrong, and when the controller restarts. The controller runs as its ServiceAccount, with
// nothing but the RBAC of manifests/.
//
// The tests share one control plane (test/controlplane) and each empties it when it is done. The clusters come from
// test/simulator.
package integration
