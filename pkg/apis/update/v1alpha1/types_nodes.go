package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MachineConfigPoolInsight is the progress of a pool of nodes.
type MachineConfigPoolInsight struct {
	// conditions of the pool. Known type: Updating, with the reasons Progressing (True), Pending, Completed and Excluded
	// (False; Excluded: the pool is paused and not all of its nodes are updated) and CannotDetermine (Unknown).
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// name is the name of the MachineConfigPool, or of the NodePool.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// resource is the MachineConfigPool, or the NodePool.
	// +required
	Resource ResourceRef `json:"resource,omitzero"`

	// assessment describes the progress of the pool for people. Known values are Unknown, Pending, Progressing,
	// Completed, Degraded and Excluded.
	// +required
	Assessment Assessment `json:"assessment,omitempty"`

	// completion is the share of the pool's nodes that are updated, in percent. It is 100 only if all are.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Completion int32 `json:"completion"`

	// summaries count the nodes of the pool. A node may be counted in several of them.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Summaries []NodeSummary `json:"summaries,omitempty"`

	// maxUnavailable is how many nodes of the pool are updated at a time.
	// +optional
	// +kubebuilder:validation:Minimum=1
	MaxUnavailable int32 `json:"maxUnavailable,omitempty"`

	// estimatedCompletedAt is when the update of the pool is expected to complete, as of when a node last started, reached its next
	// phase or completed. It may be in the past. noEstimate says why it is absent.
	// +optional
	EstimatedCompletedAt *metav1.Time `json:"estimatedCompletedAt,omitempty"`

	// noEstimate is why there is no estimate for a pool that is paused, degraded or stuck. It is absent for others.
	// +optional
	NoEstimate *MissingEstimate `json:"noEstimate,omitempty"`

	// reported is what the Machine Config Operator reports about this pool in particular, as that it waits for an image. It is absent if
	// there is nothing.
	// +optional
	Reported *ComponentReport `json:"reported,omitempty"`

	// nodeDurations are the durations of the nodes of the pool that completed in this update, which estimates are based on.
	// +optional
	// +listType=map
	// +listMapKey=phase
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	NodeDurations []NodeDurations `json:"nodeDurations,omitempty"`

	// nodeGroups list the nodes of the pool that need no words and, in a large cluster, have no insight of their own: they are available,
	// not degraded, and complete, paused or pending.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	NodeGroups []NodeGroup `json:"nodeGroups,omitempty"`
}

// MissingEstimate is why it is not known when an update, or a part of it, is complete.
type MissingEstimate struct {
	// reason is why, in a word. Known values are Paused, NodesDegraded, Stalled, NodeStuck, NoNodeStarts, TooLong and NotYet.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
	Reason string `json:"reason,omitempty"`

	// message says it for people, as the end of a sentence.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Message string `json:"message,omitempty"`
}

// Reasons of a MissingEstimate.
const (
	// NoEstimatePaused: the pool is paused.
	NoEstimatePaused = "Paused"
	// NoEstimateNodesDegraded: the pool has degraded nodes.
	NoEstimateNodesDegraded = "NodesDegraded"
	// NoEstimateStalled: a health insight stalls the update.
	NoEstimateStalled = "Stalled"
	// NoEstimateNodeStuck: a node takes far longer than others did.
	NoEstimateNodeStuck = "NodeStuck"
	// NoEstimateNoNodeStarts: nodes wait, and none has started for long.
	NoEstimateNoNodeStarts = "NoNodeStarts"
	// NoEstimateTooLong: at the current pace, it takes more than a year.
	NoEstimateTooLong = "TooLong"
	// NoEstimateNotYet: a part of the update has no estimate yet.
	NoEstimateNotYet = "NotYet"
)

// MissingEstimateMaxLength bounds the message of a MissingEstimate, in characters.
const MissingEstimateMaxLength = 512

// NodeGroupsMax bounds the groups of a pool.
const NodeGroupsMax = 16

// NodeGroup lists the nodes of a pool in one phase, with one version.
type NodeGroup struct {
	// phase is the reason of the Updating condition that an insight about each of the nodes would have: Completed, Paused or
	// Pending.
	// +required
	// +kubebuilder:validation:Enum=Completed;Paused;Pending
	Phase string `json:"phase,omitempty"`

	// version is the version that the nodes run. It is absent when it is unknown.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Version string `json:"version,omitempty"`

	// names are the names of the nodes, in alphabetical order.
	// +required
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16384
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	Names []string `json:"names,omitempty"`
}

// NodeUpdatePhase is a phase of the update of a node. A node goes through them in the order Draining, Updating,
// Rebooting, and skips those that it does not need.
// +kubebuilder:validation:Enum=Draining;Updating;Rebooting
type NodeUpdatePhase string

const (
	// PhaseDraining is when the node is given its new configuration, and drained.
	PhaseDraining NodeUpdatePhase = "Draining"
	// PhaseUpdating is when the new configuration is written to the node.
	PhaseUpdating NodeUpdatePhase = "Updating"
	// PhaseRebooting is when the node reboots into the new configuration, until it is available.
	PhaseRebooting NodeUpdatePhase = "Rebooting"
)

// NodeDurationsMaxSeconds bounds the sample of durations of a phase.
const NodeDurationsMaxSeconds = 64

// NodeDurations are the durations of nodes from the start of a phase to the end of their update.
type NodeDurations struct {
	// phase is where the durations start: Draining for the whole update of a node.
	// +required
	Phase NodeUpdatePhase `json:"phase,omitempty"`

	// count is the number of these nodes.
	// +required
	// +kubebuilder:validation:Minimum=0
	Count int32 `json:"count"`

	// seconds are the durations, the shortest first, or a sample of 64.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Seconds []int32 `json:"seconds,omitempty"`
}

// NodeSummaryType is the kind of nodes that a summary counts.
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
	// NodesExcluded counts the nodes that are not updated because their pool is paused.
	NodesExcluded NodeSummaryType = "Excluded"
	// NodesDegraded counts the nodes that failed to update.
	NodesDegraded NodeSummaryType = "Degraded"
)

// NodeSummary counts nodes of a pool.
type NodeSummary struct {
	// type is the kind of nodes that are counted.
	// +required
	Type NodeSummaryType `json:"type,omitempty"`

	// count is their number.
	// +required
	// +kubebuilder:validation:Minimum=0
	Count int32 `json:"count"`
}

// NodeMessageMaxLength bounds the message of a node insight, in characters.
const NodeMessageMaxLength = 512

// NodeInsight is the progress of a node.
type NodeInsight struct {
	// conditions of the node. Known types are Updating, with the reasons Draining, Updating and Rebooting (True), Completed,
	// Paused and Pending (False) and CannotDetermine (Unknown); Available; and Degraded.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// name is the name of the Node.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// resource is the Node.
	// +required
	Resource ResourceRef `json:"resource,omitzero"`

	// pool is the name of the pool that the node belongs to.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Pool string `json:"pool,omitempty"`

	// version is the version that the node runs. It is absent when it is unknown.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$`
	Version string `json:"version,omitempty"`

	// updatingTo is the version that the node is being updated to, if that is not the target: that of an update before. It is absent
	// otherwise.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	UpdatingTo string `json:"updatingTo,omitempty"`

	// estimatedSeconds is how long the node is expected to take from the start of its current phase to the end of its update: as other
	// nodes of the pool did, or else by a rule of thumb for the phase alone. It is 0 when the node is updated or paused.
	// +optional
	// +kubebuilder:validation:Minimum=0
	EstimatedSeconds *int32 `json:"estimatedSeconds,omitempty"`

	// message describes for people, in one line, what is wrong with the node.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Message string `json:"message,omitempty"`

	// phases are the starts of the current phase of the node's update and of those before, as far as they are known.
	// +optional
	// +listType=map
	// +listMapKey=phase
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	Phases []NodePhase `json:"phases,omitempty"`

	// drainStartedAt is when the drain of the node for this update started: when it was first observed, or earlier by an object of the
	// cluster. It is absent while the node is not being drained.
	// +optional
	DrainStartedAt *metav1.Time `json:"drainStartedAt,omitempty"`

	// rebootStartedAt is when the reboot of the node for this update started at the latest, by an object of the cluster. It is absent
	// while the node is not rebooting, and when the reboot was observed before.
	// +optional
	RebootStartedAt *metav1.Time `json:"rebootStartedAt,omitempty"`
}

// NodePhase is the start of a phase of the update of a node.
type NodePhase struct {
	// phase is the phase.
	// +required
	Phase NodeUpdatePhase `json:"phase,omitempty"`

	// startedAt is when the node was first observed in the phase, or earlier by an object of the cluster.
	// +required
	StartedAt metav1.Time `json:"startedAt,omitzero"`
}
