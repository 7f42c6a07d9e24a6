package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// OperatorRecord is the update of a cluster operator.
type OperatorRecord struct {
	RecordTimes `json:",inline"`

	// name is the name of the ClusterOperator, or of the ControlPlaneComponent.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`
}

// PoolRecord is the update of a pool of nodes.
type PoolRecord struct {
	RecordTimes `json:",inline"`

	// name is the name of the MachineConfigPool, or of the NodePool.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// scopeType is the part of the cluster that the pool belongs to.
	// +required
	ScopeType ScopeType `json:"scopeType,omitempty"`

	// nodes is the number of nodes of the pool.
	// +required
	// +kubebuilder:validation:Minimum=0
	Nodes int32 `json:"nodes"`

	// pausedSeconds is how long the pool was observed to be paused before all of its nodes were updated.
	// +optional
	// +kubebuilder:validation:Minimum=1
	PausedSeconds int32 `json:"pausedSeconds,omitempty"`

	// nodeDurations are the durations of the nodes: 16 quantiles of each phase, the shortest and the longest included, or all
	// if there are fewer.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	NodeDurations []NodeDurations `json:"nodeDurations,omitempty"`

	// progress is how many nodes of the pool were in which phase, from each of these moments to the next one. Only a pool of more
	// than 200 nodes has it, since the record has not all of its nodes. Of more than 32 moments, those between others that are
	// nearest to each other are left out.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=32
	Progress []PoolProgress `json:"progress,omitempty"`
}

// PoolProgress is how many nodes of a pool are in which phase. All others have not started.
type PoolProgress struct {
	// at is when it was observed.
	// +required
	At metav1.Time `json:"at,omitzero"`

	// draining is the number of nodes that are being drained.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Draining int32 `json:"draining,omitempty"`

	// updating is the number of nodes to which their new configuration is being written.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Updating int32 `json:"updating,omitempty"`

	// rebooting is the number of nodes that reboot.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Rebooting int32 `json:"rebooting,omitempty"`

	// completed is the number of nodes that run the target version.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Completed int32 `json:"completed,omitempty"`
}

// NodeRecord is the update of a node.
type NodeRecord struct {
	// name is the name of the Node.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// pool is the name of its pool.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Pool string `json:"pool,omitempty"`

	// phases are those whose start was observed, or is reported by an object of the cluster, in their order.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	Phases []NodePhase `json:"phases,omitempty"`

	// completedAt is when the node ran the target version and was ready. It is absent before, and if that is not known.
	// +optional
	CompletedAt *metav1.Time `json:"completedAt,omitempty"`

	// completedBy is a time by which it did, where completedAt is not known.
	// +optional
	CompletedBy *metav1.Time `json:"completedBy,omitempty"`
}

// EpisodeRecord is a health insight from its start to its end.
type EpisodeRecord struct {
	// informer is the name of the informer that had the insight.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Informer string `json:"informer,omitempty"`

	// uid is that of the insight. An insight that came back has an episode for each time.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	UID string `json:"uid,omitempty"`

	// level is the worst level that it had.
	// +required
	Level HealthLevel `json:"level,omitempty"`

	// summary describes it in one line, as it was last.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Summary string `json:"summary,omitempty"`

	// startedAt is when it started. It is absent if that is not known.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`

	// endedAt is when it was gone. It is absent before, and if that is not known.
	// +optional
	EndedAt *metav1.Time `json:"endedAt,omitempty"`

	// endedBy is a time by which it was gone, where endedAt is not known.
	// +optional
	EndedBy *metav1.Time `json:"endedBy,omitempty"`

	// causedBy are the health insights that caused it.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	CausedBy []HealthCause `json:"causedBy,omitempty"`
}

// RecordGap is a time in which the cluster was not observed.
type RecordGap struct {
	// from is when the cluster was last observed.
	// +required
	From metav1.Time `json:"from,omitzero"`

	// to is when it was observed again.
	// +required
	To metav1.Time `json:"to,omitzero"`
}
