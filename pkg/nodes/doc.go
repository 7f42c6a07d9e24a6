// Package nodes is the informer controller that watches MachineConfigPools, Nodes and MachineConfigs and reports how far
// the nodes and their pools are.
//
//	keys.go      which queue key a changed object gives
//	informer.go  the controller: level driven, knows only the key
//	look.go      all nodes and pools, those that changes concern, or one node
//	gather.go    listers → assess inputs
//	drain.go     since when a node drains, and what keeps it, if it takes long
//	roster.go    what is known of every node already, so that one node costs one assessment
//	client.go    what of a Node is read from the API server
//	trim.go      what of an object is kept in memory
//
// It holds no rules: those are in package assess.
package nodes
