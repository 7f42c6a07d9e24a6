package insight

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// listedPhases are the phases of nodes that can be listed by name, in the order in which a pool lists them.
var listedPhases = []NodePhase{PhaseCompleted, PhasePaused, PhasePending}

// ListNodes returns insights in which the nodes that need no words have no insight: the insight about their pool lists them by
// name. The insights are not changed; those without such a node are returned as they are.
func ListNodes(insights []updatev1alpha1.Insight) []updatev1alpha1.Insight {
	pools := map[string]*updatev1alpha1.MachineConfigPoolInsight{}
	for at := range insights {
		if pool := PoolOf(&insights[at]); pool != nil {
			pools[pool.Name] = listNodesOf(pool, insights)
		}
	}
	var kept []updatev1alpha1.Insight
	for _, one := range insights {
		if pool := PoolOf(&one); pool != nil {
			one = WithPool(one, pools[pool.Name])
		}
		if node := one.Node; node == nil || !isListed(pools[node.Pool], node) {
			kept = append(kept, one)
		}
	}
	return kept
}

// listNodesOf returns a pool with its nodes that need no words.
func listNodesOf(pool *updatev1alpha1.MachineConfigPoolInsight, insights []updatev1alpha1.Insight) *updatev1alpha1.MachineConfigPoolInsight {
	listed := *pool
	listed.NodeGroups = nil
	for _, one := range insights {
		if one.Node != nil && one.Node.Pool == pool.Name && isUnremarkable(one.Node) {
			phase := string(StateOf(one.Node).Phase)
			at := slices.IndexFunc(listed.NodeGroups, func(group updatev1alpha1.NodeGroup) bool { return isIn(group, phase, one.Node.Version) })
			if at < 0 {
				at = len(listed.NodeGroups)
				listed.NodeGroups = append(listed.NodeGroups, updatev1alpha1.NodeGroup{Phase: phase, Version: one.Node.Version})
			}
			listed.NodeGroups[at].Names = append(listed.NodeGroups[at].Names, one.Node.Name)
		}
	}
	slices.SortFunc(listed.NodeGroups, func(a, b updatev1alpha1.NodeGroup) int {
		return cmp.Or(
			cmp.Compare(slices.Index(listedPhases, NodePhase(a.Phase)), slices.Index(listedPhases, NodePhase(b.Phase))),
			cmp.Compare(a.Version, b.Version),
		)
	})
	listed.NodeGroups = listed.NodeGroups[:min(len(listed.NodeGroups), updatev1alpha1.NodeGroupsMax)]
	for _, group := range listed.NodeGroups {
		slices.Sort(group.Names)
	}
	return &listed
}

func isIn(group updatev1alpha1.NodeGroup, phase, version string) bool {
	return group.Phase == phase && group.Version == version
}

// isListed returns whether a pool, which may be nil, lists a node. That with more groups than the API allows does not list all.
func isListed(pool *updatev1alpha1.MachineConfigPoolInsight, node *updatev1alpha1.NodeInsight) bool {
	if pool == nil || !isUnremarkable(node) {
		return false
	}
	phase := string(StateOf(node).Phase)
	return slices.ContainsFunc(pool.NodeGroups, func(group updatev1alpha1.NodeGroup) bool { return isIn(group, phase, node.Version) })
}

// isUnremarkable returns whether a node's phase and version say everything about it, but for times.
func isUnremarkable(node *updatev1alpha1.NodeInsight) bool {
	state := StateOf(node)
	if !slices.Contains(listedPhases, state.Phase) || state.Updating || state.Degraded || !state.Available {
		return false
	}
	return node.Message == "" && !slices.ContainsFunc(node.Conditions, func(condition metav1.Condition) bool { return condition.Message != "" })
}

// WithListedNodes returns insights in which every node has one. Those of listed nodes have no times.
func WithListedNodes(insights []updatev1alpha1.Insight) []updatev1alpha1.Insight {
	all := insights
	for at := range insights {
		if pool := PoolOf(&insights[at]); pool != nil && len(pool.NodeGroups) > 0 {
			all = slices.Concat(all, listedNodes(pool))
			whole := *pool
			whole.NodeGroups = nil
			all[at] = WithPool(all[at], &whole)
		}
	}
	return all
}

func listedNodes(pool *updatev1alpha1.MachineConfigPoolInsight) []updatev1alpha1.Insight {
	var nodes []updatev1alpha1.Insight
	for _, group := range pool.NodeGroups {
		for _, name := range group.Names {
			nodes = append(nodes, updatev1alpha1.Insight{
				UID: UID("node", name), Type: updatev1alpha1.InsightNode, Node: ListedNode(pool, group, name),
			})
		}
	}
	return nodes
}

// ListedNode returns the insight about a node of a group of a pool. It has no times.
func ListedNode(pool *updatev1alpha1.MachineConfigPoolInsight, group updatev1alpha1.NodeGroup, name string) *updatev1alpha1.NodeInsight {
	node := &updatev1alpha1.NodeInsight{
		Name:     name,
		Resource: updatev1alpha1.ResourceRef{Resource: "nodes", Name: name},
		Pool:     pool.Resource.Name,
		Version:  group.Version,
		Conditions: []metav1.Condition{
			{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionFalse, Reason: group.Phase},
			{Type: updatev1alpha1.ConditionAvailable, Status: metav1.ConditionTrue, Reason: updatev1alpha1.ReasonAsExpected},
			{Type: updatev1alpha1.ConditionDegraded, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonAsExpected},
		},
	}
	if NodePhase(group.Phase) != PhasePending {
		node.EstimatedSeconds = Seconds(0)
	}
	return node
}

// StatusWithListedNodes returns a status in which every node has an insight.
func StatusWithListedNodes(status *updatev1alpha1.UpdateStatusStatus) *updatev1alpha1.UpdateStatusStatus {
	return WithInsights(status, func(_ Part, _ string, insights []updatev1alpha1.Insight) []updatev1alpha1.Insight {
		return WithListedNodes(insights)
	})
}

// WithInsights returns a copy of a status with the insights that a function returns, which gets those of each informer. It shares
// the insights that the function does not change.
func WithInsights(
	status *updatev1alpha1.UpdateStatusStatus, change func(part Part, informer string, insights []updatev1alpha1.Insight) []updatev1alpha1.Insight,
) *updatev1alpha1.UpdateStatusStatus {
	copied := *status
	copied.Conditions = slices.Clone(status.Conditions)
	changed := func(part Part, informers []updatev1alpha1.Informer) []updatev1alpha1.Informer {
		informers = slices.Clone(informers)
		for at := range informers {
			informers[at].Insights = change(part, informers[at].Name, informers[at].Insights)
		}
		return informers
	}
	if status.ControlPlane != nil {
		cp := *status.ControlPlane
		cp.Conditions, cp.Informers = slices.Clone(cp.Conditions), changed(ControlPlane, cp.Informers)
		copied.ControlPlane = &cp
	}
	copied.WorkerPools = slices.Clone(status.WorkerPools)
	for at := range copied.WorkerPools {
		pool := &copied.WorkerPools[at]
		pool.Conditions, pool.Informers = slices.Clone(pool.Conditions), changed(Part{WorkerPool: pool.Name}, pool.Informers)
	}
	return &copied
}
