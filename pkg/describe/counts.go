package describe

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// nodeCounts are numbers of nodes. A node can count in several of them.
type nodeCounts map[updatev1alpha1.NodeSummaryType]int32

func (c nodeCounts) total() int32 {
	return c[updatev1alpha1.NodesTotal]
}

// completed returns the number of nodes that are updated.
func (c nodeCounts) completed() int32 {
	return c.total() - c[updatev1alpha1.NodesOutdated]
}

// countsOf returns the sum of the pools' summaries, which are exact. Only if the pools have none, as with an older
// controller, it counts the nodes.
func countsOf(pools []*updatev1alpha1.MachineConfigPoolInsight, nodes []*updatev1alpha1.NodeInsight) nodeCounts {
	counts := nodeCounts{}
	for _, pool := range pools {
		for _, summary := range pool.Summaries {
			counts[summary.Type] += summary.Count
		}
	}
	if _, ok := counts[updatev1alpha1.NodesTotal]; !ok {
		return countNodes(nodes)
	}
	return counts
}

// countNodes counts nodes by the rules of the pool's summaries.
func countNodes(nodes []*updatev1alpha1.NodeInsight) nodeCounts {
	counts := nodeCounts{}
	for _, node := range nodes {
		state := insight.StateOf(node)
		for summary, applies := range map[updatev1alpha1.NodeSummaryType]bool{
			updatev1alpha1.NodesTotal:       true,
			updatev1alpha1.NodesAvailable:   state.Available,
			updatev1alpha1.NodesProgressing: state.Updating && !state.Degraded,
			updatev1alpha1.NodesOutdated:    state.Phase != insight.PhaseCompleted,
			updatev1alpha1.NodesDraining:    state.Phase == insight.PhaseDraining,
			updatev1alpha1.NodesExcluded:    state.Phase == insight.PhasePaused,
			updatev1alpha1.NodesDegraded:    state.Degraded,
		} {
			if applies {
				counts[summary]++
			}
		}
	}
	return counts
}
