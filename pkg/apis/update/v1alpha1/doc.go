// Package v1alpha1 is the API of the Update Status Controller: the cluster-scoped object UpdateStatus/cluster, with the progress
// of the update of a cluster, its estimated completion, and what needs an administrator's attention, UpdateStatusSummary/cluster, the whole
// update in a few lines, and an UpdateRecord for each update, which is kept after it. A hosted cluster has a
// HostedClusterUpdateStatus in its management cluster, with the same layers and its summary.
//
// Others contribute to the status of an update by UpdateInformers, which are in their own namespaces: an administrator sets in .spec.informers
// of the UpdateStatus which of them are trusted or disabled.
//
// The status of the UpdateStatus has three layers:
//
//	.status.conditions                                   the controller itself (Available), never the update
//	.status.controlPlane, .status.workerPools[]          the summary of a part of the cluster (Updating)
//	    .informers[].insights[]                          what each informer reported about that part
//
// An insight is a union: its type names the one member that is set. ClusterVersion, ClusterOperator,
// MachineConfigPool and Node are the progress of one object, Health is a condition that needs attention. HostedCluster,
// ControlPlaneComponent and NodePool take the place of the first and the third in a hosted cluster, beside its cluster operators.
//
// Every node of the cluster has an insight, or is listed by name in the insight of its pool (nodeGroups): in a large cluster,
// nodes that need no words are. Only in an object that would be too large insights are left out, which the condition
// InsightsComplete counts.
//
// Every condition type and reason is a constant of this package, with a sentence on when it is used. Clients accept
// unknown types, reasons, levels and assessments.
//
// Texts that come from objects of the cluster have no control characters but newlines and tabs, and no format characters
// (zero width, direction of text, tags). All else is as it was written, HTML included: consoles must escape it.
//
// A time of an object that cannot be true, before 1970 or more than a day ahead, is not known: it is absent, or the time at
// which the state was first observed.
//
// +k8s:deepcopy-gen=package
// +groupName=update.openshift.io
package v1alpha1
