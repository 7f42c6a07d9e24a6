// Package monitoring is a stand-in for the Thanos querier of a cluster: a server of alerts over TLS, that believes nobody
// without a token and counts who asks.
//
//	querier.go     the server, and what it answers
//	authorizer.go  who may ask: what kube-rbac-proxy, which guards the querier, asks of the API server
package monitoring
