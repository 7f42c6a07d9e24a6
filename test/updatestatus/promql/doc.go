// Package promql checks the PromQL of the alerts, of the console's dashboard and of the documents with Prometheus' own engine, on the metrics
// that the controller serves during a played update. An expression that selects a metric or a label that is not served fails. It is a module
// of its own, so that Prometheus and the Alertmanager are not among what the binaries use; hack/updatestatus/test-module.sh runs it.
//
//	served_test.go       the controller, the update, and the metrics as Prometheus stores them
//	expressions_test.go  what every expression must have
//	dashboard_test.go    the dashboard
//	rules_test.go        the alerts: their expressions, and those in their descriptions
//	alerts_test.go       which series fire an alert
//	documents_test.go    the expressions in the documents, and the Alertmanager's route of docs/updatestatus/monitoring.md
package promql
