package v1alpha1

// Types of conditions.
const (
	// ConditionAvailable is, in .status.conditions, whether every informer has reported since the controller started, and
	// in a node insight whether the node can run workloads.
	ConditionAvailable = "Available"
	// ConditionInsightsComplete is False when insights were omitted: to limit the size of the object, or because the API
	// server rejects them. Its message counts them. In .status.conditions it is always there; a part of the cluster has it while it is False.
	ConditionInsightsComplete = "InsightsComplete"
	// ConditionAlertsComplete is False in .status.conditions while the cluster is being updated and its alerts cannot be
	// read, or are too many. It is True otherwise, also without an update, when they are not read.
	ConditionAlertsComplete = "AlertsComplete"
	// ConditionInformersReporting is False in .status.conditions while the cluster is being updated and an UpdateInformer is not renewed
	// by its owner, or there are too many to report all of them. It is True otherwise.
	ConditionInformersReporting = "InformersReporting"
	// ConditionUpdating is whether the control plane, a pool, a cluster operator or a node is being updated to a release. The
	// rollout of a MachineConfig without a new release is not an update.
	ConditionUpdating = "Updating"
	// ConditionNeedsAttention is, in an UpdateStatusSummary, whether there is a health insight of level Warning or higher that no
	// other one causes.
	ConditionNeedsAttention = "NeedsAttention"
	// ConditionUpToDate is, in an UpdateStatusSummary, whether no update is in progress, requested or left unfinished, and every node runs
	// completedVersion. It is the positive answer that Updating, which is also False for Requested, NotAccepted and Paused, does not give.
	ConditionUpToDate = "UpToDate"
	// ConditionReconciling is, in an UpdateStatusSummary, whether an update is in progress or requested, or whether one is in
	// progress is unknown. It is False while Stalled is True. Tools that know kstatus wait while it is True.
	ConditionReconciling = "Reconciling"
	// ConditionStalled is, in an UpdateStatusSummary, whether a health insight of level Error or Critical stalls the update: one with the
	// impact Update Stalled, or about an operator that the update waits for. Tools that know kstatus report a failure while it is True.
	ConditionStalled = "Stalled"
	// ConditionHealthy is whether a cluster operator is available and not degraded.
	ConditionHealthy = "Healthy"
	// ConditionDegraded is whether a node failed to update.
	ConditionDegraded = "Degraded"
)

// Reasons of Available in .status.conditions. The reason for a resource that the controller is not allowed to read
// is Cannot followed by the verb and the kind: CannotListMachineConfigPools.
const (
	// ReasonAsExpected (True): nothing is wrong. Also a reason of Available, Healthy and Degraded elsewhere.
	ReasonAsExpected = "AsExpected"
	// ReasonWaitingForInformers (False): not every informer has reported since the controller started; the insights of the
	// others are from before its start.
	ReasonWaitingForInformers = "WaitingForInformers"
	// ReasonNoMachineConfigPools (True): the cluster has no MachineConfigPool resource, like hosted and MicroShift clusters:
	// the control plane is reported, nodes are not.
	ReasonNoMachineConfigPools = "NoMachineConfigPools"
	// ReasonHostedClusterUnreachable (True): the cluster operators and nodes of the hosted cluster can't be read; what is
	// reported of them is from before, if anything is. The management cluster is reported.
	ReasonHostedClusterUnreachable = "HostedClusterUnreachable"
	// ReasonRejected (False): the API server rejects the status and names no insight as the cause; the message is the cause,
	// and all else is from before. As a reason of InsightsComplete (False): insights were omitted because the API server
	// rejects them; the message names the first, and counts what was omitted because of its size as well.
	ReasonRejected = "Rejected"
	// ReasonNotWritten (False), in an UpdateStatusSummary only: the status could not be stored for 30 seconds, the message is why.
	// UpdateStatus/cluster has what it had before; the summary is current.
	ReasonNotWritten = "NotWritten"
)

// Reasons of InsightsComplete, besides AsExpected (True).
const (
	// ReasonTruncated (False): insights were omitted because the object would have been too large.
	ReasonTruncated = "Truncated"
)

// Reasons of AlertsComplete, besides AsExpected (True). All are False. The insights about alerts stay for five minutes after the alerts were last read.
const (
	// ReasonMonitoringUnreachable: there is no connection to the cluster's monitoring. It may have none.
	ReasonMonitoringUnreachable = "MonitoringUnreachable"
	// ReasonMonitoringRefused: the controller is not allowed to read alerts from the monitoring.
	ReasonMonitoringRefused = "MonitoringRefused"
	// ReasonMonitoringFailed: the monitoring responds, but not with alerts.
	ReasonMonitoringFailed = "MonitoringFailed"
	// ReasonTooManyAlerts: not all alerts are reported, since there are too many.
	ReasonTooManyAlerts = "TooManyAlerts"
)

// Reasons of InformersReporting, besides AsExpected (True). All are False.
const (
	// ReasonNotRenewed: the owner of a trusted UpdateInformer has not renewed it for three minutes. Its insights are outdated, and
	// withdrawn after fifteen minutes. The message names it, and others that are not renewed.
	ReasonNotRenewed = "NotRenewed"
	// ReasonUntrustedNotRenewed: the same, of UpdateInformers that are not trusted only.
	ReasonUntrustedNotRenewed = "UntrustedNotRenewed"
	// ReasonTooManyInformers: not all UpdateInformers are reported, since there are too many, or one is too large. The message counts
	// those that are left out.
	ReasonTooManyInformers = "TooManyInformers"
)

// Reasons of Updating of the control plane and of the ClusterVersion insight.
const (
	// ReasonClusterVersionProgressing (True): the ClusterVersion reports that it is progressing, in an update that is not
	// complete.
	ReasonClusterVersionProgressing = "ClusterVersionProgressing"
	// ReasonClusterVersionNotProgressing (False): the ClusterVersion reports that it is not progressing, and its newest
	// update is complete.
	ReasonClusterVersionNotProgressing = "ClusterVersionNotProgressing"
	// ReasonRequested (False): no update is in progress, and another one was asked for: its release is being retrieved and
	// verified. Also a reason of Updating of an UpdateStatusSummary.
	ReasonRequested = "Requested"
	// ReasonNotAccepted (False): no update is in progress, and the one that was asked for is refused; the message says why. Also a
	// reason of Updating of an UpdateStatusSummary.
	ReasonNotAccepted = "NotAccepted"
	// ReasonCannotDetermineUpdating (Unknown): the ClusterVersion does not report its progress, or contradicts itself; the
	// message says which.
	ReasonCannotDetermineUpdating = "CannotDetermineUpdating"
)

// Reasons of Updating of the control plane of a hosted cluster and of the HostedCluster insight, besides CannotDetermineUpdating.
const (
	// ReasonHostedClusterProgressing (True): the HostedCluster reports an update that is not complete, of its components in the
	// management cluster or of the payload in the hosted cluster.
	ReasonHostedClusterProgressing = "HostedClusterProgressing"
	// ReasonHostedClusterNotProgressing (False): the newest update of both is complete. If another one is asked for and
	// blocked, the message says so.
	ReasonHostedClusterNotProgressing = "HostedClusterNotProgressing"
)

// Reasons of Updating of an UpdateStatusSummary, besides Completed, Requested, NotAccepted and CannotDetermine. The reasons of NeedsAttention are the
// levels of health insights, and AsExpected (False).
const (
	// ReasonControlPlane (True): the control plane is being updated, and no node of a worker pool.
	ReasonControlPlane = "ControlPlane"
	// ReasonWorkers (True): the control plane is updated, and not all worker pools are.
	ReasonWorkers = "Workers"
	// ReasonControlPlaneAndWorkers (True): the control plane and nodes of worker pools are being updated.
	ReasonControlPlaneAndWorkers = "ControlPlaneAndWorkers"
	// ReasonNotUpdating (False): the cluster has not been updated since its installation.
	ReasonNotUpdating = "NotUpdating"
)

// Reasons of Reconciling and Stalled of an UpdateStatusSummary. Those of Reconciling are the reasons of Updating: True for
// ControlPlane, Workers, ControlPlaneAndWorkers, Requested, NotAccepted and CannotDetermine, and False for Completed, NotUpdating
// and Paused. Stalled has the reason of its health insight (True), or AsExpected (False).
const (
	// ReasonStalled (False): Stalled is True, and its message says why. Also the reason of Stalled (True) for a health insight
	// without a reason.
	ReasonStalled = "Stalled"
)

// Reasons of Updating of cluster operators, pools and nodes.
const (
	// ReasonProgressing (True): the operator, or some of the pool's nodes, are being updated to the target version.
	ReasonProgressing = "Progressing"
	// ReasonUpdated (False): the operator runs the target version.
	ReasonUpdated = "Updated"
	// ReasonPending (False): the operator, the pool's nodes or the node have not started to update.
	ReasonPending = "Pending"
	// ReasonCompleted (False): the node, or all of the pool's nodes, run the target version.
	ReasonCompleted = "Completed"
	// ReasonExcluded (False): the pool is paused, and some of its nodes do not run the target version.
	ReasonExcluded = "Excluded"
	// ReasonDraining (True): the node is being drained.
	ReasonDraining = "Draining"
	// ReasonUpdating (True): the node is being updated.
	ReasonUpdating = "Updating"
	// ReasonRebooting (True): the node is rebooting into its new configuration.
	ReasonRebooting = "Rebooting"
	// ReasonPaused (False): the node is not updated, because its pool is paused.
	ReasonPaused = "Paused"
	// ReasonNodesDiffer (False), of UpToDate of an UpdateStatusSummary: no update is in progress, and a node, or a pool of a hosted cluster,
	// runs another version than the control plane.
	ReasonNodesDiffer = "NodesDiffer"
	// ReasonCannotDetermine (Unknown): the state is unknown. An operator does not report whether it is progressing, has no
	// Available condition (Healthy), or is progressing to another version than that of the cluster while the ClusterVersion
	// reports no update. For a pool or node: the ClusterVersion has no version.
	ReasonCannotDetermine = "CannotDetermine"
)

// Reasons of Healthy of cluster operators, besides AsExpected and CannotDetermine.
const (
	// ReasonUnavailable (False): the operator reports that it is not available, or that this is unknown. It takes precedence
	// over Degraded.
	ReasonUnavailable = "Unavailable"
	// ReasonDegraded (False): the operator is available and reports that it is degraded.
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
	// ReasonMachineConfigDaemonProcessing: the Machine Config Daemon is processing the node.
	ReasonMachineConfigDaemonProcessing = "MachineConfigDaemonProcessing"
	// ReasonMultipleReasons: more than one of these; the message lists them.
	ReasonMultipleReasons = "MultipleReasons"
)

// Reasons of Degraded of nodes, besides AsExpected (False). Both are True.
const (
	// ReasonNodeDegraded: the Machine Config Daemon could not apply the node's configuration.
	ReasonNodeDegraded = "NodeDegraded"
	// ReasonNodeUnreconcilable: the Machine Config Daemon cannot change the node's configuration to the desired one.
	ReasonNodeUnreconcilable = "NodeUnreconcilable"
)
