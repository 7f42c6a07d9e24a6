// Package v1alpha1 is the API of the Update Status Controller: one cluster-scoped object, UpdateStatus/cluster, that
// says how far the update of a cluster is, when it will be done, and what needs an administrator's attention.
//
// The status has three layers:
//
//	.status.conditions                                   the controller itself (Available), never the update
//	.status.controlPlane, .status.workerPools[]          the summary of a part of the cluster (Updating)
//	    .informers[].insights[]                          what each informer reported about that part
//
// An insight is a union: its type names the one member that is set. ClusterVersion, ClusterOperator,
// MachineConfigPool and Node say how far one thing is, Health says what is wrong.
//
// Every condition type and reason is a constant of this package, with a sentence on when it is used. Clients accept
// types, reasons, levels and assessments that they do not know.
//
// +k8s:deepcopy-gen=package
// +groupName=update.openshift.io
package v1alpha1
