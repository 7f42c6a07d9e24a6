// Package drainreader reads the objects that may block the drain of a node, only for drains that take long.
//
//	pkg/updatestatus/source ── Blockers(nodes) ──► queue ──► their Pods, the PodDisruptionBudgets of the namespaces of these
//	    ▲                                          │
//	    └────────────── changed() ◄────────────────┘  if a result differs from the previous one
//
// There is no watch, and no cache of all pods: in a healthy update no pod is read. A node is read at most once a minute, when
// Blockers is called for it, which never blocks. The PodDisruptionBudgets of a namespace are read at most once a minute for
// all nodes together, so they may be a minute older than the pods.
//
//	reader.go   when each node is read, and the results
//	read.go     the requests about a node
//	budgets.go  the PodDisruptionBudgets of a namespace, shared by all nodes
//
// The rules are in package drain.
package drainreader
