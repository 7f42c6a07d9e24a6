package insight

// The reasons of health insights of which more is said than that they are there: what they do to estimates, and to the row of a pool. They
// are those of rows of the table of checks (pkg/updatestatus/assess/checks).
const (
	ReasonClusterVersionFailing   = "ClusterVersionFailing"
	ReasonClusterOperatorUnknown  = "ClusterOperatorUnknown"
	ReasonClusterOperatorDegraded = "ClusterOperatorDegraded"
	ReasonOperatorSlow            = "OperatorSlow"
	ReasonUpdateNotAccepted       = "UpdateNotAccepted"
	ReasonNodeDegraded            = "NodeDegraded"
	ReasonNodeNotReturned         = "NodeNotReturned"
	ReasonNodeNotBegun            = "NodeNotBegun"
	ReasonNodeUpdateSlow          = "NodeUpdateSlow"
	ReasonPoolDegraded            = "PoolDegraded"
	ReasonPoolNotStarting         = "PoolNotStarting"
	ReasonPoolSlowed              = "PoolSlowed"

	ReasonControlPlaneNoProgress       = "ControlPlaneNoProgress"
	ReasonClusterVersionOperatorSilent = "ClusterVersionOperatorSilent"
	ReasonClusterVersionStatusFrozen   = "ClusterVersionStatusFrozen"

	ReasonHostedClusterFailing     = "HostedClusterFailing"
	ReasonHostedNodeNotBegun       = "HostedNodeNotBegun"
	ReasonNodePoolMachinesNotReady = "NodePoolMachinesNotReady"
	ReasonNodePoolNotStarting      = "NodePoolNotStarting"
	ReasonNodePoolRefused          = "NodePoolRefused"
)
