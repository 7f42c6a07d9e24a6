// Metrics writes docs/updatestatus/metrics.md, the reference of the controller's metrics, to standard output. It uses their definitions in
// pkg/updatestatus/controller. hack/updatestatus/update-metrics.sh runs it.
package main
