package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// HealthOrigin is who reports a condition.
// +kubebuilder:validation:Enum=Tenant
type HealthOrigin string

// OriginTenant is anybody who may write objects in a namespace.
const OriginTenant HealthOrigin = "Tenant"

// ComponentReport is what a component of the cluster reports, in its own words.
type ComponentReport struct {
	// component is what reports it: etcd, a cluster operator; openshift-storage/ceph, an UpdateInformer; MachineConfigDaemon.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Component string `json:"component,omitempty"`

	// reason is the reason that the component gives.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	Reason string `json:"reason,omitempty"`

	// message is the start of the message of the component.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	Message string `json:"message,omitempty"`
}

// PodReport is a pod that does not run as it should, as its kubelet and the scheduler report it.
type PodReport struct {
	// namespace is the namespace of the pod.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace,omitempty"`

	// name is the name of the pod. It is absent where another pod replaces it every few minutes.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// node is the node of the pod. It is absent if the pod has none, or no name.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Node string `json:"node,omitempty"`

	// state is the reason for which a container waits, as the kubelet gives it (CrashLoopBackOff, ImagePullBackOff, ContainerCreating),
	// or NotReady, NotScheduled or Failed.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	State string `json:"state,omitempty"`

	// since is since when the pod has been in that state. It is absent when that is unknown.
	// +optional
	Since *metav1.Time `json:"since,omitempty"`

	// container is the name of the container that it is about. It is absent if it is about none in particular.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Container string `json:"container,omitempty"`

	// message is what the kubelet or the scheduler reports. It is absent if they report nothing.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	Message string `json:"message,omitempty"`

	// lastTermination is how the container ended last. It is absent if it has not ended.
	// +optional
	LastTermination *ContainerTermination `json:"lastTermination,omitempty"`

	// alike is how many other pods of the same namespaces are in the same state.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Alike int32 `json:"alike,omitempty"`
}

// ContainerTermination is how a container ended.
type ContainerTermination struct {
	// reason is the reason that the kubelet reports: Error, OOMKilled. It is absent if there is none.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Reason string `json:"reason,omitempty"`

	// exitCode is the exit status of the container.
	// +required
	ExitCode int32 `json:"exitCode"`

	// message is what the container left as its message, or the end of its log, in one line. It is absent if there is none.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	Message string `json:"message,omitempty"`
}
