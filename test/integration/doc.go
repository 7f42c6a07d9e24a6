// Package integration tests user stories on a real API server: what UpdateStatus contains when a cluster is updated, when
// something fails, and when the controller restarts. The controller runs as its ServiceAccount, with nothing but the RBAC of
// manifests/.
//
// The tests share one control plane (test/controlplane) and each deletes what it has created. The clusters come from
// test/simulator.
package integration
