package update

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Node is a node with what its conditions say.
type Node struct {
	*updatev1alpha1.NodeInsight

	State insight.NodeState
	// Target is the version that the node is updated to, empty if it is not known.
	Target string
}

// IsUpdated returns whether the node runs its target version and nothing is done to it.
func (n Node) IsUpdated() bool {
	return n.State.Phase == insight.PhaseCompleted && !n.State.Updating
}

// NeedsAttention returns whether the node is degraded or unavailable.
func (n Node) NeedsAttention() bool {
	assessment := n.State.Assessment()
	return assessment == insight.NodeDegraded || assessment == insight.NodeUnavailable
}

// PhaseSince returns when the node's present phase started, zero if that is not known.
func (n Node) PhaseSince() time.Time {
	for _, phase := range n.Phases {
		if insight.NodePhase(phase.Phase) == n.State.Phase {
			return phase.StartedAt.Time
		}
	}
	return time.Time{}
}

// Pool is a worker pool.
type Pool struct {
	Name       string
	Conditions []metav1.Condition
	// Insight is nil if there is none about the pool.
	Insight *updatev1alpha1.MachineConfigPoolInsight
	Nodes   []Node
	Counts  insight.NodeCounts
	// Stalled is the health insight that says why the pool makes no progress, nil if there is none.
	Stalled *updatev1alpha1.Insight
	// target is the version of a pool that has its own, as in a hosted cluster.
	target string
}

// CountNodes counts nodes.
func CountNodes(nodes []Node) insight.NodeCounts {
	var counts insight.NodeCounts
	for _, node := range nodes {
		counts.Add(node.State)
	}
	return counts
}

// countsOf counts the nodes of a pool, which may be nil. Where insights about nodes are left out, the pool's own counts are exact.
func countsOf(pool *updatev1alpha1.MachineConfigPoolInsight, nodes []Node) insight.NodeCounts {
	counts := CountNodes(nodes)
	if pool == nil {
		return counts
	}
	own := map[updatev1alpha1.NodeSummaryType]int32{}
	for _, summary := range pool.Summaries {
		own[summary.Type] = summary.Count
	}
	if counts.Total >= own[updatev1alpha1.NodesTotal] {
		return counts
	}
	failing := counts.Updating - counts.Progressing // they are never left out
	exact := insight.NodeCounts{
		Total: own[updatev1alpha1.NodesTotal], Completed: own[updatev1alpha1.NodesTotal] - own[updatev1alpha1.NodesOutdated],
		Updating: own[updatev1alpha1.NodesProgressing] + failing, Excluded: own[updatev1alpha1.NodesExcluded],
		Available: own[updatev1alpha1.NodesAvailable], Degraded: own[updatev1alpha1.NodesDegraded],
		Draining: own[updatev1alpha1.NodesDraining], Progressing: own[updatev1alpha1.NodesProgressing], Joined: counts.Joined,
	}
	exact.Pending = max(exact.Outdated()-exact.Updating-exact.Excluded, 0)
	return exact
}

func nodesOf(insights []*updatev1alpha1.NodeInsight) []Node {
	nodes := make([]Node, 0, len(insights))
	for _, one := range insights {
		nodes = append(nodes, Node{NodeInsight: one, State: insight.StateOf(one)})
	}
	return nodes
}

// setTargets sets the target of each node: that of the control plane, or in a hosted cluster that of the node's pool.
func (u *Update) setTargets() {
	whole := ""
	if version := u.ControlPlane.Version; version != nil && version.Versions.Target != nil {
		whole = version.Versions.Target.Version
	}
	for at := range u.ControlPlane.Nodes {
		u.ControlPlane.Nodes[at].Target = whole
	}
	for _, pool := range u.Pools {
		for at := range pool.Nodes {
			if pool.Nodes[at].Target = whole; u.IsHosted {
				pool.Nodes[at].Target = pool.target
			}
		}
	}
}

// LeftOut returns how many nodes the pools count that the status does not have.
func (u *Update) LeftOut() int32 {
	return u.Counts().Total - int32(len(u.Nodes()))
}

func compareNodes(a, b Node) int {
	return insight.CompareNodes(a.State, b.State, a.Name, b.Name)
}

// comparePools orders pools by name, after the pool that every cluster has.
func comparePools(a, b *Pool) int {
	switch {
	case a.Name == b.Name:
		return 0
	case a.Name == insight.DefaultWorkerPool:
		return -1
	case b.Name == insight.DefaultWorkerPool:
		return 1
	default:
		return cmp.Compare(a.Name, b.Name)
	}
}

// Nodes returns all nodes, those of the control plane first.
func (u *Update) Nodes() []Node {
	nodes := slices.Clone(u.ControlPlane.Nodes)
	for _, pool := range u.Pools {
		nodes = append(nodes, pool.Nodes...)
	}
	return nodes
}

// NodesByUrgency returns all nodes, the worst first.
func (u *Update) NodesByUrgency() []Node {
	nodes := u.Nodes()
	slices.SortStableFunc(nodes, compareNodes)
	return nodes
}

// Counts counts all nodes.
func (u *Update) Counts() insight.NodeCounts {
	all := u.ControlPlane.Counts
	for _, pool := range u.Pools {
		all = all.Plus(pool.Counts)
	}
	return all
}

// CountOperators counts the operators of the control plane.
func (u *Update) CountOperators() updatev1alpha1.SummaryOperators {
	var counts updatev1alpha1.SummaryOperators
	for _, one := range u.ControlPlane.Operators {
		counts.Total++
		switch one.State.Progress {
		case insight.OperatorUpdating:
			counts.Updating++
		case insight.OperatorUpdated:
			counts.Updated++
		case insight.OperatorWaiting:
			counts.Waiting++
		case insight.OperatorUnknown:
		}
		if one.State.Unhealthy {
			counts.Unhealthy++
		}
	}
	return counts
}

// IsUpdating returns whether the pool is being updated by its own insight. It counts nodes that are still to join in place of others.
func (p *Pool) IsUpdating() bool {
	return p.Insight != nil && meta.IsStatusConditionTrue(p.Insight.Conditions, updatev1alpha1.ConditionUpdating)
}

// IsPaused returns whether the nodes that are not updated wait for an administrator who paused the pool.
func (p *Pool) IsPaused() bool {
	return p.Counts.Behind() > 0 && p.Counts.Updating == 0 && p.Counts.Excluded > 0
}

// IsUnfinished returns whether the update of the pool goes on, or will without an administrator.
func (p *Pool) IsUnfinished() bool {
	return (p.IsUpdating() || p.Counts.Behind() > 0) && !p.IsPaused()
}

// IsComplete returns whether nothing of the pool is left to update. A pool without nodes is complete.
func (p *Pool) IsComplete() bool {
	return !p.IsUnfinished() && !p.IsPaused()
}

// CompareCompletion orders the pools that are not complete before those that are.
func CompareCompletion(a, b *Pool) int {
	switch {
	case a.IsComplete() == b.IsComplete():
		return 0
	case b.IsComplete():
		return -1
	default:
		return 1
	}
}

// HasNodes returns whether the pool has nodes, or is to have some: others are to join it in place of those that are gone.
func (p *Pool) HasNodes() bool {
	return p.Counts.Total > 0 || p.IsUpdating()
}

// IsLagging returns whether all nodes of the pool that are being updated are on their way to an earlier version than the target.
func (p *Pool) IsLagging() bool {
	return p.Counts.Updating > 0 && !slices.ContainsFunc(p.Nodes, func(node Node) bool { return node.State.Updating && node.UpdatingTo == "" })
}
