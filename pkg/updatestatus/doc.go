// Package updatestatus puts the controller together: clients, informers and controllers. It is the page to read first.
//
//	             ┌─ sourceStarter ─► control-plane-informer ─┐
//	             ├─ sourceStarter ─► node-informer ──────────┤
//	API server ──┼─ sourceStarter ─► update-informers ───────┼─ Send ─► primary controller ─► UpdateStatus
//	             ├─ sourceStarter ─► drain-informer ─────────┤          (pkg/updatestatus/controller)
//	Thanos ──────┴─ sourceStarter ─► alert-informer ─────────┘
//
// Each is a loop of pkg/updatestatus/source. update-informers reports what others contribute. The last two watch nothing: they poll while an update is
// in progress, which they ask the primary controller.
//
//	run.go        Run: what runs, and in which order it ends
//	sources.go    the watched resources and the sources: one entry to add one
//	clients.go    clients without a rate limit of their own: the primary controller paces its writes
//	informers.go  the informer of each resource
//	starter.go    starts a source once its resources are served
//	health.go     whether the watches of a source work
//	alerts.go     how alerts are asked for
package updatestatus
