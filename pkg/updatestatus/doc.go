// Package updatestatus puts the controller together: clients, informers and the controllers. It is the page to read first.
//
//	                ┌─ gate ─► control-plane-informer (pkg/controlplane) ─┐
//	API server ─────┤                                                     ├─ Send ─► primary controller ─► UpdateStatus
//	                └─ gate ─► node-informer (pkg/nodes) ─────────────────┤          (pkg/controller)
//	Thanos querier ──────────► alert-informer (pkg/alerts) ───────────────┘
//
// The alert-informer asks the primary controller whether an update is in progress: that is when it polls.
//
//	run.go        Run: what runs, and in which order it ends
//	clients.go    clients without a rate limit of their own: the primary controller paces its writes; that of Nodes has
//	              a connection of its own, which is read in batches
//	informers.go  informers, whose objects are trimmed on arrival
//	alerts.go     the alert-informer, which needs no gate
//	gate.go       a source starts when what it watches can be listed, and says so when it can't
//	sight.go      a source that can't see says nothing
//	troubles.go   what informers meet while they try again
package updatestatus
