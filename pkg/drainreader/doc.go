// Package drainreader reads what keeps nodes from being drained, and only while one takes long.
//
//	pkg/nodes ── Look(node) ──► queue ──► read: its MachineConfigNode, its Pods, the PodDisruptionBudgets beside them
//	    ▲                                   │
//	    └──────────── changed(node) ◄───────┘  if it is another answer than before
//
// There is no watch, and no cache of pods: a pod of any other node is of no interest, and in a healthy update none is at all.
// A node is read at most once a minute, when it is looked for; who looks is never held up. The PodDisruptionBudgets of a
// namespace are read at most once a minute for all nodes, so that they may be a minute older than the pods.
//
//	reader.go   which node is read when, and what was read
//	read.go     the requests about a node
//	budgets.go  the PodDisruptionBudgets of a namespace, for all nodes
//
// It holds no rules: those are in package assess.
package drainreader
