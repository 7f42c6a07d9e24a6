package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// InsightType names the one member of an insight that is set.
// +kubebuilder:validation:MaxLength=64
type InsightType string

// The types of insights that this version knows.
const (
	// InsightClusterVersion is how far the control plane as a whole is. There is one, in the control plane.
	InsightClusterVersion InsightType = "ClusterVersion"
	// InsightClusterOperator is how far a cluster operator of the release payload is. Control plane only.
	InsightClusterOperator InsightType = "ClusterOperator"
	// InsightMachineConfigPool is how far a pool of nodes is.
	InsightMachineConfigPool InsightType = "MachineConfigPool"
	// InsightNode is how far a node is.
	InsightNode InsightType = "Node"
	// InsightHealth is what needs an administrator's attention.
	InsightHealth InsightType = "Health"
)

// Insight is one thing that an informer has to say: how far something is, or what is wrong. Exactly the member that type
// names is set.
type Insight struct {
	// uid identifies the insight within its informer and part of the cluster. It stays the same while the insight is
	// about the same thing, over changes of its content and restarts of the controller.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	UID string `json:"uid"`

	// acquiredAt is when the present content of the insight was first seen. It changes only with the content.
	// +required
	AcquiredAt metav1.Time `json:"acquiredAt"`

	// type names the member that is set.
	// +required
	Type InsightType `json:"type"`

	// clusterVersion is how far the control plane as a whole is.
	// +optional
	ClusterVersion *ClusterVersionInsight `json:"clusterVersion,omitempty"`

	// clusterOperator is how far a cluster operator of the release payload is.
	// +optional
	ClusterOperator *ClusterOperatorInsight `json:"clusterOperator,omitempty"`

	// machineConfigPool is how far a pool of nodes is.
	// +optional
	MachineConfigPool *MachineConfigPoolInsight `json:"machineConfigPool,omitempty"`

	// node is how far a node is.
	// +optional
	Node *NodeInsight `json:"node,omitempty"`

	// health is what needs an administrator's attention.
	// +optional
	Health *HealthInsight `json:"health,omitempty"`
}

// ScopeType is the part of the cluster that something belongs to.
// +kubebuilder:validation:Enum=ControlPlane;WorkerPool
type ScopeType string

const (
	// ScopeControlPlane is the control plane: the cluster operators, and the nodes of the master and arbiter pools.
	ScopeControlPlane ScopeType = "ControlPlane"
	// ScopeWorkerPool is every other pool of nodes.
	ScopeWorkerPool ScopeType = "WorkerPool"
)

// Assessment says in a word or two, for people, how an update goes. It is no enumeration; machines use the conditions.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
type Assessment string

const (
	// AssessmentUnknown is a control plane or a pool of which nothing can be said.
	AssessmentUnknown Assessment = "Unknown"
	// AssessmentPending is a pool in which every node still waits.
	AssessmentPending Assessment = "Pending"
	// AssessmentProgressing is an update within its estimate, or a pool with some nodes done or on the way.
	AssessmentProgressing Assessment = "Progressing"
	// AssessmentProgressingSlow is a control plane whose estimate has passed.
	AssessmentProgressingSlow Assessment = "Progressing - Slow"
	// AssessmentStalled is a control plane whose estimate has passed by more than ten minutes.
	AssessmentStalled Assessment = "Stalled"
	// AssessmentCompleted is a control plane with every operator updated, or a pool with every node updated.
	AssessmentCompleted Assessment = "Completed"
	// AssessmentDegraded is a pool with a degraded node.
	AssessmentDegraded Assessment = "Degraded"
	// AssessmentExcluded is a paused pool with nodes that are not updated.
	AssessmentExcluded Assessment = "Excluded"
)
