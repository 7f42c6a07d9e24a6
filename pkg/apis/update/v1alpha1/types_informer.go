package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Limits of an UpdateInformer, in items, characters and bytes.
const (
	// InformerMaxInsights bounds the insights of an UpdateInformer.
	InformerMaxInsights = 16
	// InformerMaxResources bounds the resources of one of its insights.
	InformerMaxResources = 4
	// InformerMaxBytes bounds the size of its status as JSON. The controller does not report one that is larger: a schema can't bound
	// bytes.
	InformerMaxBytes = 16 << 10
	// MaxInformerSettings bounds the settings of UpdateInformers.
	MaxInformerSettings = 64
)

// UpdateInformer is how others contribute to the UpdateStatus: storage that is rebuilding, virtual machines that still migrate, a
// device that is out of order. Its owner creates it once and renews its status; while the cluster is being updated
// the Update Status Controller reports its insights as health insights of the UpdateStatus. docs/updatestatus/informers.md shows how to write one.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:metadata:annotations="kubernetes.io/description=What others contribute to the status of an update."
// +kubebuilder:resource:path=updateinformers,scope=Namespaced
// +kubebuilder:printcolumn:name="First insight",type=string,JSONPath=`.status.insights[0].name`,description="The first of its insights, which is the worst"
// +kubebuilder:printcolumn:name="Level",type=string,JSONPath=`.status.insights[0].level`,description="The level of the first of its insights"
// +kubebuilder:printcolumn:name="Summary",type=string,JSONPath=`.status.insights[0].summary`,priority=1,description="The summary of the first of its insights"
// +kubebuilder:printcolumn:name="Renewed",type=date,JSONPath=`.status.renewedAt`,description="How long ago its owner last renewed it"
type UpdateInformer struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object's metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is empty: whether an informer is trusted is a setting of the UpdateStatus (spec.informers).
	// +optional
	Spec UpdateInformerSpec `json:"spec,omitzero"`

	// status is what the owner of the informer reports.
	// +optional
	Status UpdateInformerStatus `json:"status,omitzero"`
}

// UpdateInformerList is a list of UpdateInformers.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type UpdateInformerList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard list's metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items are the UpdateInformers.
	Items []UpdateInformer `json:"items"`
}

// UpdateInformerSpec is empty, and reserved.
// +kubebuilder:validation:MinProperties=0
type UpdateInformerSpec struct{}

// The patterns of the times below are what Go can parse. The format date-time allows others, such as a lower-case t, and one object that
// can't be decoded makes the watch fail for all authors.

// UpdateInformerStatus is what the owner of an UpdateInformer reports.
// +kubebuilder:validation:MinProperties=1
type UpdateInformerStatus struct {
	// renewedAt is when the owner last confirmed the insights: at least once a minute while the cluster is being updated, every ten
	// minutes otherwise. While the cluster is being updated, insights that were not renewed for three minutes are reported as outdated,
	// and for fifteen minutes not at all. A time in the future counts as none.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:Format=date-time
	// +kubebuilder:validation:Pattern=`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`
	RenewedAt *metav1.Time `json:"renewedAt,omitempty"`

	// insights are what needs an administrator's attention during an update, the worst first; empty if there is nothing.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=0
	// +kubebuilder:validation:MaxItems=16
	Insights []InformerInsight `json:"insights,omitempty"`
}

// InformerInsight is a condition that needs an administrator's attention during an update. It is reported as a HealthInsight.
type InformerInsight struct {
	// name identifies the insight within its informer: a DNS label. It stays the same while the insight is about the same thing.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name,omitempty"`

	// reason is the kind of condition in CamelCase, such as StorageRebuilding. It is the same for all insights of one kind, and in all
	// versions.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
	Reason string `json:"reason,omitempty"`

	// level is the severity of the condition. Error and Critical count as Warning unless the administrator trusts the informer
	// (spec.informers of the UpdateStatus).
	// +required
	Level InformerLevel `json:"level,omitempty"`

	// impact is the effect of the condition on the cluster or its update: None, Unknown, APIAvailability, ClusterCapacity,
	// ApplicationAvailability, ApplicationOutage, DataLoss, UpdateSpeed or UpdateStalled.
	// +required
	Impact ImpactType `json:"impact,omitempty"`

	// summary describes the condition in one line of at most 256 characters, without the name of the informer, which is put before it.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:Pattern=`^[^\n\r]*$`
	Summary string `json:"summary,omitempty"`

	// description describes the condition in full, in at most 1024 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	Description string `json:"description,omitempty"`

	// resources are the resources involved, the most important one first. One of a node is shown with the pool of the node. A trusted
	// informer's insight counts as the cause of what the controller reports about these resources: name a node if the condition keeps it
	// from being updated, and a PodDisruptionBudget if the condition is why it blocks a drain.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=4
	Resources []ResourceRef `json:"resources,omitempty"`

	// reference is the URL of a page about the condition. It is used only of a trusted informer, and neither with user information nor
	// with an address of the reader's own machine.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^https?://[^\s/]+\S*$`
	Reference string `json:"reference,omitempty"`

	// startedAt is when the condition started. If it is absent, that is when the controller first observed it.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:Format=date-time
	// +kubebuilder:validation:Pattern=`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`
	StartedAt *metav1.Time `json:"startedAt,omitempty"`
}

// InformerLevel is the severity of a condition, as in HealthLevel.
// +kubebuilder:validation:Enum=Info;Warning;Error;Critical
type InformerLevel string

// The levels of an insight of an UpdateInformer, explained at those of HealthLevel.
const (
	InformerInfo     InformerLevel = "Info"
	InformerWarning  InformerLevel = "Warning"
	InformerError    InformerLevel = "Error"
	InformerCritical InformerLevel = "Critical"
)

// InformerSetting is what an administrator sets about an UpdateInformer.
type InformerSetting struct {
	// namespace is the namespace of the UpdateInformer.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace,omitempty"`

	// name is the name of the UpdateInformer.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// state is whether the informer is trusted or disabled.
	// +required
	State InformerState `json:"state,omitempty"`
}

// InformerState is whether an UpdateInformer is trusted or disabled.
// +kubebuilder:validation:Enum=Trusted;Disabled
type InformerState string

const (
	// InformerTrusted is an informer whose levels, references and resources count: its insights may be Errors, and the causes of others.
	// It is reported before those that are not trusted.
	InformerTrusted InformerState = "Trusted"
	// InformerDisabled is an informer that is not reported.
	InformerDisabled InformerState = "Disabled"
)
