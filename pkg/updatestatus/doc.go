// Package updatestatus puts the controller together: clients, informers and controllers. It is the page to read first.
//
//	             ┌─ sourceStarter ─► control-plane-informer (pkg/controlplane) ─┐
//	API server ──┤                                                              ├─ Send ─► primary controller ─► UpdateStatus
//	             └─ sourceStarter ─► node-informer (pkg/nodes) ─────────────────┤          (pkg/controller)
//	Thanos querier ────────────────► alert-informer (pkg/alerts) ───────────────┘
//
//	run.go        Run: what runs, and in which order it ends
//	sources.go    the watched resources and the sources: one entry to add one
//	clients.go    clients without a rate limit of their own: the primary controller paces its writes
//	informers.go  the informer of each resource
//	starter.go    starts a source once its resources are served
//	health.go     whether the watches of a source work
//	alerts.go     the alert-informer, which watches nothing
package updatestatus
