package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// GroupName is the API group of the Cluster API.
const GroupName = "cluster.x-k8s.io"

// Machine is the host of a node.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Machine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   MachineSpec   `json:"spec,omitzero"`
	Status MachineStatus `json:"status,omitzero"`
}

// MachineSpec is what a Machine should be.
type MachineSpec struct {
	// Version is the release that it is made from.
	Version *string `json:"version,omitempty"`
}

// MachineStatus is what a Machine is.
type MachineStatus struct {
	// NodeRef names its node, nil until that has joined the cluster.
	NodeRef *NodeRef `json:"nodeRef,omitempty"`
	// Phase is Pending, Provisioning, Provisioned, Running, Deleting, Deleted or Failed.
	Phase string `json:"phase,omitempty"`
	// FailureMessage is why it failed.
	FailureMessage *string            `json:"failureMessage,omitempty"`
	Conditions     []metav1.Condition `json:"conditions,omitempty"`
}

// NodeRef names a node.
type NodeRef struct {
	Name string `json:"name"`
}

// MachineDeployment replaces Machines.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type MachineDeployment struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec MachineGroupSpec `json:"spec,omitzero"`
}

// MachineSet is a number of Machines.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type MachineSet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec MachineGroupSpec `json:"spec,omitzero"`
}

// MachineGroupSpec is how many Machines there should be, and what new ones are made from.
type MachineGroupSpec struct {
	Replicas *int32          `json:"replicas,omitempty"`
	Template MachineTemplate `json:"template,omitzero"`
}

// MachineTemplate is what new Machines are made from.
type MachineTemplate struct {
	Spec MachineSpec `json:"spec,omitzero"`
}
