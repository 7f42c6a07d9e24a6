// Check-rules fails when an expression or a template of a PrometheusRule does not parse. The API server takes either for
// text, and only Prometheus would find out. Its argument is the file with the manifest. The tests here tell which series make
// an alert.
package main
