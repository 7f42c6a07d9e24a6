package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// SingletonName is the name of the one UpdateStatus of a cluster.
const SingletonName = "cluster"

// UpdateStatus is the progress of the update of the cluster, its estimated completion, and what needs an administrator's
// attention. There is one, named cluster; the Update Status Controller creates it and maintains its status.
//
// +genclient
// +genclient:nonNamespaced
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:metadata:annotations="kubernetes.io/description=The progress of the cluster's update in detail."
// +kubebuilder:resource:path=updatestatuses,scope=Cluster
// +kubebuilder:validation:XValidation:rule="self.metadata.name == 'cluster'",message="there is one UpdateStatus in a cluster, and its name is cluster"
// +kubebuilder:printcolumn:name="Updating",type=string,JSONPath=`.status.controlPlane.conditions[?(@.type=="Updating")].status`,description="Whether the control plane is being updated"
// +kubebuilder:printcolumn:name="From",type=string,JSONPath=`.status.controlPlane.informers[*].insights[?(@.type=="ClusterVersion")].clusterVersion.versions.previous.version`,description="The version before the newest update"
// +kubebuilder:printcolumn:name="To",type=string,JSONPath=`.status.controlPlane.informers[*].insights[?(@.type=="ClusterVersion")].clusterVersion.versions.target.version`,description="The version of the newest update"
// +kubebuilder:printcolumn:name="Completion",type=integer,JSONPath=`.status.controlPlane.informers[*].insights[?(@.type=="ClusterVersion")].clusterVersion.completion`,description="Updated cluster operators, in percent"
// +kubebuilder:printcolumn:name="Since",type=date,JSONPath=`.status.controlPlane.informers[*].insights[?(@.type=="ClusterVersion")].clusterVersion.startedAt`,description="How long ago the newest update of the control plane started"
// +kubebuilder:printcolumn:name="Control Plane Expected",type=string,JSONPath=`.status.controlPlane.informers[*].insights[?(@.type=="ClusterVersion")].clusterVersion.estimatedCompletedAt`,description="When the update of the control plane is expected to complete"
// +kubebuilder:printcolumn:name="Assessment",type=string,JSONPath=`.status.controlPlane.informers[*].insights[?(@.type=="ClusterVersion")].clusterVersion.assessment`,priority=1,description="The progress of the update of the control plane"
// +kubebuilder:printcolumn:name="Completed",type=string,JSONPath=`.status.controlPlane.informers[*].insights[?(@.type=="ClusterVersion")].clusterVersion.completedAt`,priority=1,description="When the newest update of the control plane completed"
// +kubebuilder:printcolumn:name="Workers",type=string,JSONPath=`.status.workerPools[*].conditions[?(@.status=="True")].type`,priority=1,description="Updating while a worker pool is being updated"
// +kubebuilder:printcolumn:name="Available",type=string,JSONPath=`.status.conditions[?(@.type=="Available")].status`,priority=1,description="Whether every informer has reported since the controller started"
type UpdateStatus struct {
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
	Status UpdateStatusStatus `json:"status,omitzero"`
}

// UpdateStatusList is a list of UpdateStatuses. It never has more than one.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type UpdateStatusList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard list's metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items are the UpdateStatuses.
	Items []UpdateStatus `json:"items"`
}

// UpdateStatusSpec are the settings of the controller. An administrator changes them; the controller never does.
// +kubebuilder:validation:MinProperties=0
type UpdateStatusSpec struct {
	// informers are the UpdateInformers that are trusted or disabled. All others are reported as well, after the trusted ones, and at most
	// as a Warning.
	// +optional
	// +listType=map
	// +listMapKey=namespace
	// +listMapKey=name
	// +default=[]
	// +kubebuilder:validation:MinItems=0
	// +kubebuilder:validation:MaxItems=64
	Informers []InformerSetting `json:"informers,omitempty"`
}

// UpdateStatusStatus is the observed state of the update.
// +kubebuilder:validation:MinProperties=1
type UpdateStatusStatus struct {
	// conditions describe the controller itself, never the update. Known types are Available (every informer has reported
	// since the controller started), AlertsComplete (False: the alerts of the cluster could not all be read; they are read during an update
	// only), InformersReporting (False: an UpdateInformer is not renewed, or not reported) and InsightsComplete (False: insights were omitted
	// to limit the size of the object, or because the API server rejects them).
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

	// controlPlane is the update of the control plane: the cluster operators and the nodes of the master and arbiter pools.
	// +optional
	ControlPlane *ControlPlane `json:"controlPlane,omitempty"`

	// workerPools are the updates of the nodes of each worker pool: worker first, the others by name.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=1024
	WorkerPools []WorkerPool `json:"workerPools,omitempty"`
}

// ControlPlane is the update of the control plane.
type ControlPlane struct {
	// conditions summarize the control plane. Known types are Updating, with the reasons of the insight about it, and
	// InsightsComplete.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// resource is the resource that represents the control plane: the ClusterVersion, or the HostedCluster.
	// +required
	Resource ResourceRef `json:"resource,omitzero"`

	// informers are the reports of each informer about the control plane.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	Informers []Informer `json:"informers,omitempty"`
}

// WorkerPool is the update of the nodes of a pool outside the control plane, or of a node pool of a hosted cluster.
type WorkerPool struct {
	// conditions summarize the pool. Known types are Updating, with the reasons of the insight about it, and InsightsComplete.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// name is the name of the pool.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// resource is the MachineConfigPool, or the NodePool.
	// +required
	Resource ResourceRef `json:"resource,omitzero"`

	// informers are the reports of each informer about the pool.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	Informers []Informer `json:"informers,omitempty"`
}

// Informer is the report of one source about a part of the cluster.
type Informer struct {
	// name is the name of the source: control-plane-informer, node-informer, alert-informer, drain-informer, or update-informers for all
	// UpdateInformers. The controller removes others: an UpdateInformer is the way to contribute.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name,omitempty"`

	// insights are all insights of the informer. The list is written as a whole; no two of its insights have the same uid.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=4096
	Insights []Insight `json:"insights,omitempty"`
}

// Limits of the members of a ResourceRef, in characters.
const (
	// NameMaxLength bounds the name, and the group.
	NameMaxLength = 253
	// ResourceMaxLength bounds the resource's type.
	ResourceMaxLength = 63
	// NamespaceMaxLength bounds the namespace.
	NamespaceMaxLength = 63
)

// ResourceRef names a resource of the cluster.
type ResourceRef struct {
	// group is its API group, absent for the core group.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Group string `json:"group,omitempty"`

	// resource is its type: clusteroperators, nodes.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Resource string `json:"resource,omitempty"`

	// name is its name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// namespace is its namespace, if it has one.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace,omitempty"`

	// cluster is where it is, in the status of a hosted cluster.
	// +optional
	Cluster ResourceCluster `json:"cluster,omitempty"`
}

// ResourceCluster is which of two clusters has a resource.
// +kubebuilder:validation:Enum=Management;Hosted
type ResourceCluster string

const (
	// ClusterManagement is the cluster in which the control plane of the hosted cluster runs.
	ClusterManagement ResourceCluster = "Management"
	// ClusterHosted is the hosted cluster.
	ClusterHosted ResourceCluster = "Hosted"
)
