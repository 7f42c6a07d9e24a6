package nodestate

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Counts counts the nodes of a pool. The zero value counts no nodes.
type Counts struct {
	Total, Available, Progressing, Outdated, Draining, Excluded, Degraded int32
	// Behind are the nodes whose version is known and not the target.
	Completed, Pending, Updating, Behind int32
	// Missing is how many nodes files lack, if all others are complete.
	Missing int32
}

// AreUnfinished returns whether the update of the nodes is in progress: it is not complete, and not only because of nodes that have
// just joined and whose version is unknown.
func (c Counts) AreUnfinished() bool {
	return c.Updating+c.Behind > 0
}

// Count counts nodes.
func Count(nodes ...insight.NodeState) Counts {
	var counts Counts
	for _, node := range nodes {
		counts.Add(node)
	}
	return counts
}

// Add adds a node.
func (c *Counts) Add(node insight.NodeState) {
	outdated := node.Phase != insight.PhaseCompleted
	c.Total++
	c.Available += one(node.Available)
	c.Degraded += one(node.Degraded)
	c.Updating += one(node.Updating)
	c.Progressing += one(node.Updating && !node.Degraded)
	c.Draining += one(node.Phase == insight.PhaseDraining)
	c.Excluded += one(node.Phase == insight.PhasePaused)
	c.Pending += one(node.Phase == insight.PhasePending)
	c.Completed += one(!outdated)
	c.Outdated += one(outdated)
	c.Behind += one(outdated && node.VersionKnown)
}

func one(counts bool) int32 {
	if counts {
		return 1
	}
	return 0
}

// AreCompleted returns whether all nodes are.
func (c Counts) AreCompleted() bool {
	return c.Completed == c.Total
}

// Completion returns the share of completed nodes in percent. A pool without nodes is complete.
func (c Counts) Completion() int32 {
	if c.AreCompleted() {
		return 100
	}
	return insight.Percent(c.Completed, c.Total)
}

// Summaries returns the counts as they are reported.
func (c Counts) Summaries() []updatev1alpha1.NodeSummary {
	return []updatev1alpha1.NodeSummary{
		{Type: updatev1alpha1.NodesTotal, Count: c.Total},
		{Type: updatev1alpha1.NodesAvailable, Count: c.Available},
		{Type: updatev1alpha1.NodesProgressing, Count: c.Progressing},
		{Type: updatev1alpha1.NodesOutdated, Count: c.Outdated},
		{Type: updatev1alpha1.NodesDraining, Count: c.Draining},
		{Type: updatev1alpha1.NodesExcluded, Count: c.Excluded},
		{Type: updatev1alpha1.NodesDegraded, Count: c.Degraded},
	}
}

// Assess returns the first assessment of their pool that applies, which is unknown without a target.
func (c Counts) Assess(hasTarget bool) updatev1alpha1.Assessment {
	switch {
	case !hasTarget, c.Missing > 0:
		return updatev1alpha1.AssessmentUnknown
	case c.AreCompleted():
		return updatev1alpha1.AssessmentCompleted
	case c.Pending == c.Total:
		return updatev1alpha1.AssessmentPending
	case c.Degraded > 0:
		return updatev1alpha1.AssessmentDegraded
	case c.Excluded > 0:
		return updatev1alpha1.AssessmentExcluded
	default:
		return updatev1alpha1.AssessmentProgressing
	}
}
