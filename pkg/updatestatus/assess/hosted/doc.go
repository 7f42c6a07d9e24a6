// Package hosted has the rules of hosted clusters (HyperShift), whose control plane runs in a management cluster. They have other
// objects than standalone clusters, with the same results where they mean the same (see package standalone):
//
//	HostedCluster      as ClusterVersion (cluster.go): its two histories are one (release.go), which is complete when both are
//	Component          as ClusterOperator; Operator is for the cluster operators of the hosted cluster
//	NodePool           as MachineConfigPool, to a version of its own; until the pool itself has completed the update it is
//	                   Progressing, although all nodes that are there may be complete
//	Node               as Node. A node that is updated in place has the same phases. Of nodes that are replaced, an old one is
//	                   Pending, Paused or Draining until it is gone. A new one has no result until it has joined, and is
//	                   Completed then
//
// Assess assesses a whole hosted cluster, for evaluations of files; the sources call ControlPlane and Nodes.
package hosted
