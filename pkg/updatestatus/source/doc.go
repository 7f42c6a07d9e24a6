// Package source is the loop that every source runs in. A source is a function that assesses everything that it reports; the loop calls
// it and sends what differs from what was sent before.
//
//	objects change ─► one key ─► gather, assess (Assess) ─► compare ─► send
//	                     ▲                                             │
//	                     └──────── the next check, by the clock ◄──────┘
//
//	loop.go          the loop: when to assess, and what to send
//	change.go        which events of an informer are a change
//	controlplane.go  the control plane, from caches
//	nodes.go         nodes and pools, with what blocks drains that take long
//	hosted.go        both sources of a hosted cluster
//	informers.go     what others contribute by UpdateInformers
//	decode.go        what informers of a management cluster cache: the part of an object that is read
//
// All that a source watches has one key: whatever changed, everything is assessed, so that no change can be missed. Changes are
// collected for a while before: a source assesses no more often than a status is built of what it sends.
package source
