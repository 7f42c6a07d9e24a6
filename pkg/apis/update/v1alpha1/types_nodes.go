package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MachineConfigPoolInsight is how far a pool of nodes is.
type MachineConfigPoolInsight struct {
	// name is the name of the MachineConfigPool.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// resource is the MachineConfigPool.
	// +required
	Resource ResourceRef `json:"resource"`

	// scopeType is the part of the cluster that the pool belongs to.
	// +required
	ScopeType ScopeType `json:"scopeType"`

	// conditions of the pool. Known type: Updating, with the reasons Progressing (True), Pending, Completed and Excluded
	// (False; Excluded: the pool is paused and not all of its nodes are updated) and CannotDetermine (Unknown).
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=10
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// assessment says for people how the update of the pool goes. Known values are Unknown, Pending, Progressing,
	// Completed, Degraded and Excluded.
	// +required
	Assessment Assessment `json:"assessment"`

	// completion is the share of the pool's nodes that are updated, in percent. It is 100 only if all are.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Completion int32 `json:"completion"`

	// summaries count the pool's nodes. A node may count in several of them.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	Summaries []NodeSummary `json:"summaries,omitempty"`

	// estimatedCompletedAt is when the update of the pool is expected to be complete, as far as could be told when a node
	// of the pool last began, went on to its next phase or was done. It may have passed. It is absent when the update is
	// complete, when no node of it has been seen to begin, and when nothing can be said: of a pool that is paused, degraded
	// or stuck the message of its Updating condition says so.
	// +optional
	EstimatedCompletedAt *metav1.Time `json:"estimatedCompletedAt,omitempty"`

	// nodeDurations are how long nodes of the pool took that were done in this update: what estimates are made from. They
	// are absent before the first node is done, and when the update of the pool is complete.
	// +optional
	// +listType=map
	// +listMapKey=phase
	// +kubebuilder:validation:MaxItems=8
	NodeDurations []NodeDurations `json:"nodeDurations,omitempty"`
}

// NodeUpdatePhase is a phase of the update of a node. A node goes through them in the order Draining, Updating,
// Rebooting, and may skip some.
// +kubebuilder:validation:Enum=Draining;Updating;Rebooting
type NodeUpdatePhase string

const (
	// PhaseDraining is when the node is told its new configuration, and drained.
	PhaseDraining NodeUpdatePhase = "Draining"
	// PhaseUpdating is when the new configuration is written to the node.
	PhaseUpdating NodeUpdatePhase = "Updating"
	// PhaseRebooting is when the node reboots into it, and takes up its work.
	PhaseRebooting NodeUpdatePhase = "Rebooting"
)

// NodeDurationsMaxSeconds is how many durations are kept of a phase.
const NodeDurationsMaxSeconds = 64

// NodeDurations are how long nodes took from the begin of a phase to the end of their update.
type NodeDurations struct {
	// phase is where the durations begin. Those of Draining are of the whole update of a node, also of one that was not
	// drained.
	// +required
	Phase NodeUpdatePhase `json:"phase"`

	// count is how many nodes were seen from the begin of the phase to the end of their update.
	// +required
	// +kubebuilder:validation:Minimum=0
	Count int32 `json:"count"`

	// seconds are the durations, the shortest first: of all these nodes, or of 64 of them that chance takes.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	Seconds []int32 `json:"seconds,omitempty"`
}

// NodeSummaryType says which nodes a summary counts.
// +kubebuilder:validation:Enum=Total;Available;Progressing;Outdated;Draining;Excluded;Degraded
type NodeSummaryType string

const (
	// NodesTotal counts all nodes of the pool.
	NodesTotal NodeSummaryType = "Total"
	// NodesAvailable counts the nodes that can run workloads.
	NodesAvailable NodeSummaryType = "Available"
	// NodesProgressing counts the nodes that are being updated (drained, updated, rebooted) and not degraded.
	NodesProgressing NodeSummaryType = "Progressing"
	// NodesOutdated counts the nodes that are not updated.
	NodesOutdated NodeSummaryType = "Outdated"
	// NodesDraining counts the nodes that are being drained.
	NodesDraining NodeSummaryType = "Draining"
	// NodesExcluded counts the nodes that are not updated since their pool is paused.
	NodesExcluded NodeSummaryType = "Excluded"
	// NodesDegraded counts the nodes that failed to update.
	NodesDegraded NodeSummaryType = "Degraded"
)

// NodeSummary counts the nodes of a pool that have something in common.
type NodeSummary struct {
	// type says which nodes are counted.
	// +required
	Type NodeSummaryType `json:"type"`

	// count is their number.
	// +required
	// +kubebuilder:validation:Minimum=0
	Count int32 `json:"count"`
}

// NodeMessageMaxLength is the number of characters that the message of a node insight may have.
const NodeMessageMaxLength = 512

// NodeInsight is how far a node is.
type NodeInsight struct {
	// name is the name of the Node.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// resource is the Node.
	// +required
	Resource ResourceRef `json:"resource"`

	// poolResource is the MachineConfigPool that the node belongs to.
	// +required
	PoolResource ResourceRef `json:"poolResource"`

	// scopeType is the part of the cluster that the node belongs to.
	// +required
	ScopeType ScopeType `json:"scopeType"`

	// version is the version that the node runs. It is absent when it is not known.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$`
	Version string `json:"version,omitempty"`

	// estToComplete is how long the node takes from the moment on at which its update reached its present phase: the median
	// of what nodes of the pool took in this update, or a rule of thumb before the first of them is done. It is 0s when
	// the node is done, or will not be updated since its pool is paused, and absent when it is not known.
	// +optional
	// +kubebuilder:validation:Format=duration
	EstToComplete *metav1.Duration `json:"estToComplete,omitempty"`

	// message says for people, in one line, what is wrong with the node.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	Message string `json:"message,omitempty"`

	// phases are when the node's update reached its present phase and those before, as far as that was seen. They are
	// absent while the node is not being updated.
	// +optional
	// +listType=map
	// +listMapKey=phase
	// +kubebuilder:validation:MaxItems=8
	Phases []NodePhase `json:"phases,omitempty"`

	// conditions of the node. Known types are Updating, with the reasons Draining, Updating and Rebooting (True), Completed,
	// Paused and Pending (False) and CannotDetermine (Unknown); Available, with AsExpected (True), NotReady, DiskPressure,
	// NetworkUnavailable, Unschedulable, MachineConfigDaemonProcessing and MultipleReasons (False); and Degraded, with
	// AsExpected (False), NodeDegraded and NodeUnreconcilable (True).
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=10
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// NodePhase is when the update of a node reached a phase.
type NodePhase struct {
	// phase is the phase.
	// +required
	Phase NodeUpdatePhase `json:"phase"`

	// startedAt is when the node was first seen in it, in this update.
	// +required
	StartedAt metav1.Time `json:"startedAt"`
}
