package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// UpdateStatusSummary is the update of the whole cluster, workers included, in one small object: for kubectl get and wait, for
// scripts, consoles and fleet managers. There is one, named cluster; the Update Status Controller maintains it. UpdateStatus
// has the details.
//
// +genclient
// +genclient:nonNamespaced
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:metadata:annotations="kubernetes.io/description=The update of the whole cluster in one small object."
// +kubebuilder:resource:path=updatestatussummaries,scope=Cluster
// +kubebuilder:validation:XValidation:rule="self.metadata.name == 'cluster'",message="there is one UpdateStatusSummary in a cluster, and its name is cluster"
// +kubebuilder:printcolumn:name="Updating",type=string,JSONPath=`.status.conditions[?(@.type=="Updating")].status`,description="Whether the control plane or a worker pool is being updated"
// +kubebuilder:printcolumn:name="From",type=string,JSONPath=`.status.versions.previous`,description="The version before the newest update"
// +kubebuilder:printcolumn:name="To",type=string,JSONPath=`.status.versions.target`,description="The version of the newest update"
// +kubebuilder:printcolumn:name="Control Plane",type=string,JSONPath=`.status.controlPlane.assessment`,description="The progress of the control plane"
// +kubebuilder:printcolumn:name="Nodes",type=string,JSONPath=`.status.nodes.progress`,description="Updated nodes of all nodes"
// +kubebuilder:printcolumn:name="Attention",type=string,JSONPath=`.status.attention[0].level`,description="The worst level of what needs attention"
// +kubebuilder:printcolumn:name="Estimate",type=string,JSONPath=`.status.estimate.latest`,description="When the whole update is expected to be complete at the latest"
// +kubebuilder:printcolumn:name="Pool",type=string,JSONPath=`.status.workerPools[0].name`,priority=1,description="The first worker pool, one that is not complete if there is one"
// +kubebuilder:printcolumn:name="Waiting For",type=string,JSONPath=`.status.waitingFor`,priority=1,description="What the update waits for"
type UpdateStatusSummary struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object's metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is empty: the controller has no settings yet.
	// +optional
	Spec UpdateStatusSummarySpec `json:"spec,omitzero"`

	// status is the observed state of the update.
	// +optional
	// +default={"observedGeneration":-1}
	Status UpdateStatusSummaryStatus `json:"status,omitzero"`
}

// UpdateStatusSummaryList is a list of UpdateStatusSummaries. It never has more than one.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type UpdateStatusSummaryList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard list's metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items are the UpdateStatusSummaries.
	Items []UpdateStatusSummary `json:"items"`
}

// UpdateStatusSummarySpec is empty, and reserved.
// +kubebuilder:validation:MinProperties=0
type UpdateStatusSummarySpec struct{}

// Limits of a summary.
const (
	// SummaryMaxPools bounds the worker pools that are listed.
	SummaryMaxPools = 32
	// SummaryMaxAttention bounds the health insights that are listed.
	SummaryMaxAttention = 5
	// SummaryMaxResources bounds the resources of one of these.
	SummaryMaxResources = 3
	// WaitingForMaxLength bounds waitingFor, in characters.
	WaitingForMaxLength = 1024
)

// UpdateStatusSummaryStatus is the observed state of the update of the whole cluster.
// +kubebuilder:validation:MinProperties=1
type UpdateStatusSummaryStatus struct {
	// conditions describe the whole update. Known types are Updating, with the reasons ControlPlane, Workers and
	// ControlPlaneAndWorkers (True), Completed, NotUpdating, Requested, NotAccepted and Paused (False; Requested: another update
	// was asked for and has not begun; NotAccepted: it is refused; Paused: only paused pools are not updated, which the message
	// names) and CannotDetermine (Unknown); UpToDate (True: no update is in progress, requested or left unfinished, and every node runs
	// completedVersion; the reasons are those of Updating, and NodesDiffer while a node runs another version all the same); NeedsAttention (True while there is a health insight of level Warning
	// or higher; the reason is the highest level); Available, which is that of the object with the details; and, for tools that know kstatus,
	// Reconciling (True while an update is in progress, requested, not accepted or unknown, unless it is stalled) and Stalled (True
	// while a health insight of level Error or Critical that no other one causes stalls the update). These two are always present
	// and never both True.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// observedGeneration is the metadata.generation that this status was written for, -1 until it is: then tools that know kstatus
	// wait.
	// +optional
	// +kubebuilder:validation:Minimum=-1
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// observedAt is when the controller last confirmed that this status and the one with the details have what it observes. It does so every
	// minute, for a hosted cluster that is not being updated every five minutes: what was not confirmed for three times as long may be
	// outdated, as the controller is not running or not able to write.
	// +optional
	ObservedAt *metav1.Time `json:"observedAt,omitempty"`

	// versions that the cluster is updated from and to, or was last.
	// +optional
	Versions SummaryVersions `json:"versions,omitzero"`

	// requested is the update that an administrator has asked for and that has not begun. It is absent when there is none.
	// +optional
	Requested *RequestedUpdate `json:"requested,omitempty"`

	// startedAt is when the newest update started. It is absent while there has been none.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`

	// completedAt is when the whole update was complete: the control plane and all nodes of all pools. It is absent
	// until then, and when that was not observed.
	// +optional
	CompletedAt *metav1.Time `json:"completedAt,omitempty"`

	// completedVersion is the version that the whole cluster runs: the control plane and every node of every pool. During an
	// update it is the version of the last update that was completed, if that was observed.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	CompletedVersion string `json:"completedVersion,omitempty"`

	// waitingFor says for people what the update waits for, and since when. It is absent when it waits for nothing.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	WaitingFor string `json:"waitingFor,omitempty"`

	// estimate is when the whole update is expected to be complete. If it is absent during an update, noEstimate says why.
	// +optional
	Estimate *SummaryEstimate `json:"estimate,omitempty"`

	// noEstimate is why it is not known when the whole update is complete. It is absent with an estimate, and while no update is in
	// progress.
	// +optional
	NoEstimate *MissingEstimate `json:"noEstimate,omitempty"`

	// controlPlane is the progress of the control plane.
	// +optional
	ControlPlane *ControlPlaneSummary `json:"controlPlane,omitempty"`

	// nodes count the nodes of the cluster.
	// +optional
	Nodes *SummaryNodes `json:"nodes,omitempty"`

	// workerPools are the worker pools, or node pools, with nodes, those that are not complete first: at most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=32
	WorkerPools []WorkerPoolSummary `json:"workerPools,omitempty"`

	// health counts the health insights by level.
	// +optional
	Health *SummaryHealth `json:"health,omitempty"`

	// attention are the health insights of level Warning or higher that no other one causes, the worst first.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=5
	Attention []SummaryAttention `json:"attention,omitempty"`
}

// SummaryVersions are the versions that the cluster is updated from and to.
// +kubebuilder:validation:MinProperties=1
type SummaryVersions struct {
	// previous is the version before, absent during an installation.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Previous string `json:"previous,omitempty"`

	// target is the version of the newest update, once that is known.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Target string `json:"target,omitempty"`
}

// EstimateBasis is what an estimate is based on.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
type EstimateBasis string

const (
	// BasisHistory are the records of earlier updates of this cluster.
	BasisHistory EstimateBasis = "History"
	// BasisObserved is the progress of this update.
	BasisObserved EstimateBasis = "Observed"
	// BasisDefault is a rule of thumb, with a wide range.
	BasisDefault EstimateBasis = "Default"
)

// SummaryEstimate is when an update, or a part of it, is expected to be complete: of ten updates, eight are within.
type SummaryEstimate struct {
	// earliest is when it may be complete at the earliest. It may be in the past.
	// +required
	Earliest metav1.Time `json:"earliest,omitzero"`

	// latest is when it is expected to be complete at the latest. It may be in the past, and is not before earliest.
	// +required
	Latest metav1.Time `json:"latest,omitzero"`

	// basis is what the estimate is based on most. Known values are History, Observed and Default.
	// +required
	Basis EstimateBasis `json:"basis,omitempty"`

	// uncertain says for people why it may take longer than in other updates: the summary of a health insight.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Uncertain string `json:"uncertain,omitempty"`
}
