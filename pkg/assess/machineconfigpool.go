package assess

import (
	"fmt"
	"strings"
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
	// Nodes counts the assessed nodes of the pool.
	Nodes  NodeCounts
	Target Target
	// SelectorError is why the pool's node selector can't be parsed, empty if it can (Pools.Unparsable).
	SelectorError string
}

// MachineConfigPool assesses a pool.
func MachineConfigPool(in MachineConfigPoolInput) Result {
	name := in.Pool.Name
	part := PartOf(name)
	counts := in.Nodes
	insights := []insight.ScopedInsight{{Part: part, Unfinished: counts.unfinished(), Insight: updatev1alpha1.Insight{
		UID:  insight.UID("mcp", name),
		Type: updatev1alpha1.InsightMachineConfigPool,
		MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{
			Name:           name,
			Resource:       poolRef(name),
			ScopeType:      part.ScopeType(),
			Conditions:     []metav1.Condition{poolUpdating(in, counts)},
			Assessment:     assessPool(in.Target, counts),
			Completion:     counts.completion(),
			Summaries:      counts.summaries(),
			MaxUnavailable: maxUnavailable(in.Pool, counts.total),
		},
	}}}
	health, _ := checkHealth(poolChecks, in, subject{resource: poolRef(name), part: part}, time.Time{})
	return Result{Report: insight.Report{Subject: MachineConfigPoolSubject(name), Insights: append(insights, health...)}}
}

// maxUnavailable returns how many nodes of a pool the Machine Config Operator updates at a time: by default one, a percentage
// rounded down but at least one, and one in the control plane. A pool with an invalid value is not updated at all.
func maxUnavailable(pool *machineconfigv1.MachineConfigPool, nodes int32) int32 {
	if PartOf(pool.Name) == insight.ControlPlane || pool.Spec.MaxUnavailable == nil {
		return 1
	}
	const up = false
	atATime, err := intstr.GetScaledValueFromIntOrPercent(pool.Spec.MaxUnavailable, int(nodes), up)
	if err != nil {
		return 1
	}
	return int32(min(max(atATime, 1), max(int(nodes), 1)))
}

// NodeCounts counts the nodes of a pool. A changed node is removed in its previous state and added in its new one. The zero
// value counts no nodes.
type NodeCounts struct {
	total, available, progressing, outdated, draining, excluded, degraded int32
	completed, pending, updating, behind                                  int32
	// missing is how many nodes files lack, if all others are complete.
	missing int32
}

// withMissing returns the counts with the nodes that files lack by the pool's own count. They count as outdated: nothing shows
// that they are complete. While others are not complete either, the counts are those of what is known.
func (c NodeCounts) withMissing(pool *machineconfigv1.MachineConfigPool) NodeCounts {
	missing := pool.Status.MachineCount - c.total
	if missing <= 0 || !c.allCompleted() {
		return c
	}
	c.missing = missing
	c.total += missing
	c.outdated += missing
	return c
}

// unfinished returns whether the update of the nodes is in progress: it is not complete, and not only because of nodes that have
// just joined and whose version is unknown.
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

// Add adds a node.
func (c *NodeCounts) Add(node insight.NodeState) {
	c.count(node, 1)
}

// Remove removes a node that was added in the same state.
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

// completion returns the share of completed nodes in percent. A pool without nodes is complete.
func (c NodeCounts) completion() int32 {
	if c.allCompleted() {
		return 100
	}
	return insight.Percent(c.completed, c.total)
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

// assessPool returns the first assessment that applies.
func assessPool(target Target, counts NodeCounts) updatev1alpha1.Assessment {
	switch {
	case !target.Known, counts.missing > 0:
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

// PoolMessage is how what the Machine Config Operator says of a pool in particular starts: that it waits for the build of an image, or
// stopped or paused its update (openshift/machine-config-operator, pkg/controller/node/status.go). Of other pools it says that all nodes
// are being updated.
const PoolMessage = "Pool "

// poolPausedMessage starts what it says of a paused pool, which the pool's spec tells.
const poolPausedMessage = "Pool is paused; will not update"

// poolMessage returns what the Machine Config Operator says of a pool in particular, empty if nothing.
func poolMessage(pool *machineconfigv1.MachineConfigPool) string {
	for at := range pool.Status.Conditions {
		one := &pool.Status.Conditions[at]
		if one.Type == machineconfigv1.MachineConfigPoolUpdating && strings.HasPrefix(one.Message, PoolMessage) && !strings.HasPrefix(one.Message, poolPausedMessage) {
			return insight.Shorten(insight.OneLine(one.Message), updatev1alpha1.NodeMessageMaxLength)
		}
	}
	return ""
}

// poolUpdating is true from the start of the first node to the end of the last one. A node that has just joined a pool, and whose
// version is unknown, is no update.
func poolUpdating(in MachineConfigPoolInput, counts NodeCounts) metav1.Condition {
	status, reason, message := metav1.ConditionFalse, updatev1alpha1.ReasonPending, poolMessage(in.Pool)
	paused := in.Pool.Spec.Paused
	switch {
	case !in.Target.Known:
		status, reason = metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine
		message = unknownTarget
	case counts.missing > 0:
		status, reason = metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine
		message = fmt.Sprintf("%d of %d nodes are not in the files", counts.missing, counts.total)
	case counts.allCompleted():
		reason, message = updatev1alpha1.ReasonCompleted, ""
	case counts.updating > 0 || counts.completed > 0 && counts.behind > 0 && !paused:
		status, reason = metav1.ConditionTrue, updatev1alpha1.ReasonProgressing
	case paused:
		reason = updatev1alpha1.ReasonExcluded
	}
	return condition(updatev1alpha1.ConditionUpdating, status, reason, message, time.Time{})
}
