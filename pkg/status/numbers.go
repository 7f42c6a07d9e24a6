package status

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// Numbers are what a ledger amounts to, for metrics. They are made of sources that have been complete: what another one
// has said so far is a part, and its number would be wrong.
type Numbers struct {
	// Available is whether every source tells what it sees, as the condition Available says.
	Available bool
	// Insights counts the insights of each source by type. Every known type is in it.
	Insights map[insight.Source]map[updatev1alpha1.InsightType]int
	// Health counts the health insights. Every known kind is in it, unless no source has been complete.
	Health map[HealthKind]int
	// ControlPlane is the insight of the ClusterVersion, nil if there is none.
	ControlPlane *updatev1alpha1.ClusterVersionInsight
	// Pools are the pools that the cluster has, by name.
	Pools []PoolNumbers
}

// HealthKind is how serious a health insight is, and what it harms.
type HealthKind struct {
	Level  updatev1alpha1.HealthLevel
	Impact updatev1alpha1.ImpactType
}

// PoolNumbers are the numbers of a pool.
type PoolNumbers struct {
	Name string
	// Completion is the share of its nodes that are updated, in percent.
	Completion int32
	// Nodes counts its nodes by phase. Every known phase is in it.
	Nodes map[insight.NodePhase]int
}

// impacts are the types of impact, the least harm first.
var impacts = []updatev1alpha1.ImpactType{
	updatev1alpha1.ImpactNone, updatev1alpha1.ImpactUnknown, updatev1alpha1.ImpactUpdateSpeed,
	updatev1alpha1.ImpactUpdateStalled, updatev1alpha1.ImpactClusterCapacity, updatev1alpha1.ImpactAPIAvailability,
	updatev1alpha1.ImpactApplicationAvailability, updatev1alpha1.ImpactApplicationOutage, updatev1alpha1.ImpactDataLoss,
}

// Count returns the numbers of a ledger. The estimate of the control plane is the one that the status shows, which stays
// where the ledger's moves with every look; built is the status that was built last, nil if none was yet. It shares
// nothing with its input.
func Count(view ledger.View, built *updatev1alpha1.UpdateStatusStatus) Numbers {
	numbers := Numbers{
		Available: available(view).Status == metav1.ConditionTrue,
		Insights:  map[insight.Source]map[updatev1alpha1.InsightType]int{},
		Health:    map[HealthKind]int{},
	}
	pools := map[string]*PoolNumbers{}
	for source, said := range view {
		if said.Complete {
			numbers.Insights[source] = countInsights(said.Insights)
			numbers.countHealth(said.Insights)
			countPools(said.Insights, pools)
		}
	}
	numbers.ControlPlane = keptClusterVersion(view, built)
	for _, pool := range pools {
		numbers.Pools = append(numbers.Pools, *pool)
	}
	slices.SortFunc(numbers.Pools, func(a, b PoolNumbers) int { return cmp.Compare(a.Name, b.Name) })
	return numbers
}

func countInsights(insights []*insight.ScopedInsight) map[updatev1alpha1.InsightType]int {
	counts := map[updatev1alpha1.InsightType]int{
		updatev1alpha1.InsightClusterVersion: 0, updatev1alpha1.InsightClusterOperator: 0,
		updatev1alpha1.InsightMachineConfigPool: 0, updatev1alpha1.InsightNode: 0, updatev1alpha1.InsightHealth: 0,
	}
	for _, placed := range insights {
		counts[placed.Insight.Type]++
	}
	return counts
}

func (n *Numbers) countHealth(insights []*insight.ScopedInsight) {
	for _, level := range levels {
		for _, impact := range impacts {
			n.Health[HealthKind{Level: level, Impact: impact}] += 0
		}
	}
	for _, placed := range insights {
		if health := placed.Insight.Health; health != nil {
			n.Health[HealthKind{Level: health.Impact.Level, Impact: health.Impact.Type}]++
		}
	}
}

// countPools counts the nodes of the pools that there are. A node whose pool has just gone counts nowhere.
func countPools(insights []*insight.ScopedInsight, pools map[string]*PoolNumbers) {
	for _, placed := range insights {
		if pool := placed.Insight.MachineConfigPool; pool != nil {
			made := &PoolNumbers{Name: pool.Name, Completion: pool.Completion, Nodes: map[insight.NodePhase]int{}}
			for _, phase := range insight.NodePhases() {
				made.Nodes[phase] = 0
			}
			pools[pool.Name] = made
		}
	}
	for _, placed := range insights {
		if node := placed.Insight.Node; node != nil && pools[node.PoolResource.Name] != nil {
			pools[node.PoolResource.Name].Nodes[insight.StateOf(node).Phase]++
		}
	}
}

func keptClusterVersion(view ledger.View, built *updatev1alpha1.UpdateStatusStatus) *updatev1alpha1.ClusterVersionInsight {
	for _, said := range view {
		if !said.Complete {
			continue
		}
		for _, placed := range said.Insights {
			if placed.Insight.ClusterVersion == nil {
				continue
			}
			made := placed.Insight.ClusterVersion.DeepCopy()
			if before := clusterVersionOf(built); before != nil {
				keepControlPlaneEstimate(made, before)
			}
			return made
		}
	}
	return nil
}

// LeftOut returns how many insights of a ledger are not in the status that was built from it, since the object would have
// grown too large.
func LeftOut(view ledger.View, built *updatev1alpha1.UpdateStatusStatus) int {
	reported, held := 0, 0
	for _, said := range view {
		if said.Complete {
			reported += len(said.Insights)
		}
	}
	for _, informers := range informersOf(built) {
		for _, informer := range informers {
			if view[insight.Source(informer.Name)].Complete {
				held += len(informer.Insights)
			}
		}
	}
	return reported - held
}
