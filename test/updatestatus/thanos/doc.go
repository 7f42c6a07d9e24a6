// Package thanos stands in for the Thanos querier: a TLS server of alerts that asks the API server which client may read them
// (authorizer.go), as kube-rbac-proxy does.
package thanos
