package insight

import (
	"context"
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Source is who reports: the name of an informer in the UpdateStatus.
type Source string

const (
	// ControlPlaneInformer watches the ClusterVersion and the ClusterOperators.
	ControlPlaneInformer Source = "control-plane-informer"
	// NodeInformer watches MachineConfigPools, Nodes and MachineConfigs.
	NodeInformer Source = "node-informer"
	// AlertInformer reads the alerts that fire while the cluster is updated.
	AlertInformer Source = "alert-informer"
)

// Sources returns all sources, in the order in which they appear in the UpdateStatus.
func Sources() []Source {
	return append(Watching(), AlertInformer)
}

// Watching returns the sources that watch the objects which are updated. Without one of them the state of the update is
// not known; a cluster without alerts is complete.
func Watching() []Source {
	return []Source{ControlPlaneInformer, NodeInformer}
}

// IsSource is whether an informer in the UpdateStatus is a source of this controller. All others are left alone.
func IsSource(informer string) bool {
	return slices.Contains(Sources(), Source(informer))
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
	// MaxUnavailable is, of the insight of a MachineConfigPool, how many of its nodes are updated at once. The API has no place for
	// it, and the estimate of when the pool is complete needs it.
	MaxUnavailable int32
	// Unfinished is, of the insight of a MachineConfigPool, whether its update goes on. A node that has just joined, and has
	// no version yet, makes no update of a complete pool.
	Unfinished bool
	// Budget is, of the insight of an alert, the PodDisruptionBudget that the alert is about, empty if it is about none.
	// Administrators know the alert by its name; what another insight says of the budget as well is not told twice.
	Budget updatev1alpha1.ResourceRef
}

// Subject is what a report is about: an object of the cluster.
type Subject struct {
	// Kind is the object's kind, as in the Kubernetes API.
	Kind string
	// Name is the object's name.
	Name string
}

// Report is all that a source has to say about a subject. It replaces the source's report before; an empty one takes it
// back.
type Report struct {
	Subject  Subject
	Insights []ScopedInsight
}

// State is what a source says of itself.
type State struct {
	// Complete says that the source has reported everything it sees. A source that has been complete and is not any more
	// has lost sight of the cluster: what it reported stays.
	Complete bool
	// Reason says why the source is not complete, as a CamelCase word, or what a complete one had to do without.
	Reason string
	// Message says the same for people.
	Message string
	// Target names the update that everything the source has reported is about, empty for a source that reports of none.
	Target string
}

// Message is what travels on the channel: reports of one source that take effect together, and the source's state if it
// has changed.
type Message struct {
	Source  Source
	Reports []Report
	State   *State
}

// Send hands a message over to the primary controller. It returns when the message is taken, or with the context's error:
// a message is never dropped otherwise.
type Send func(ctx context.Context, message Message) error
