package describe

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// nodeCounts count nodes that have something in common. A node may count in several of them.
type nodeCounts struct {
	total, available, progressing, outdated, draining, excluded, degraded int32
}

// completed counts the nodes that are updated.
func (c *nodeCounts) completed() int32 {
	return c.total - c.outdated
}

// countsOf returns the counts of pools together. The pools' own summaries are exact; only where pools have none (an
// older controller, or one that has not seen them yet) the nodes at hand are counted.
func countsOf(pools []*updatev1alpha1.MachineConfigPoolInsight, nodes []*updatev1alpha1.NodeInsight) nodeCounts {
	var counts nodeCounts
	summarized := false
	for _, pool := range pools {
		for _, summary := range pool.Summaries {
			summarized = summarized || summary.Type == updatev1alpha1.NodesTotal
			counts.addSummary(summary)
		}
	}
	if !summarized {
		return countNodes(nodes)
	}
	return counts
}

func (c *nodeCounts) addSummary(summary updatev1alpha1.NodeSummary) {
	switch summary.Type {
	case updatev1alpha1.NodesTotal:
		c.total += summary.Count
	case updatev1alpha1.NodesAvailable:
		c.available += summary.Count
	case updatev1alpha1.NodesProgressing:
		c.progressing += summary.Count
	case updatev1alpha1.NodesOutdated:
		c.outdated += summary.Count
	case updatev1alpha1.NodesDraining:
		c.draining += summary.Count
	case updatev1alpha1.NodesExcluded:
		c.excluded += summary.Count
	case updatev1alpha1.NodesDegraded:
		c.degraded += summary.Count
	}
}

// countNodes counts nodes by the rules of the pool's summaries.
func countNodes(nodes []*updatev1alpha1.NodeInsight) nodeCounts {
	var counts nodeCounts
	for _, node := range nodes {
		state := insight.StateOf(node)
		counts.total++
		counts.available += one(state.Available)
		counts.progressing += one(state.Updating && !state.Degraded)
		counts.outdated += one(state.Phase != insight.PhaseCompleted)
		counts.draining += one(state.Phase == insight.PhaseDraining)
		counts.excluded += one(state.Phase == insight.PhasePaused)
		counts.degraded += one(state.Degraded)
	}
	return counts
}

func one(counts bool) int32 {
	if counts {
		return 1
	}
	return 0
}
