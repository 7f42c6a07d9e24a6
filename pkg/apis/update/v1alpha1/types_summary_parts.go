package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ControlPlaneSummary is the progress of the control plane.
type ControlPlaneSummary struct {
	// assessment describes the progress for people, as in the insight about it.
	// +required
	Assessment Assessment `json:"assessment,omitempty"`

	// completion is the share of the operators that are updated, in percent. It is 100 only if all are.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Completion int32 `json:"completion"`

	// estimate is when the update of the control plane is expected to complete. It is absent when it is not known, and when the
	// control plane is complete.
	// +optional
	Estimate *SummaryEstimate `json:"estimate,omitempty"`

	// operators count the cluster operators of the payload, and the components of a hosted control plane.
	// +required
	Operators SummaryOperators `json:"operators"`

	// manifests is how many manifests of the release are applied, as in the ClusterVersion insight.
	// +optional
	Manifests *ManifestProgress `json:"manifests,omitempty"`

	// management is the update of the components of a hosted cluster in its management cluster. It is absent for other clusters, and
	// where the HostedCluster does not report it.
	// +optional
	Management *ControlPlaneTrack `json:"management,omitempty"`

	// dataPlane is the update of the payload in a hosted cluster. It is absent for other clusters.
	// +optional
	DataPlane *ControlPlaneTrack `json:"dataPlane,omitempty"`
}

// SummaryOperators count cluster operators. Each is updated, updating or waiting, but for those whose state is unknown.
type SummaryOperators struct {
	// total counts all.
	// +required
	// +kubebuilder:validation:Minimum=0
	Total int32 `json:"total"`

	// updated counts those that run the target version.
	// +required
	// +kubebuilder:validation:Minimum=0
	Updated int32 `json:"updated"`

	// updating counts those that are being updated.
	// +required
	// +kubebuilder:validation:Minimum=0
	Updating int32 `json:"updating"`

	// waiting counts those that have not started to update.
	// +required
	// +kubebuilder:validation:Minimum=0
	Waiting int32 `json:"waiting"`

	// unhealthy counts those that are unavailable or degraded.
	// +required
	// +kubebuilder:validation:Minimum=0
	Unhealthy int32 `json:"unhealthy"`
}

// SummaryNodes count nodes. Each is completed, updating, pending or excluded; degraded and unavailable nodes are counted in one
// of these too.
type SummaryNodes struct {
	// total counts all.
	// +required
	// +kubebuilder:validation:Minimum=0
	Total int32 `json:"total"`

	// completed counts those that run the target version.
	// +required
	// +kubebuilder:validation:Minimum=0
	Completed int32 `json:"completed"`

	// updating counts those that are being drained, updated or rebooted.
	// +required
	// +kubebuilder:validation:Minimum=0
	Updating int32 `json:"updating"`

	// pending counts those that have not started to update.
	// +required
	// +kubebuilder:validation:Minimum=0
	Pending int32 `json:"pending"`

	// excluded counts those that are not updated because their pool is paused.
	// +required
	// +kubebuilder:validation:Minimum=0
	Excluded int32 `json:"excluded"`

	// degraded counts those that failed to update.
	// +required
	// +kubebuilder:validation:Minimum=0
	Degraded int32 `json:"degraded"`

	// unavailable counts those that can't run workloads.
	// +required
	// +kubebuilder:validation:Minimum=0
	Unavailable int32 `json:"unavailable"`

	// progress is completed and total for people: 41/60. It is absent in a pool.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=32
	Progress string `json:"progress,omitempty"`
}

// WorkerPoolSummary is the progress of a worker pool, or of a node pool of a hosted cluster.
type WorkerPoolSummary struct {
	// name is the name of the pool.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// assessment describes the progress for people, as in the insight about it.
	// +required
	Assessment Assessment `json:"assessment,omitempty"`

	// completion is the share of the pool's nodes that are updated, in percent. It is 100 only if all are.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Completion int32 `json:"completion"`

	// nodes count the nodes of the pool.
	// +required
	Nodes SummaryNodes `json:"nodes"`

	// estimate is when the update of the pool is expected to complete, from the start of the update on. It is absent when it is not
	// known, and when the pool is complete.
	// +optional
	Estimate *SummaryEstimate `json:"estimate,omitempty"`
}

// SummaryHealth counts health insights by level.
type SummaryHealth struct {
	// critical counts those of level Critical.
	// +required
	// +kubebuilder:validation:Minimum=0
	Critical int32 `json:"critical"`

	// error counts those of level Error.
	// +required
	// +kubebuilder:validation:Minimum=0
	Error int32 `json:"error"`

	// warning counts those of level Warning.
	// +required
	// +kubebuilder:validation:Minimum=0
	Warning int32 `json:"warning"`

	// info counts those of level Info.
	// +required
	// +kubebuilder:validation:Minimum=0
	Info int32 `json:"info"`

	// unknown counts those of an unknown level.
	// +required
	// +kubebuilder:validation:Minimum=0
	Unknown int32 `json:"unknown"`
}

// SummaryAttention is a health insight that no other one causes, in short; several with the same text are one.
type SummaryAttention struct {
	// uid is that of the insight, of several that of the first.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	UID string `json:"uid,omitempty"`

	// reason is that of the insight: the name of the check that found it.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
	Reason string `json:"reason,omitempty"`

	// level is the severity.
	// +required
	Level HealthLevel `json:"level,omitempty"`

	// since is when it started. It is absent when that is unknown.
	// +optional
	Since *metav1.Time `json:"since,omitempty"`

	// summary describes it in one line.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Summary string `json:"summary,omitempty"`

	// consequences is the number of health insights that it causes, directly or not.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Consequences int32 `json:"consequences,omitempty"`

	// resources are the first of the resources involved.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=3
	Resources []ResourceRef `json:"resources,omitempty"`

	// reference is the URL of a page about it.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Reference string `json:"reference,omitempty"`
}
