package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ClusterVersionInsight is the progress of the control plane as a whole.
type ClusterVersionInsight struct {
	// conditions of the update. Known type: Updating, with the reasons ClusterVersionProgressing and HostedClusterProgressing (True),
	// ClusterVersionNotProgressing, HostedClusterNotProgressing, Requested and NotAccepted (False) and CannotDetermineUpdating (Unknown).
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// resource is the ClusterVersion, or the HostedCluster.
	// +required
	Resource ResourceRef `json:"resource,omitzero"`

	// assessment describes the progress of the control plane for people. Values are Unknown, Progressing,
	// ProgressingSlow, Stalled and Completed.
	// +required
	Assessment Assessment `json:"assessment,omitempty"`

	// versions that the control plane is updated from and to. They are absent while neither is known.
	// +optional
	Versions ControlPlaneVersions `json:"versions,omitzero"`

	// requested is the update that an administrator has asked for and that has not begun. It is absent when there is none.
	// +optional
	Requested *RequestedUpdate `json:"requested,omitempty"`

	// completion is the share of the cluster operators of the payload, and of the components of a hosted control plane, that are
	// updated, in percent. It is 100 only if all are.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Completion int32 `json:"completion"`

	// startedAt is when the newest update started. It is absent while there has been none.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`

	// completedAt is when the newest update completed. It is absent until then.
	// +optional
	CompletedAt *metav1.Time `json:"completedAt,omitempty"`

	// estimatedCompletedAt is when the update is expected to complete. It may be in the past, and is absent when the update
	// is complete or there is no estimate.
	// +optional
	EstimatedCompletedAt *metav1.Time `json:"estimatedCompletedAt,omitempty"`

	// reported is what the Cluster Version Operator reports about an update whose cluster operators are all updated. It is absent before,
	// when its message changes with each manifest, and when the update is complete.
	// +optional
	Reported *ComponentReport `json:"reported,omitempty"`

	// manifests is how many manifests of the release the Cluster Version Operator has applied. It is absent when no update is in progress,
	// and until it says so.
	// +optional
	Manifests *ManifestProgress `json:"manifests,omitempty"`

	// waitingOn are the cluster operators that the Cluster Version Operator says it waits for, in its order. It is absent when there is
	// none.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	WaitingOn []WaitedOperator `json:"waitingOn,omitempty"`

	// progressedAt is when the update of the control plane was last observed to progress: a manifest was applied for the first time, an
	// operator reached the release, or a condition of an operator changed. It is absent when no update is in progress, and when that is
	// unknown.
	// +optional
	ProgressedAt *metav1.Time `json:"progressedAt,omitempty"`
}

// ManifestProgress is how many manifests of a release are applied.
type ManifestProgress struct {
	// applied is the highest number of manifests that an attempt has applied. Each attempt counts from 0 again, and none reaches the total:
	// some manifests are left out.
	// +required
	// +kubebuilder:validation:Minimum=0
	Applied int32 `json:"applied"`

	// total is the number of manifests of the release.
	// +required
	// +kubebuilder:validation:Minimum=1
	Total int32 `json:"total"`
}

// WaitedOperator is a cluster operator that an update waits for.
type WaitedOperator struct {
	// name is the name of the ClusterOperator.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// since is when it was first observed that the update waits for it. It is absent when that is unknown.
	// +optional
	Since *metav1.Time `json:"since,omitempty"`
}

// WaitingOnMaxItems bounds the operators that an update waits for.
const WaitingOnMaxItems = 64

// ControlPlaneVersions are the versions that the control plane is updated from and to.
//
// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:XValidation:rule="!has(self.previous) || !has(self.target) || !has(self.target.metadata) || !self.target.metadata.exists(m, m.key == 'Installation')",message="an installation has no previous version"
type ControlPlaneVersions struct {
	// previous is the version before, absent during an installation.
	// +optional
	Previous *Version `json:"previous,omitempty"`

	// target is the version of the newest update, once that is known.
	// +optional
	Target *Version `json:"target,omitempty"`
}

// RequestedImageMaxLength bounds the image of a requested update, in characters.
const RequestedImageMaxLength = 512

// RequestedUpdate is an update that was asked for: the Cluster Version Operator retrieves and verifies its release, and checks its
// preconditions, before the update begins. Of a request for all architectures at the same version, only the version is known.
//
// +kubebuilder:validation:AtLeastOneOf=version;image
type RequestedUpdate struct {
	// version is the version that was asked for. It is absent when only an image was.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Version string `json:"version,omitempty"`

	// image is the release image that was asked for. It is absent when only a version was.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Image string `json:"image,omitempty"`

	// since is when the request was first observed. It is absent when that is unknown.
	// +optional
	Since *metav1.Time `json:"since,omitempty"`
}

// VersionPattern is the pattern of a version: a semantic version (semver.org), anchored at both ends.
const VersionPattern = `^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$`

// VersionMaxLength bounds a version, in characters.
const VersionMaxLength = 64

// Version is a version with its metadata.
type Version struct {
	// version is a semantic version.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$`
	Version string `json:"version,omitempty"`

	// metadata of the version: Installation (of the target: the cluster is being installed), Partial (of the previous version: its update
	// never completed), Architecture (of the target: the architecture that the cluster is migrated to, in string).
	// +optional
	// +listType=map
	// +listMapKey=key
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=5
	Metadata []VersionMetadata `json:"metadata,omitempty"`
}

// VersionMetadataKey is the meaning of an item of version metadata.
// +kubebuilder:validation:Enum=Installation;Partial;Architecture
type VersionMetadataKey string

const (
	// VersionInstallation marks the target version of an installation.
	VersionInstallation VersionMetadataKey = "Installation"
	// VersionPartial marks a previous version whose update never completed.
	VersionPartial VersionMetadataKey = "Partial"
	// VersionArchitecture has the architecture that the cluster is migrated to, a string.
	VersionArchitecture VersionMetadataKey = "Architecture"
)

// VersionMetadata is an item of version metadata.
//
// +kubebuilder:validation:XValidation:rule="has(self.string) == (self.key == 'Architecture')",message="Architecture has a string, and no other key has one"
type VersionMetadata struct {
	// key is the meaning of the item. Installation and Partial have no value.
	// +required
	Key VersionMetadataKey `json:"key,omitempty"`

	// string is the value of Architecture.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=32
	String string `json:"string,omitempty"`
}

// ClusterOperatorInsight is the progress of a cluster operator of the release payload, or of a component of a hosted control plane.
type ClusterOperatorInsight struct {
	// conditions of the operator. Known types are Updating, with the reasons Progressing (True), Updated and Pending (False)
	// and CannotDetermine (Unknown), and Healthy, with AsExpected (True), Unavailable and Degraded (False) and CannotDetermine
	// (Unknown). While the operator is updating, Updating has the message and the transition time of its own condition:
	// Progressing, or RolloutComplete of a component.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// name is the name of the ClusterOperator, or of the ControlPlaneComponent.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// resource is the ClusterOperator, or the ControlPlaneComponent.
	// +required
	Resource ResourceRef `json:"resource,omitzero"`

	// reported is what the operator reports besides its conditions, while it is updating: what the last attempt of machine-config waited for.
	// It is absent for others.
	// +optional
	Reported *ComponentReport `json:"reported,omitempty"`

	// reason is the reason of that condition, while the operator is updating and it has one. It is free
	// text, which the reason of a condition of this API cannot hold.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Reason string `json:"reason,omitempty"`
}
