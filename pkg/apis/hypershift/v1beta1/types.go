package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	configv1 "github.com/openshift/api/config/v1"
)

// GroupName is the API group of HyperShift.
const GroupName = "hypershift.openshift.io"

// HostedCluster is a cluster whose control plane runs in the management cluster.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type HostedCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   HostedClusterSpec   `json:"spec,omitzero"`
	Status HostedClusterStatus `json:"status,omitzero"`
}

// HostedClusterSpec is what a hosted cluster should be.
type HostedClusterSpec struct {
	// Release is the release of the payload in the hosted cluster, and of its control plane if that has none of its own.
	Release Release `json:"release,omitzero"`
	// ControlPlaneRelease is the release of the components in the management cluster, nil for the same.
	ControlPlaneRelease *Release `json:"controlPlaneRelease,omitempty"`
	// PausedUntil is a boolean, or a time until which HyperShift is paused.
	PausedUntil *string `json:"pausedUntil,omitempty"`
}

// Release is a release of OpenShift.
type Release struct {
	// Image is its image, by tag or by digest.
	Image string `json:"image"`
}

// HostedClusterStatus is what a hosted cluster is.
type HostedClusterStatus struct {
	// Version is a copy of the status of the ClusterVersion in the hosted cluster, nil until that is known.
	Version *VersionStatus `json:"version,omitempty"`
	// ControlPlaneVersion is that of the components in the management cluster, nil in releases that do not report it.
	ControlPlaneVersion *VersionStatus     `json:"controlPlaneVersion,omitempty"`
	Conditions          []metav1.Condition `json:"conditions,omitempty"`
}

// VersionStatus is a version and those before it.
type VersionStatus struct {
	Desired DesiredRelease `json:"desired,omitzero"`
	// History has the newest update first. An update that the next one superseded is Partial and has a completion time.
	History []configv1.UpdateHistory `json:"history,omitempty"`
}

// DesiredRelease is the release that is updated to.
type DesiredRelease struct {
	Version string `json:"version"`
	Image   string `json:"image"`
}

// ControlPlaneComponent is a component of the control plane of a hosted cluster, in the management cluster.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ControlPlaneComponent struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Status ControlPlaneComponentStatus `json:"status,omitzero"`
}

// ControlPlaneComponentStatus is what a component is.
type ControlPlaneComponentStatus struct {
	// Version is the version that was last rolled out in full.
	Version    string             `json:"version,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// NodePool is a pool of nodes of a hosted cluster.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type NodePool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   NodePoolSpec   `json:"spec,omitzero"`
	Status NodePoolStatus `json:"status,omitzero"`
}

// NodePoolSpec is what a pool should be.
type NodePoolSpec struct {
	// ClusterName is the name of its HostedCluster.
	ClusterName string  `json:"clusterName"`
	Release     Release `json:"release,omitzero"`
	// Replicas is how many nodes it should have, nil if that is scaled automatically.
	Replicas *int32 `json:"replicas,omitempty"`
	// PausedUntil is a boolean, or a time until which HyperShift starts no update of the pool.
	PausedUntil *string            `json:"pausedUntil,omitempty"`
	Management  NodePoolManagement `json:"management,omitzero"`
}

// NodePoolManagement is how the nodes of a pool are updated.
type NodePoolManagement struct {
	// UpgradeType is Replace or InPlace.
	UpgradeType string          `json:"upgradeType"`
	Replace     *ReplaceUpgrade `json:"replace,omitempty"`
	InPlace     *InPlaceUpgrade `json:"inPlace,omitempty"`
}

// ReplaceUpgrade is how nodes are replaced.
type ReplaceUpgrade struct {
	// Strategy is RollingUpdate or OnDelete.
	Strategy      string         `json:"strategy,omitempty"`
	RollingUpdate *RollingUpdate `json:"rollingUpdate,omitempty"`
}

// RollingUpdate is how many nodes are replaced at a time.
type RollingUpdate struct {
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
	MaxSurge       *intstr.IntOrString `json:"maxSurge,omitempty"`
}

// InPlaceUpgrade is how many nodes are updated at a time.
type InPlaceUpgrade struct {
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
}

// NodePoolStatus is what a pool is.
type NodePoolStatus struct {
	// Version is that of the last update that was completed.
	Version    string             `json:"version,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
