// Package integration tests user stories on a real API server: what UpdateStatus contains when a cluster is updated, when
// something fails, and when the controller restarts. The controller runs as its ServiceAccount, with nothing but the RBAC of
// manifests/.
//
// Most tests have a control plane of their own for a while (test/updatestatus/controlplane), and most clusters come from test/updatestatus/simulator. TestUpdate plays
// a whole update with all that looks at it; others play small ones, or change a few objects. What takes real time, such as a lease
// that expires, is in tests named TestLong….
package integration
