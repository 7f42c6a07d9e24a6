package v1alpha1

// Types of conditions.
const (
	// ConditionAvailable tells in .status.conditions whether the controller can tell the state of the update, and of a
	// node insight whether the node can run workloads.
	ConditionAvailable = "Available"
	// ConditionInsightsComplete is False when insights were left out to bound the size of the object; its message counts
	// them. It is absent while nothing is left out.
	ConditionInsightsComplete = "InsightsComplete"
	// ConditionAlertsComplete is False in .status.conditions while the cluster is updated and its alerts can't be read, or
	// are too many. It is absent otherwise: alerts are asked for during an update only.
	ConditionAlertsComplete = "AlertsComplete"
	// ConditionUpdating tells of the control plane, of a pool, of a cluster operator and of a node whether it is being
	// updated to a release. The rollout of a MachineConfig that brings no new release is no update.
	ConditionUpdating = "Updating"
	// ConditionHealthy tells whether a cluster operator is available and not degraded.
	ConditionHealthy = "Healthy"
	// ConditionDegraded tells whether a node failed to update.
	ConditionDegraded = "Degraded"
)

// Reasons of Available in .status.conditions. A source that may not read a resource gives Cannot followed by the verb
// and the kind: CannotListMachineConfigPools.
const (
	// ReasonAsExpected (True): nothing is wrong. Also of Available, Healthy and Degraded elsewhere.
	ReasonAsExpected = "AsExpected"
	// ReasonWaitingForInformers (False): not every informer has reported since the controller started; what the object
	// says of the others is from before.
	ReasonWaitingForInformers = "WaitingForInformers"
	// ReasonNoMachineConfigPools (True): the cluster has no MachineConfigPool resource, as hosted and MicroShift clusters:
	// the control plane is reported, nodes are not.
	ReasonNoMachineConfigPools = "NoMachineConfigPools"
)

// Reasons of InsightsComplete.
const (
	// ReasonTruncated (False): insights were left out, since the object would have grown too large.
	ReasonTruncated = "Truncated"
)

// Reasons of AlertsComplete. All are False. What was told of alerts stays for five minutes, in which they may be read again.
const (
	// ReasonMonitoringUnreachable: there is no connection to the cluster's monitoring. It may have none.
	ReasonMonitoringUnreachable = "MonitoringUnreachable"
	// ReasonMonitoringRefused: the monitoring does not let the controller read alerts.
	ReasonMonitoringRefused = "MonitoringRefused"
	// ReasonMonitoringFailed: the monitoring answers, but not with alerts.
	ReasonMonitoringFailed = "MonitoringFailed"
	// ReasonTooManyAlerts: so many alerts matter to the update that not all are told.
	ReasonTooManyAlerts = "TooManyAlerts"
)

// Reasons of Updating of the control plane and of the ClusterVersion insight.
const (
	// ReasonClusterVersionProgressing (True): ClusterVersion says that it is progressing, in an update that is not
	// complete.
	ReasonClusterVersionProgressing = "ClusterVersionProgressing"
	// ReasonClusterVersionNotProgressing (False): ClusterVersion says that it is not progressing, and its newest update
	// is complete.
	ReasonClusterVersionNotProgressing = "ClusterVersionNotProgressing"
	// ReasonCannotDetermineUpdating (Unknown): ClusterVersion says nothing, or contradicts itself; the message says which.
	ReasonCannotDetermineUpdating = "CannotDetermineUpdating"
)

// Reasons of Updating of cluster operators, pools and nodes.
const (
	// ReasonProgressing (True): the operator is on its way to the target version; some of the pool's nodes are.
	ReasonProgressing = "Progressing"
	// ReasonUpdated (False): the operator runs the target version.
	ReasonUpdated = "Updated"
	// ReasonPending (False): the operator, the pool's nodes or the node have not begun yet.
	ReasonPending = "Pending"
	// ReasonCompleted (False): the node, or all of the pool's nodes, run the target version.
	ReasonCompleted = "Completed"
	// ReasonExcluded (False): the pool is paused, and some of its nodes do not run the target version.
	ReasonExcluded = "Excluded"
	// ReasonDraining (True): the node is being drained.
	ReasonDraining = "Draining"
	// ReasonUpdating (True): the node is being updated.
	ReasonUpdating = "Updating"
	// ReasonRebooting (True): the node reboots into its update.
	ReasonRebooting = "Rebooting"
	// ReasonPaused (False): the node will not be updated, since its pool is paused.
	ReasonPaused = "Paused"
	// ReasonCannotDetermine (Unknown): nothing can be said. Of an operator: it does not tell whether it is progressing, or
	// (of Healthy) has no Available condition, or it is progressing to another version than the cluster has while the
	// ClusterVersion tells of no update. Of a pool or node: the ClusterVersion tells no version.
	ReasonCannotDetermine = "CannotDetermine"
)

// Reasons of Healthy of cluster operators, besides AsExpected and CannotDetermine.
const (
	// ReasonUnavailable (False): the operator says that it is not available, or does not know. Wins over Degraded.
	ReasonUnavailable = "Unavailable"
	// ReasonDegraded (False): the operator is available and says that it is degraded.
	ReasonDegraded = "Degraded"
)

// Reasons of Available of nodes, besides AsExpected. All are False.
const (
	// ReasonNotReady: the kubelet is not ready.
	ReasonNotReady = "NotReady"
	// ReasonDiskPressure: the node's disk is nearly full.
	ReasonDiskPressure = "DiskPressure"
	// ReasonNetworkUnavailable: the node's network is not set up.
	ReasonNetworkUnavailable = "NetworkUnavailable"
	// ReasonUnschedulable: the node is cordoned.
	ReasonUnschedulable = "Unschedulable"
	// ReasonMachineConfigDaemonProcessing: the Machine Config Daemon is at work on the node.
	ReasonMachineConfigDaemonProcessing = "MachineConfigDaemonProcessing"
	// ReasonMultipleReasons: more than one of these; the message lists them.
	ReasonMultipleReasons = "MultipleReasons"
)

// Reasons of Degraded of nodes, besides AsExpected (False). Both are True.
const (
	// ReasonNodeDegraded: the Machine Config Daemon could not apply the node's configuration.
	ReasonNodeDegraded = "NodeDegraded"
	// ReasonNodeUnreconcilable: the Machine Config Daemon can't get from the node's configuration to the wanted one.
	ReasonNodeUnreconcilable = "NodeUnreconcilable"
)
