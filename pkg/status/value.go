package status

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// nodeValues are the assessments of nodes by their value: those that are left out first come first.
var nodeValues = []insight.NodeAssessment{
	insight.NodeCompleted, insight.NodeOutdated, insight.NodeExcluded, insight.NodeUnknown, insight.NodeProgressing,
	insight.NodeUnavailable, insight.NodeDegraded,
}

// classUnavailable is the class of a node that can't run workloads and is not being updated. Degraded ones are of a higher
// class.
var classUnavailable = slices.Index(nodeValues, insight.NodeUnavailable)

// classProgressing is the class of a node that is being updated.
var classProgressing = slices.Index(nodeValues, insight.NodeProgressing)

// ordinary is whether a node waits or is done, or nothing is known of it but that it can run workloads.
func (i *item) ordinary() bool {
	return i.class < classProgressing
}

func classOfNode(node *updatev1alpha1.NodeInsight) int {
	return slices.Index(nodeValues, insight.StateOf(node).Assessment())
}

// classOfHealth is the level; of the same level, what is not about a node counts more: it does not come in thousands. Alerts
// count less than all that was found out about the update itself: anybody who may write a rule may write hundreds.
func classOfHealth(health *updatev1alpha1.HealthInsight) int {
	level := slices.Index(levels, health.Impact.Level)
	resources := health.Scope.Resources
	if len(resources) > 0 && resources[0].Resource == "alerts" {
		return level
	}
	class := len(levels) + 2*level
	if len(resources) == 0 || resources[0].Resource != "nodes" {
		class++
	}
	return class
}

// classOfOperator: what is wrong, what is being updated, what waits, what is done.
func classOfOperator(operator *updatev1alpha1.ClusterOperatorInsight) int {
	updating := meta.FindStatusCondition(operator.Conditions, updatev1alpha1.ConditionUpdating)
	switch {
	case meta.IsStatusConditionFalse(operator.Conditions, updatev1alpha1.ConditionHealthy):
		return 3
	case updating == nil || updating.Status != metav1.ConditionFalse:
		return 2
	case updating.Reason != updatev1alpha1.ReasonUpdated:
		return 1
	default:
		return 0
	}
}

// classOfPool: the pool that every cluster has, degraded ones, those that are not complete, complete ones.
func classOfPool(pool *updatev1alpha1.MachineConfigPoolInsight) int {
	switch {
	case pool.Name == firstWorkerPool:
		return 3
	case pool.Assessment == updatev1alpha1.AssessmentDegraded:
		return 2
	case pool.Assessment != updatev1alpha1.AssessmentCompleted:
		return 1
	default:
		return 0
	}
}

// compareValue puts the most valuable items first. Of the same value the hash decides: an item that changes moves itself and
// what it needs the room of, and nothing else.
func compareValue(a, b *item) int {
	return cmp.Or(
		-cmp.Compare(a.class, b.class),
		cmp.Compare(a.hash, b.hash),
	)
}

// choose marks the items that stay, the most valuable ones, and returns what they take and whether all of them stay. When
// one of a class does not fit, none of a lower class stays. What was in the object before may take all the room, what was
// not leaves some.
func choose(items []*item, room room, limit int) (used int, all bool) {
	slices.SortFunc(items, compareValue)
	all = true
	for at, one := range items {
		if !all && one.class != items[at-1].class {
			break
		}
		need := used + one.size.at(limit)
		one.in = need <= room.anew || one.before && need <= room.before
		if one.in {
			used = need
		} else {
			all = false
		}
	}
	return used, all
}

// choosePools is choose for pools, of which there may be no more than the schema allows.
func (d *draft) choosePools(room room, limit int) (used int, all bool) {
	used, all = choose(d.pools, room, limit)
	free := maxWorkerPools - (len(d.made.WorkerPools) - len(d.pools))
	for _, pool := range d.pools {
		switch {
		case !pool.in:
		case free > 0:
			free--
		default:
			pool.in, all = false, false
			used -= pool.size.at(limit)
		}
	}
	return used, all
}

// inKeptParts returns the items of pools that stay, and of the control plane.
func inKeptParts(items []*item) []*item {
	return slices.DeleteFunc(slices.Clone(items), func(one *item) bool { return one.part.pool != nil && !one.part.pool.in })
}
