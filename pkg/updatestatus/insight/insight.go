package insight

import (
	"context"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Source is the name of a source: of an informer in the UpdateStatus.
type Source string

const (
	// ControlPlaneInformer watches the ClusterVersion and the ClusterOperators.
	ControlPlaneInformer Source = "control-plane-informer"
	// NodeInformer watches MachineConfigPools, Nodes and MachineConfigs.
	NodeInformer Source = "node-informer"
	// AlertInformer reads the alerts that fire while the cluster is updated.
	AlertInformer Source = "alert-informer"
	// DrainInformer looks ahead at the drains of nodes that wait for their update.
	DrainInformer Source = "drain-informer"
	// UpdateInformers reports what others contribute by UpdateInformers.
	UpdateInformers Source = "update-informers"
)

// Sources returns all sources, in the order in which they appear in the UpdateStatus.
func Sources() []Source {
	return append(Watching(), AlertInformer, DrainInformer, UpdateInformers)
}

// Watching returns the sources that watch the objects which are updated. Without one of them the state of the update is not
// known.
func Watching() []Source {
	return []Source{ControlPlaneInformer, NodeInformer}
}

// DefaultWorkerPool is the worker pool that every cluster has.
const DefaultWorkerPool = "worker"

// Part is a part of the cluster: the control plane, or a pool of worker nodes.
type Part struct {
	// WorkerPool is the name of the pool, empty for the control plane.
	WorkerPool string
}

// ControlPlane is the part of the cluster that the cluster operators and the master and arbiter pools belong to.
var ControlPlane = Part{}

// ScopeType returns the API's name for the kind of part.
func (p Part) ScopeType() updatev1alpha1.ScopeType {
	if p == ControlPlane {
		return updatev1alpha1.ScopeControlPlane
	}
	return updatev1alpha1.ScopeWorkerPool
}

// ScopedInsight is an insight and the part of the cluster that it belongs to. Of its times, acquiredAt is left to the primary
// controller, as is every condition's lastTransitionTime that the source does not know.
type ScopedInsight struct {
	Part    Part
	Insight updatev1alpha1.Insight
	// Unfinished is, for a MachineConfigPool, whether its update is in progress. A node that has just joined, and has no version
	// yet, is no update of a complete pool.
	Unfinished bool
	// Leaving is, for a Node, whether it is being deleted or is to be, and NotReady whether its kubelet is not ready. NotBegun is whether it
	// is to be updated, and nothing of it is: what updates it does not act.
	Leaving, NotReady, NotBegun bool
	// Stalled is, for a NodePool, whether it is to be updated, and nothing of it is being updated.
	Stalled bool
	// Pod is, for a ClusterOperator, the pod that says why it does not get on, nil if none does, and PodsUnread is the namespace of its pods if they
	// are not known.
	Pod        *updatev1alpha1.PodReport
	PodsUnread string
	// Labels are, for an alert, the objects that its labels name, and for what a trusted UpdateInformer reports, those that it names. They
	// prove what causes what (pkg/updatestatus/causes).
	Labels []updatev1alpha1.ResourceRef
}

// Subject is the object of the cluster that a report is about.
type Subject struct {
	// Kind is the object's kind, as in the Kubernetes API.
	Kind string
	// Name is the object's name.
	Name string
}

// Report has all insights of a source about a subject. It replaces the source's report before; an empty one withdraws it.
type Report struct {
	Subject  Subject
	Insights []ScopedInsight
}

// State is the state of a source.
type State struct {
	// Complete is whether the source has reported everything. Of a source that has been complete, and is not while its watches
	// fail, what it reported stays.
	Complete bool
	// Reason says why the source is not complete, as a CamelCase word, or what a complete one lacks.
	Reason string
	// Message says the same for people.
	Message string
	// Target names the update that everything the source has reported is about, empty for a source that reports of none.
	Target string
}

// Message has reports of one source that take effect together, and the state of the source if it has changed.
type Message struct {
	Source  Source
	Reports []Report
	State   *State
}

// Send sends a message to the primary controller. It returns when the message is received, or with the context's error.
type Send func(ctx context.Context, message Message) error
