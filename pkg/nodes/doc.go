// Package nodes is the informer controller that watches MachineConfigPools, Nodes, their MachineConfigNodes and MachineConfigs and reports how far
// the nodes and their pools are.
//
//	keys.go           which queue key a changed object gives
//	informer.go       the controller: level driven, knows only the key
//	assess.go         all nodes and pools, those that changes concern, or one node
//	gather.go         listers → assess inputs
//	drain.go          since when a node drains, and what blocks it, if it takes long
//	assessednodes.go  how every node was assessed, so that the change of one costs one assessment
//	same.go           what of a cached object is compared
//
// It holds no rules: those are in package assess.
package nodes
