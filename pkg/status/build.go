package status

import (
	"cmp"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// Input is what the next status is made from.
type Input struct {
	// Previous is the status that this controller made last, or found when it started: times are kept from it, and so is
	// the choice of what is left out. Nil if there is none.
	Previous *updatev1alpha1.UpdateStatusStatus
	// Memory is that of the Builds before, nil if there is to be one only. Build changes it.
	Memory *Memory
	// InCluster is the status that the object in the cluster has: informers of others are taken over from it. Nil if there
	// is none.
	InCluster *updatev1alpha1.UpdateStatusStatus
	// Ledger is what the sources have said.
	Ledger ledger.View
	// Now is the moment at which something that is new is first seen.
	Now time.Time
	// Observing is whether the cluster is watched: a condition whose start no object tells then began when it is first
	// seen. In files it may have begun at any time.
	Observing bool
	// Bounded is whether the status is to be stored in a cluster, where an object can't grow beyond MaxObjectBytes.
	// What is only shown is complete.
	Bounded bool
}

// Build returns the next status. It shares insights with its input and with the statuses before: none of them may be
// changed afterwards.
func Build(in Input) updatev1alpha1.UpdateStatusStatus {
	clock := moment{Time: metav1.NewTime(in.Now.Truncate(time.Second)), observing: in.Observing}
	previous := &updatev1alpha1.UpdateStatusStatus{}
	if in.Previous != nil {
		previous = in.Previous
	}
	if in.Memory == nil {
		in.Memory = NewMemory()
	}
	parts := gather(in, previous, clock)
	made := updatev1alpha1.UpdateStatusStatus{
		Conditions:   []metav1.Condition{keepTime(available(in.Ledger), previous.Conditions, clock)},
		ControlPlane: controlPlane(parts[insight.ControlPlane], previous, clock),
		WorkerPools:  workerPools(parts, previous, clock),
	}
	if alerts := alertsComplete(in.Ledger, previous.Conditions); alerts != nil {
		made.Conditions = append(made.Conditions, keepTime(*alerts, previous.Conditions, clock))
	}
	if in.Bounded {
		bound(&made, previous, in, clock)
	}
	return made
}

// gather returns the informers of every part of the cluster that any source has insights about.
func gather(in Input, previous *updatev1alpha1.UpdateStatusStatus, clock moment) map[insight.Part][]updatev1alpha1.Informer {
	parts := map[insight.Part][]updatev1alpha1.Informer{}
	before, memory := informersOf(previous), in.Memory
	known := memory.made
	memory.made, memory.next = make(map[memoryKey]*remembered, len(known)), time.Time{}
	anew := isAnother(in.Ledger, previous)
	for _, source := range insight.Sources() {
		keep := keeper{
			source: source, memory: memory, before: known, stored: map[string]*updatev1alpha1.Insight{},
			rollouts: map[string]*rollout{}, anew: anew, clock: clock,
		}
		for part, insights := range keep.insights(in.Ledger[source], before) {
			parts[part] = append(parts[part], updatev1alpha1.Informer{Name: string(source), Insights: insights})
		}
	}
	for part, informers := range informersOf(in.InCluster) {
		for _, informer := range informers {
			if !isOurs(informer) {
				parts[part] = append(parts[part], informer)
			}
		}
	}
	return parts
}

// isAnother is whether the sources tell of another update than the status before.
func isAnother(said ledger.View, previous *updatev1alpha1.UpdateStatusStatus) bool {
	before := clusterVersionOf(previous)
	if before == nil || before.StartedAt == nil {
		return false
	}
	return slices.ContainsFunc(said[insight.ControlPlaneInformer].Insights, func(one *insight.ScopedInsight) bool {
		version := one.Insight.ClusterVersion
		return version != nil && version.StartedAt != nil && !version.StartedAt.Equal(before.StartedAt)
	})
}

// isOurs is whether an informer is a source of this controller. All others are left alone.
func isOurs(informer updatev1alpha1.Informer) bool {
	return slices.Contains(insight.Sources(), insight.Source(informer.Name))
}

// informersOf returns the informers of a status by part.
func informersOf(status *updatev1alpha1.UpdateStatusStatus) map[insight.Part][]updatev1alpha1.Informer {
	informers := map[insight.Part][]updatev1alpha1.Informer{}
	if status == nil {
		return informers
	}
	if status.ControlPlane != nil {
		informers[insight.ControlPlane] = status.ControlPlane.Informers
	}
	for _, pool := range status.WorkerPools {
		informers[insight.Part{WorkerPool: pool.Name}] = pool.Informers
	}
	return informers
}

func controlPlane(informers []updatev1alpha1.Informer, previous *updatev1alpha1.UpdateStatusStatus, clock moment) *updatev1alpha1.ControlPlane {
	var before []metav1.Condition
	if previous.ControlPlane != nil {
		before = previous.ControlPlane.Conditions
	}
	made := &updatev1alpha1.ControlPlane{
		Resource:   updatev1alpha1.ResourceRef{Group: configv1.GroupName, Resource: "clusterversions", Name: "version"},
		Conditions: []metav1.Condition{keepTime(controlPlaneUpdating(informers), before, clock)},
		Informers:  informers,
	}
	for _, pool := range machineConfigPools(informers) {
		if made.PoolResource == nil || pool.Name == masterPool {
			made.PoolResource = pool.Resource.DeepCopy()
		}
	}
	return made
}

const (
	// masterPool is the pool that stands for the nodes of the control plane, where there is an arbiter pool as well.
	masterPool = "master"
	// firstWorkerPool is shown first of the worker pools, as every cluster has it.
	firstWorkerPool = "worker"
)

func workerPools(parts map[insight.Part][]updatev1alpha1.Informer, previous *updatev1alpha1.UpdateStatusStatus, clock moment) []updatev1alpha1.WorkerPool {
	before := map[string][]metav1.Condition{}
	for _, pool := range previous.WorkerPools {
		before[pool.Name] = pool.Conditions
	}
	var pools []updatev1alpha1.WorkerPool
	for part, informers := range parts {
		if part == insight.ControlPlane {
			continue
		}
		name := part.WorkerPool
		pools = append(pools, updatev1alpha1.WorkerPool{
			Name:       name,
			Resource:   updatev1alpha1.ResourceRef{Group: machineconfigv1.GroupName, Resource: "machineconfigpools", Name: name},
			Conditions: []metav1.Condition{keepTime(poolUpdating(informers), before[name], clock)},
			Informers:  informers,
		})
	}
	slices.SortFunc(pools, func(a, b updatev1alpha1.WorkerPool) int {
		if a.Name == firstWorkerPool || b.Name == firstWorkerPool {
			return cmp.Compare(boolRank(a.Name == firstWorkerPool), boolRank(b.Name == firstWorkerPool))
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return pools
}

func boolRank(first bool) int {
	if first {
		return 0
	}
	return 1
}
