package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// InsightType names the one member of an insight that is set.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
type InsightType string

// The types of insights that this version knows.
const (
	// InsightClusterVersion is the progress of the control plane as a whole. There is one, in the control plane.
	InsightClusterVersion InsightType = "ClusterVersion"
	// InsightClusterOperator is the progress of a cluster operator of the release payload. Control plane only.
	InsightClusterOperator InsightType = "ClusterOperator"
	// InsightMachineConfigPool is the progress of a pool of nodes.
	InsightMachineConfigPool InsightType = "MachineConfigPool"
	// InsightNode is the progress of a node.
	InsightNode InsightType = "Node"
	// InsightHostedCluster is the progress of the control plane of a hosted cluster as a whole. There is one, in the control plane.
	InsightHostedCluster InsightType = "HostedCluster"
	// InsightControlPlaneComponent is the progress of a component of the control plane of a hosted cluster that runs in the
	// management cluster. Control plane only.
	InsightControlPlaneComponent InsightType = "ControlPlaneComponent"
	// InsightNodePool is the progress of a pool of nodes of a hosted cluster.
	InsightNodePool InsightType = "NodePool"
	// InsightHealth is a condition that needs an administrator's attention.
	InsightHealth InsightType = "Health"
)

// Insight is one statement of an informer: the progress of an object, or a condition that needs attention. Exactly the
// member that type names is set.
type Insight struct {
	// uid identifies the insight within its informer and part of the cluster. It stays the same while the insight is
	// about the same thing, across changes of its content and restarts of the controller.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	UID string `json:"uid,omitempty"`

	// acquiredAt is when the current content of the insight was first observed. It changes only with the content.
	// +required
	AcquiredAt metav1.Time `json:"acquiredAt,omitzero"`

	// type names the member that is set.
	// +required
	Type InsightType `json:"type,omitempty"`

	// clusterVersion is the progress of the control plane as a whole.
	// +optional
	ClusterVersion *ClusterVersionInsight `json:"clusterVersion,omitempty"`

	// clusterOperator is the progress of a cluster operator of the release payload.
	// +optional
	ClusterOperator *ClusterOperatorInsight `json:"clusterOperator,omitempty"`

	// machineConfigPool is the progress of a pool of nodes.
	// +optional
	MachineConfigPool *MachineConfigPoolInsight `json:"machineConfigPool,omitempty"`

	// hostedCluster is the progress of the control plane of a hosted cluster as a whole.
	// +optional
	HostedCluster *HostedClusterInsight `json:"hostedCluster,omitempty"`

	// controlPlaneComponent is the progress of a component of the control plane of a hosted cluster.
	// +optional
	ControlPlaneComponent *ClusterOperatorInsight `json:"controlPlaneComponent,omitempty"`

	// nodePool is the progress of a pool of nodes of a hosted cluster.
	// +optional
	NodePool *NodePoolInsight `json:"nodePool,omitempty"`

	// node is the progress of a node.
	// +optional
	Node *NodeInsight `json:"node,omitempty"`

	// health is a condition that needs an administrator's attention.
	// +optional
	Health *HealthInsight `json:"health,omitempty"`
}

// ScopeType is the part of the cluster that something belongs to.
// +kubebuilder:validation:Enum=ControlPlane;WorkerPool;Cluster
type ScopeType string

const (
	// ScopeControlPlane is the control plane: the cluster operators, and the nodes of the master and arbiter pools.
	ScopeControlPlane ScopeType = "ControlPlane"
	// ScopeWorkerPool is every other pool of nodes.
	ScopeWorkerPool ScopeType = "WorkerPool"
	// ScopeCluster is the cluster as a whole, or a part of it that is not known: what an alert is about, or what another one reports.
	ScopeCluster ScopeType = "Cluster"
)

// Assessment is the progress of an update in a word. The conditions say more.
// +kubebuilder:validation:Enum=Unknown;Pending;Progressing;ProgressingSlow;Stalled;Completed;Degraded;Excluded
type Assessment string

const (
	// AssessmentUnknown is a control plane or a pool whose state is unknown.
	AssessmentUnknown Assessment = "Unknown"
	// AssessmentPending is a pool in which no node has started to update.
	AssessmentPending Assessment = "Pending"
	// AssessmentProgressing is an update within its estimate, or a pool with some nodes updated or updating.
	AssessmentProgressing Assessment = "Progressing"
	// AssessmentProgressingSlow is a control plane whose estimate has passed.
	AssessmentProgressingSlow Assessment = "ProgressingSlow"
	// AssessmentStalled is a control plane whose estimate has passed by more than ten minutes.
	AssessmentStalled Assessment = "Stalled"
	// AssessmentCompleted is a control plane with every operator updated, or a pool with every node updated.
	AssessmentCompleted Assessment = "Completed"
	// AssessmentDegraded is a pool with a degraded node.
	AssessmentDegraded Assessment = "Degraded"
	// AssessmentExcluded is a paused pool with nodes that are not updated.
	AssessmentExcluded Assessment = "Excluded"
)
