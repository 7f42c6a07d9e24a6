package v1beta1

import (
	"encoding/json"

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
	// Deletion is nil until its node is drained, and before Cluster API 1.9 (kubernetes-sigs/cluster-api, api/v1beta1/machine_types.go).
	Deletion *MachineDeletionStatus `json:"deletion,omitempty"`
	// V1Beta2 is nil before Cluster API 1.9.
	V1Beta2 *MachineV1Beta2Status `json:"v1beta2,omitempty"`
}

// UnmarshalJSON implements json.Unmarshaler. In v1beta2 of the API the conditions of v1beta1 and the failure are elsewhere
// (kubernetes-sigs/cluster-api, api/core/v1beta2/machine_types.go, MachineDeprecatedStatus), and its own conditions in their place.
func (s *MachineStatus) UnmarshalJSON(text []byte) error {
	type plain MachineStatus
	read := struct {
		*plain
		Deprecated struct {
			V1Beta1 *struct {
				Conditions     []metav1.Condition `json:"conditions"`
				FailureMessage *string            `json:"failureMessage"`
			} `json:"v1beta1"`
		} `json:"deprecated"`
	}{plain: (*plain)(s)}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	if older := read.Deprecated.V1Beta1; older != nil {
		s.V1Beta2 = &MachineV1Beta2Status{Conditions: s.Conditions}
		s.Conditions, s.FailureMessage = older.Conditions, older.FailureMessage
	}
	return nil
}

// MachineDeletionStatus is how far the deletion of a Machine is.
type MachineDeletionStatus struct {
	// NodeDrainStartTime is when the drain of its node started, nil if it has not.
	NodeDrainStartTime *metav1.Time `json:"nodeDrainStartTime,omitempty"`
	// WaitForNodeVolumeDetachStartTime is since when it waits for volumes to be detached from its node, nil if it has not.
	WaitForNodeVolumeDetachStartTime *metav1.Time `json:"waitForNodeVolumeDetachStartTime,omitempty"`
}

// MachineV1Beta2Status has the conditions that a Machine has in v1beta2 of the API, such as Deleting.
type MachineV1Beta2Status struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
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
