// Package hostedcluster has the two sources of a hosted cluster: its control plane, and its node pools. Both are made of objects of
// the management cluster, and of the cluster operators and nodes of the hosted cluster.
//
//	controller.go  a source: any change that is assessed → the whole source is assessed and reported
//	objects.go     the informers → the input of an assessment
//	decode.go      what informers cache: the part of an object that is read
//
// A hosted cluster has tens of objects and at most hundreds of nodes: to assess all of them costs little, and the ledger of the
// primary controller drops what has not changed.
//
// The hosted cluster may be away for a while, as when its API server restarts: its objects are then assessed as they were cached
// last, and the sources go on with the objects of the management cluster.
package hostedcluster
