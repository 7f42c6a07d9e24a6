// Check-rules fails if an expression or a template of a PrometheusRule does not parse, which the API server does not check. Its
// argument is the file with the manifest. The tests check which series fire an alert. hack/verify-manifests.sh runs both.
package main
