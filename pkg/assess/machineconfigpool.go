package assess

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// MachineConfigPoolInput is what a pool is assessed from: its nodes, already assessed, in any order.
type MachineConfigPoolInput struct {
	Pool   *machineconfigv1.MachineConfigPool
	Nodes  []insight.NodeState
	Target Target
	// SelectorError is why the pool's node selector can't be parsed, empty if it can (Pools.Unparsable).
	SelectorError string
}

// MachineConfigPool says how far a pool is.
func MachineConfigPool(in MachineConfigPoolInput) Result {
	name := in.Pool.Name
	part := PartOf(name)
	counts := countNodes(in.Nodes)
	insights := []insight.Placed{{Part: part, Insight: updatev1alpha1.Insight{
		UID:  insight.UID("mcp", name),
		Type: updatev1alpha1.InsightMachineConfigPool,
		MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{
			Name:       name,
			Resource:   poolRef(name),
			ScopeType:  part.ScopeType(),
			Conditions: []metav1.Condition{poolUpdating(in, counts)},
			Assessment: assessPool(in.Target, counts),
			Completion: counts.completion(),
			Summaries:  counts.summaries(),
		},
	}}}
	health, _ := checkHealth(healthFacts{pool: in.Pool, poolCounts: counts, selectorError: in.SelectorError},
		subject{kind: kindMachineConfigPool, resource: poolRef(name), part: part})
	return Result{Report: insight.Report{Subject: MachineConfigPoolSubject(name), Insights: append(insights, health...)}}
}

// nodeCounts count the nodes of a pool.
type nodeCounts struct {
	total, available, progressing, outdated, draining, excluded, degraded int32
	completed, pending, updating, behind                                  int32
}

func countNodes(nodes []insight.NodeState) nodeCounts {
	var counts nodeCounts
	for _, node := range nodes {
		counts.total++
		counts.available += one(node.Available)
		counts.degraded += one(node.Degraded)
		counts.updating += one(node.Updating)
		counts.progressing += one(node.Updating && !node.Degraded)
		counts.draining += one(node.Phase == insight.PhaseDraining)
		counts.excluded += one(node.Phase == insight.PhasePaused)
		counts.pending += one(node.Phase == insight.PhasePending)
		counts.completed += one(node.Phase == insight.PhaseCompleted)
		counts.outdated += one(node.Phase != insight.PhaseCompleted)
		counts.behind += one(node.Phase != insight.PhaseCompleted && node.VersionKnown)
	}
	return counts
}

func one(counts bool) int32 {
	if counts {
		return 1
	}
	return 0
}

func (c nodeCounts) allCompleted() bool {
	return c.completed == c.total
}

// completion is the share of completed nodes in percent, rounded down: 100 only if all are.
func (c nodeCounts) completion() int32 {
	if c.allCompleted() {
		return 100
	}
	return 100 * c.completed / c.total
}

func (c nodeCounts) summaries() []updatev1alpha1.NodeSummary {
	return []updatev1alpha1.NodeSummary{
		{Type: updatev1alpha1.NodesTotal, Count: c.total},
		{Type: updatev1alpha1.NodesAvailable, Count: c.available},
		{Type: updatev1alpha1.NodesProgressing, Count: c.progressing},
		{Type: updatev1alpha1.NodesOutdated, Count: c.outdated},
		{Type: updatev1alpha1.NodesDraining, Count: c.draining},
		{Type: updatev1alpha1.NodesExcluded, Count: c.excluded},
		{Type: updatev1alpha1.NodesDegraded, Count: c.degraded},
	}
}

// assessPool takes the first assessment that applies.
func assessPool(target Target, counts nodeCounts) updatev1alpha1.Assessment {
	switch {
	case !target.Known:
		return updatev1alpha1.AssessmentUnknown
	case counts.allCompleted():
		return updatev1alpha1.AssessmentCompleted
	case counts.pending == counts.total:
		return updatev1alpha1.AssessmentPending
	case counts.degraded > 0:
		return updatev1alpha1.AssessmentDegraded
	case counts.excluded > 0:
		return updatev1alpha1.AssessmentExcluded
	default:
		return updatev1alpha1.AssessmentProgressing
	}
}

// poolUpdating is true between the first and the last node. A node that has just joined a pool, and does not tell its
// version yet, makes no update.
func poolUpdating(in MachineConfigPoolInput, counts nodeCounts) metav1.Condition {
	status, reason, message := metav1.ConditionFalse, updatev1alpha1.ReasonPending, ""
	paused := in.Pool.Spec.Paused
	switch {
	case !in.Target.Known:
		status, reason = metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine
		message = unknownTarget
	case counts.allCompleted():
		reason = updatev1alpha1.ReasonCompleted
	case counts.updating > 0 || counts.completed > 0 && counts.behind > 0 && !paused:
		status, reason = metav1.ConditionTrue, updatev1alpha1.ReasonProgressing
	case paused:
		reason = updatev1alpha1.ReasonExcluded
	}
	return condition(updatev1alpha1.ConditionUpdating, status, reason, message, time.Time{})
}
