package status

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// Numbers are the numbers of a ledger, for metrics. Only sources that have been complete count: of others a part is missing.
type Numbers struct {
	// Available is whether the condition Available is True.
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

// Count returns the numbers of a ledger. built is the status that was built last, nil if there is none: it has the levels of
// causes, which are those of what they cause, and the estimate of the control plane is kept from it, where that of the ledger
// moves with every assessment. The result shares nothing with the arguments.
func Count(view ledger.View, built *updatev1alpha1.UpdateStatusStatus) Numbers {
	numbers := Numbers{
		Available: available(view).Status == metav1.ConditionTrue,
		Insights:  map[insight.Source]map[updatev1alpha1.InsightType]int{},
		Health:    map[HealthKind]int{},
	}
	pools := map[string]*PoolNumbers{}
	for source, reported := range view {
		if reported.Complete {
			numbers.Insights[source] = countInsights(reported.Insights)
			numbers.countHealth(reported.Insights, levelsOf(built, source))
			countPools(reported.Insights, pools)
		}
	}
	numbers.ControlPlane = reportedClusterVersion(view, built)
	for _, pool := range pools {
		numbers.Pools = append(numbers.Pools, *pool)
	}
	slices.SortFunc(numbers.Pools, func(a, b PoolNumbers) int { return cmp.Compare(a.Name, b.Name) })
	return numbers
}

func countInsights(insights []*insight.ScopedInsight) map[updatev1alpha1.InsightType]int {
	counts := map[updatev1alpha1.InsightType]int{}
	for _, kind := range insight.Kinds() {
		counts[kind.Type] = 0
	}
	for _, one := range insights {
		counts[one.Insight.Type]++
	}
	return counts
}

func (n *Numbers) countHealth(insights []*insight.ScopedInsight, levels map[string]updatev1alpha1.HealthLevel) {
	for _, level := range insight.Levels() {
		for _, impact := range impacts {
			n.Health[HealthKind{Level: level, Impact: impact}] += 0
		}
	}
	for _, one := range insights {
		if health := one.Insight.Health; health != nil {
			n.Health[HealthKind{Level: cmp.Or(levels[one.Insight.UID], health.Impact.Level), Impact: health.Impact.Type}]++
		}
	}
}

// levelsOf returns the levels of the health insights of a source in a status, by uid.
func levelsOf(built *updatev1alpha1.UpdateStatusStatus, source insight.Source) map[string]updatev1alpha1.HealthLevel {
	levels := map[string]updatev1alpha1.HealthLevel{}
	for _, informers := range informersOf(built) {
		for _, informer := range informers {
			for _, one := range informer.Insights {
				if one.Health != nil && informer.Name == string(source) {
					levels[one.UID] = one.Health.Impact.Level
				}
			}
		}
	}
	return levels
}

// countPools counts the nodes of each pool. A node whose pool has just been deleted does not count.
func countPools(insights []*insight.ScopedInsight, pools map[string]*PoolNumbers) {
	for _, one := range insights {
		if pool := insight.PoolOf(&one.Insight); pool != nil {
			numbers := &PoolNumbers{Name: pool.Name, Completion: pool.Completion, Nodes: map[insight.NodePhase]int{}}
			for _, phase := range insight.NodePhases() {
				numbers.Nodes[phase] = 0
			}
			pools[pool.Name] = numbers
		}
	}
	for _, one := range insights {
		if node := one.Insight.Node; node != nil && pools[node.PoolResource.Name] != nil {
			pools[node.PoolResource.Name].Nodes[insight.StateOf(node).Phase]++
		}
	}
}

func reportedClusterVersion(view ledger.View, built *updatev1alpha1.UpdateStatusStatus) *updatev1alpha1.ClusterVersionInsight {
	reported := view[insight.ControlPlaneInformer]
	if !reported.Complete {
		return nil
	}
	for _, one := range reported.Insights {
		if version := insight.VersionOf(&one.Insight); version != nil {
			version = version.DeepCopy()
			if before := clusterVersionOf(built); before != nil {
				keepControlPlaneEstimate(version, before)
			}
			return version
		}
	}
	return nil
}
