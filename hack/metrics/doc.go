// Metrics writes docs/metrics.md, the reference of the controller's metrics, to standard output. It uses their definitions in
// pkg/controller. hack/update-metrics.sh runs it.
package main
