// Package v1beta1 has the part of the Cluster API (cluster.x-k8s.io/v1beta1) that is read: what Machines, and the MachineDeployments
// and MachineSets above them, say about the updates of nodes. Objects of v1beta2 are decoded into the same types.
//
// +k8s:deepcopy-gen=package
// +groupName=cluster.x-k8s.io
package v1beta1
