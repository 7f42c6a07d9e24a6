package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// HostedClusterLabel is the label of a HostedClusterUpdateRecord that has the name of its HostedCluster.
const HostedClusterLabel = GroupName + "/hosted-cluster"

// HostedClusterUpdateRecord is what happened in an update of a hosted cluster, and when. It is in the management cluster, in the
// namespace of its HostedCluster; its name starts with that of the HostedCluster, which the label
// update.openshift.io/hosted-cluster has too. All else is as in an UpdateRecord.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:metadata:annotations="kubernetes.io/description=What happened in an update of a hosted cluster, and when."
// +kubebuilder:resource:path=hostedclusterupdaterecords,scope=Namespaced
// +kubebuilder:printcolumn:name="From",type=string,JSONPath=`.status.versions.previous`,description="The version before the update"
// +kubebuilder:printcolumn:name="To",type=string,JSONPath=`.status.versions.target`,description="The version of the update"
// +kubebuilder:printcolumn:name="Result",type=string,JSONPath=`.status.result`,description="How the update ended"
// +kubebuilder:printcolumn:name="Started",type=date,JSONPath=`.status.startedAt`,description="How long ago the update started"
// +kubebuilder:printcolumn:name="Control Plane",type=string,JSONPath=`.status.took.controlPlane`,description="How long the update of the control plane took"
// +kubebuilder:printcolumn:name="Total",type=string,JSONPath=`.status.took.total`,description="How long the whole update took, node pools included"
type HostedClusterUpdateRecord struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object's metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// status is what happened.
	// +optional
	Status UpdateRecordStatus `json:"status,omitzero"`
}

// HostedClusterUpdateRecordList is a list of HostedClusterUpdateRecords.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type HostedClusterUpdateRecordList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard list's metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items are the HostedClusterUpdateRecords.
	Items []HostedClusterUpdateRecord `json:"items"`
}
