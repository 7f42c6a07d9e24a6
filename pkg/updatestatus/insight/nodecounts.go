package insight

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// NodeCounts are numbers of nodes. The zero value counts none. A node counts once in Completed, Updating, Excluded, Pending, Unknown and
// Missing, which add up to Total.
type NodeCounts struct {
	Total, Completed, Updating, Excluded, Pending int32
	// Unknown are in no phase that is known.
	Unknown int32
	// Missing is how many nodes files lack, if all others are complete.
	Missing int32
	// Available, Degraded, Draining and Progressing (updating and not degraded) are what else is known of the nodes.
	Available, Degraded, Draining, Progressing int32
	// Joined are the nodes that have just joined, of which no version is known that would be behind.
	Joined int32
	// OnAnother are known to run another version than the target: neither those that have joined nor those whose MachineConfig is not known.
	OnAnother int32
}

// CountNodes counts nodes.
func CountNodes(nodes ...NodeState) NodeCounts {
	var counts NodeCounts
	for _, node := range nodes {
		counts.Add(node)
	}
	return counts
}

// Add adds a node.
func (c *NodeCounts) Add(node NodeState) {
	c.Total++
	switch {
	case node.Updating:
		c.Updating++
	case node.Phase == PhaseCompleted:
		c.Completed++
	case node.Phase == PhasePaused:
		c.Excluded++
	case node.Phase == PhasePending:
		c.Pending++
	default:
		c.Unknown++
	}
	c.Available += numberOf(node.Available)
	c.Degraded += numberOf(node.Degraded)
	c.Draining += numberOf(node.Phase == PhaseDraining)
	c.Progressing += numberOf(node.Updating && !node.Degraded)
	c.Joined += numberOf(node.HasJoined())
	c.OnAnother += numberOf(node.Phase != PhaseCompleted && node.VersionKnown)
}

func numberOf(counts bool) int32 {
	if counts {
		return 1
	}
	return 0
}

// Plus returns the sum of the counts.
func (c NodeCounts) Plus(other NodeCounts) NodeCounts {
	return NodeCounts{
		c.Total + other.Total, c.Completed + other.Completed, c.Updating + other.Updating, c.Excluded + other.Excluded,
		c.Pending + other.Pending, c.Unknown + other.Unknown, c.Missing + other.Missing, c.Available + other.Available,
		c.Degraded + other.Degraded, c.Draining + other.Draining, c.Progressing + other.Progressing, c.Joined + other.Joined,
		c.OnAnother + other.OnAnother,
	}
}

// Outdated returns how many nodes are not updated.
func (c NodeCounts) Outdated() int32 {
	return c.Total - c.Completed
}

// Behind returns how many nodes are not updated and have not just joined.
func (c NodeCounts) Behind() int32 {
	return max(c.Outdated()-c.Joined, 0)
}

// Unavailable returns how many nodes can't run workloads.
func (c NodeCounts) Unavailable() int32 {
	return c.Total - c.Available
}

// AreUnfinished returns whether the update of the nodes is in progress: it is not complete, and not only because of nodes whose version is
// unknown, such as those that have just joined.
func (c NodeCounts) AreUnfinished() bool {
	return c.Updating+c.OnAnother > 0
}

// AreCompleted returns whether all nodes are.
func (c NodeCounts) AreCompleted() bool {
	return c.Completed == c.Total
}

// Completion returns the share of completed nodes in percent. A pool without nodes is complete.
func (c NodeCounts) Completion() int32 {
	if c.AreCompleted() {
		return 100
	}
	return Percent(c.Completed, c.Total)
}

// Summaries returns the counts as they are reported.
func (c NodeCounts) Summaries() []updatev1alpha1.NodeSummary {
	return []updatev1alpha1.NodeSummary{
		{Type: updatev1alpha1.NodesTotal, Count: c.Total},
		{Type: updatev1alpha1.NodesAvailable, Count: c.Available},
		{Type: updatev1alpha1.NodesProgressing, Count: c.Progressing},
		{Type: updatev1alpha1.NodesOutdated, Count: c.Outdated()},
		{Type: updatev1alpha1.NodesDraining, Count: c.Draining},
		{Type: updatev1alpha1.NodesExcluded, Count: c.Excluded},
		{Type: updatev1alpha1.NodesDegraded, Count: c.Degraded},
	}
}

// Assess returns the first assessment of their pool that applies, which is unknown without a target.
func (c NodeCounts) Assess(hasTarget bool) updatev1alpha1.Assessment {
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
