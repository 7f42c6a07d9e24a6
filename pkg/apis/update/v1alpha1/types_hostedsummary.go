package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// HostedClusterUpdateStatusSummary is the update of a whole hosted cluster in one small object. It is in the management cluster, with
// the namespace and the name of its HostedCluster. All else is as in an UpdateStatusSummary; HostedClusterUpdateStatus has the
// details.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:metadata:annotations="kubernetes.io/description=The update of a whole hosted cluster in one small object."
// +kubebuilder:resource:path=hostedclusterupdatestatussummaries,scope=Namespaced
// +kubebuilder:printcolumn:name="Updating",type=string,JSONPath=`.status.conditions[?(@.type=="Updating")].status`,description="Whether the control plane or a node pool is being updated"
// +kubebuilder:printcolumn:name="From",type=string,JSONPath=`.status.versions.previous`,priority=1,description="The version before the newest update"
// +kubebuilder:printcolumn:name="To",type=string,JSONPath=`.status.versions.target`,description="The version of the newest update"
// +kubebuilder:printcolumn:name="Control Plane",type=string,JSONPath=`.status.controlPlane.assessment`,priority=1,description="The progress of the control plane"
// +kubebuilder:printcolumn:name="Management",type=string,JSONPath=`.status.controlPlane.management.progress`,description="The components in the management cluster: their version, and how far its update is"
// +kubebuilder:printcolumn:name="Data Plane",type=string,JSONPath=`.status.controlPlane.dataPlane.progress`,description="The payload in the hosted cluster: its version, and how far its update is"
// +kubebuilder:printcolumn:name="Nodes",type=string,JSONPath=`.status.nodes.progress`,description="Updated nodes of all nodes"
// +kubebuilder:printcolumn:name="Attention",type=string,JSONPath=`.status.attention[0].level`,description="The worst level of what needs attention"
// +kubebuilder:printcolumn:name="Estimate",type=string,JSONPath=`.status.estimate.latest`,description="When the whole update is expected to be complete at the latest"
// +kubebuilder:printcolumn:name="Pool",type=string,JSONPath=`.status.workerPools[0].name`,priority=1,description="The first node pool, one that is not complete if there is one"
// +kubebuilder:printcolumn:name="Waiting For",type=string,JSONPath=`.status.waitingFor`,priority=1,description="What the update waits for"
type HostedClusterUpdateStatusSummary struct {
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

// HostedClusterUpdateStatusSummaryList is a list of HostedClusterUpdateStatusSummaries.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type HostedClusterUpdateStatusSummaryList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard list's metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items are the HostedClusterUpdateStatusSummaries.
	Items []HostedClusterUpdateStatusSummary `json:"items"`
}
