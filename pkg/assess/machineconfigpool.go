package assess

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// MachineConfigPoolInput is what a pool is assessed from.
type MachineConfigPoolInput struct {
	Pool *machineconfigv1.MachineConfigPool
	// Nodes counts the pool's nodes, already assessed.
	Nodes  NodeCounts
	Target Target
	// SelectorError is why the pool's node selector can't be parsed, empty if it can (Pools.Unparsable).
	SelectorError string
}

// MachineConfigPool says how far a pool is.
func MachineConfigPool(in MachineConfigPoolInput) Result {
	name := in.Pool.Name
	part := PartOf(name)
	counts := in.Nodes
	insights := []insight.ScopedInsight{{Part: part, MaxUnavailable: nodesAtOnce(in.Pool, counts.total), Unfinished: counts.unfinished(), Insight: updatev1alpha1.Insight{
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

// nodesAtOnce is how many nodes of a pool the Machine Config Operator updates at once. Like it we take one where the pool
// does not say, round a percentage down and never below one, and go through the control plane node by node. A pool whose
// value can't be read does not get on at all, whatever is said here.
func nodesAtOnce(pool *machineconfigv1.MachineConfigPool, nodes int32) int32 {
	if PartOf(pool.Name) == insight.ControlPlane || pool.Spec.MaxUnavailable == nil {
		return 1
	}
	const up = false
	atOnce, err := intstr.GetScaledValueFromIntOrPercent(pool.Spec.MaxUnavailable, int(nodes), up)
	if err != nil {
		return 1
	}
	return int32(min(max(atOnce, 1), max(int(nodes), 1)))
}

// NodeCounts count the nodes of a pool, one after the other: a node that changes is taken out as it was and put in as it
// is. The zero value counts no nodes.
type NodeCounts struct {
	total, available, progressing, outdated, draining, excluded, degraded int32
	completed, pending, updating, behind                                  int32
}

// unfinished is whether the update of the nodes goes on: it is not complete, and that is not because of nodes alone that have
// just joined and do not tell their version yet.
func (c NodeCounts) unfinished() bool {
	return c.updating+c.behind > 0
}

// CountNodes counts nodes.
func CountNodes(nodes ...insight.NodeState) NodeCounts {
	var counts NodeCounts
	for _, node := range nodes {
		counts.Add(node)
	}
	return counts
}

// Add counts a node.
func (c *NodeCounts) Add(node insight.NodeState) {
	c.count(node, 1)
}

// Remove takes back what Add counted.
func (c *NodeCounts) Remove(node insight.NodeState) {
	c.count(node, -1)
}

func (c *NodeCounts) count(node insight.NodeState, by int32) {
	outdated := node.Phase != insight.PhaseCompleted
	c.total += by
	c.available += by * one(node.Available)
	c.degraded += by * one(node.Degraded)
	c.updating += by * one(node.Updating)
	c.progressing += by * one(node.Updating && !node.Degraded)
	c.draining += by * one(node.Phase == insight.PhaseDraining)
	c.excluded += by * one(node.Phase == insight.PhasePaused)
	c.pending += by * one(node.Phase == insight.PhasePending)
	c.completed += by * one(!outdated)
	c.outdated += by * one(outdated)
	c.behind += by * one(outdated && node.VersionKnown)
}

func one(counts bool) int32 {
	if counts {
		return 1
	}
	return 0
}

func (c NodeCounts) allCompleted() bool {
	return c.completed == c.total
}

// completion is the share of completed nodes in percent, rounded down: 100 only if all are.
func (c NodeCounts) completion() int32 {
	if c.allCompleted() {
		return 100
	}
	return 100 * c.completed / c.total
}

func (c NodeCounts) summaries() []updatev1alpha1.NodeSummary {
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
func assessPool(target Target, counts NodeCounts) updatev1alpha1.Assessment {
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
func poolUpdating(in MachineConfigPoolInput, counts NodeCounts) metav1.Condition {
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
