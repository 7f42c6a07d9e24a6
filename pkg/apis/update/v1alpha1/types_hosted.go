package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// HostedClusterUpdateStatus is the progress of the update of a hosted cluster, whose control plane runs in another cluster, the
// management cluster. It is in the management cluster, with the namespace and the name of its HostedCluster; the Update Status
// Controller of the hosted cluster creates it and maintains its status.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:metadata:annotations="kubernetes.io/description=The progress of the update of a hosted cluster."
// +kubebuilder:resource:path=hostedclusterupdatestatuses,scope=Namespaced
type HostedClusterUpdateStatus struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object's metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec are the settings of the controller.
	// +optional
	// +default={}
	Spec UpdateStatusSpec `json:"spec,omitzero"`

	// status is the observed state of the update.
	// +optional
	Status HostedClusterUpdateStatusStatus `json:"status,omitzero"`
}

// HostedClusterUpdateStatusList is a list of HostedClusterUpdateStatuses.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type HostedClusterUpdateStatusList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard list's metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items are the HostedClusterUpdateStatuses.
	Items []HostedClusterUpdateStatus `json:"items"`
}

// HostedClusterUpdateStatusStatus is the observed state of the update of a hosted cluster.
// +kubebuilder:validation:MinProperties=1
type HostedClusterUpdateStatusStatus struct {
	// conditions describe the controller itself, never the update. Known types are Available (every informer has reported
	// since the controller started), InformersReporting (False: an UpdateInformer in the namespace of the control plane is not renewed, or
	// not reported) and InsightsComplete (False: insights were omitted to limit the size of the object, or because the API server rejects
	// them).
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// observedGeneration is the metadata.generation of the settings in spec that this status takes into account.
	// +optional
	// +kubebuilder:validation:Minimum=1
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// controlPlane is the update of the control plane: its components in the management cluster, and the cluster operators
	// of the hosted cluster.
	// +optional
	ControlPlane *ControlPlane `json:"controlPlane,omitempty"`

	// nodePools are the updates of the nodes of each node pool, by name. A node pool is updated by itself, to a version of its
	// own.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=1024
	NodePools []WorkerPool `json:"nodePools,omitempty"`
}

// HostedClusterInsight is the progress of the control plane of a hosted cluster as a whole. It is being updated until the
// components in the management cluster and the payload in the hosted cluster are both complete: startedAt is the start of the
// first, completedAt the end of the last. It has no manifests, waitingOn and progressedAt, and its CRD doesn't accept them.
//
// +kubebuilder:validation:MinProperties=1
type HostedClusterInsight struct {
	ClusterVersionInsight `json:",inline"`

	// management is the update of the components in the management cluster, as the HostedCluster reports it in
	// controlPlaneVersion. It needs no nodes. It is absent where the HostedCluster does not report it, as with earlier releases.
	// +optional
	Management *ControlPlaneTrack `json:"management,omitempty"`

	// dataPlane is the update of the payload in the hosted cluster, as the HostedCluster reports it in version. Without nodes it does
	// not complete. It is absent while the HostedCluster has no version history.
	// +optional
	DataPlane *ControlPlaneTrack `json:"dataPlane,omitempty"`
}

// TrackState is how far an update of one part of the control plane of a hosted cluster is.
// +kubebuilder:validation:MaxLength=64
type TrackState string

const (
	// TrackPending is an update that was asked for and has not started.
	TrackPending TrackState = "Pending"
	// TrackUpdating is an update that has started and is not complete.
	TrackUpdating TrackState = "Updating"
	// TrackCompleted is an update that is complete.
	TrackCompleted TrackState = "Completed"
)

// ControlPlaneTrack is the newest update of one part of the control plane of a hosted cluster: of its components in the management
// cluster, or of its payload in the hosted cluster. The two start and complete by themselves.
type ControlPlaneTrack struct {
	// version is the version of the update. It is absent until that is known.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Version string `json:"version,omitempty"`

	// state is how far the update is. Known values are Pending, Updating and Completed.
	// +required
	// +kubebuilder:validation:MinLength=1
	State TrackState `json:"state,omitempty"`

	// startedAt is when the update started, if that is known.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`

	// completedAt is when the update completed, if that is known.
	// +optional
	CompletedAt *metav1.Time `json:"completedAt,omitempty"`

	// progress is the version and the state, for a column. It is in a summary only.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=129
	Progress string `json:"progress,omitempty"`
}

// UpgradeType is how the nodes of a node pool are updated.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
type UpgradeType string

const (
	// UpgradeReplace is that nodes are replaced by new ones.
	UpgradeReplace UpgradeType = "Replace"
	// UpgradeInPlace is that nodes stay, and are updated.
	UpgradeInPlace UpgradeType = "InPlace"
)

// NodePoolInsight is the progress of a node pool of a hosted cluster.
type NodePoolInsight struct {
	MachineConfigPoolInsight `json:",inline"`

	// versions are the one that the pool had when it last completed an update, and the one that its nodes are updated to.
	// +optional
	Versions SummaryVersions `json:"versions,omitzero"`

	// upgradeType is how the nodes of the pool are updated. Known values are Replace and InPlace.
	// +required
	UpgradeType UpgradeType `json:"upgradeType,omitempty"`
}
