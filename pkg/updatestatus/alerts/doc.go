// Package alerts is the source that polls the firing alerts while the cluster is updating, and reports those that are relevant to the
// update. It runs in the loop of package source. Its rules are in package assess.
//
//	source.go    when to poll, and what is reported meanwhile
//	querier.go   sends the request to the cluster's Thanos querier; the same failure always has the same message
//	response.go  decodes the response, which may be of any size and have any content
//
// Alerts can't be watched: they are polled every 30 seconds while the control plane or a worker pool is updating, as the ledger
// of the primary controller says, and never otherwise. When the update ends, one message withdraws all reports.
//
// No other source waits for the alerts. If the cluster has no monitoring, or it refuses, the condition AlertsComplete says
// why. The last reports stay for five minutes and are withdrawn then, since they may be outdated; so are those of a previous
// controller. There is no backoff: the next attempt is the next poll.
package alerts
