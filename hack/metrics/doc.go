// Metrics writes docs/metrics.md to standard output, from the definitions of the controller's metrics. hack/update-metrics.sh
// calls it.
package main
