package describe

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/causes"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// cluster has the contents of an UpdateStatus in the order of the text.
type cluster struct {
	// conditions are those of the controller.
	conditions   []metav1.Condition
	controlPlane *controlPlane
	workerPools  []*workerPool
	health       []healthInsight
	// causes are the same, with what they cause below them.
	causes []causes.Group
}

type controlPlane struct {
	conditions []metav1.Condition
	// version is nil if there is no insight about the ClusterVersion.
	version   *updatev1alpha1.ClusterVersionInsight
	operators []*updatev1alpha1.ClusterOperatorInsight
	nodes     []*updatev1alpha1.NodeInsight
	counts    nodeCounts
}

type workerPool struct {
	name       string
	conditions []metav1.Condition
	// pool is nil if there is no insight about the MachineConfigPool.
	pool   *updatev1alpha1.MachineConfigPoolInsight
	nodes  []*updatev1alpha1.NodeInsight
	counts nodeCounts
	// joined is the number of nodes that joined the pool just now and have no version yet.
	joined int32
}

// healthInsight is a health insight with what names it.
type healthInsight struct {
	*updatev1alpha1.HealthInsight

	insight causes.Insight
}

func readCluster(status *updatev1alpha1.UpdateStatusStatus) *cluster {
	status = insight.StatusWithListedNodes(status)
	c := &cluster{conditions: status.Conditions, controlPlane: &controlPlane{}}
	if status.ControlPlane != nil {
		all := insight.Read(status.ControlPlane.Informers)
		c.controlPlane = readControlPlane(status.ControlPlane, all)
		c.addHealth(all)
	}
	for i := range status.WorkerPools {
		all := insight.Read(status.WorkerPools[i].Informers)
		c.workerPools = append(c.workerPools, readWorkerPool(&status.WorkerPools[i], all))
		c.addHealth(all)
	}
	slices.SortStableFunc(c.workerPools, comparePools)
	slices.SortStableFunc(c.health, compareHealth)
	all := make([]causes.Insight, 0, len(c.health))
	for _, health := range c.health {
		all = append(all, health.insight)
	}
	c.causes = causes.Tree(all)
	return c
}

// comparePools orders pools by name, after the pool that every cluster has.
func comparePools(a, b *workerPool) int {
	switch {
	case a.name == b.name:
		return 0
	case a.name == insight.DefaultWorkerPool:
		return -1
	case b.name == insight.DefaultWorkerPool:
		return 1
	default:
		return cmp.Compare(a.name, b.name)
	}
}

func readControlPlane(part *updatev1alpha1.ControlPlane, all insight.Contents) *controlPlane {
	cp := &controlPlane{
		conditions: part.Conditions,
		version:    all.Version,
		operators:  all.Operators,
		nodes:      all.Nodes,
		counts:     countsOf(all.Pools, all.Nodes),
	}
	slices.SortStableFunc(cp.nodes, compareNodes)
	slices.SortStableFunc(cp.operators, func(a, b *updatev1alpha1.ClusterOperatorInsight) int {
		return cmp.Compare(a.Name, b.Name)
	})
	return cp
}

func readWorkerPool(part *updatev1alpha1.WorkerPool, all insight.Contents) *workerPool {
	p := &workerPool{
		name:       part.Name,
		conditions: part.Conditions,
		nodes:      all.Nodes,
		counts:     countsOf(all.Pools, all.Nodes),
	}
	slices.SortStableFunc(p.nodes, compareNodes)
	if len(all.Pools) > 0 {
		p.pool = all.Pools[0]
	}
	for _, node := range all.Nodes {
		if insight.StateOf(node).HasJoined() {
			p.joined++
		}
	}
	return p
}

func compareNodes(a, b *updatev1alpha1.NodeInsight) int {
	return insight.CompareNodes(insight.StateOf(a), insight.StateOf(b), a.Name, b.Name)
}

func (c *cluster) addHealth(all insight.Contents) {
	for _, one := range all.Health {
		c.health = append(c.health, healthInsight{one.Health, causes.Insight{Insight: one.Insight, Informer: one.Informer}})
	}
}

// allNodes returns the nodes of all parts, the worst first.
func (c *cluster) allNodes() []*updatev1alpha1.NodeInsight {
	nodes := slices.Clone(c.controlPlane.nodes)
	for _, pool := range c.workerPools {
		nodes = append(nodes, pool.nodes...)
	}
	slices.SortStableFunc(nodes, compareNodes)
	return nodes
}

// notUpdating returns whether no part of the cluster is being updated. An update lasts until every worker pool with nodes is
// complete.
func (c *cluster) notUpdating() bool {
	updating := c.controlPlane.updating()
	if updating == nil || updating.Status != metav1.ConditionFalse {
		return false
	}
	return !slices.ContainsFunc(c.workerPools, (*workerPool).unfinished)
}

func writeNotUpdating(p *page, c *cluster) {
	if unavailable := messageIfFalse(c.conditions, updatev1alpha1.ConditionAvailable); unavailable != "" {
		p.line("The cluster is not updating, but this may be outdated: %s", unavailable)
		return
	}
	p.line("The cluster is not updating.")
}

// isKnown returns whether the control plane is known to be updating or not.
func (cp *controlPlane) isKnown() bool {
	updating := cp.updating()
	return updating != nil && (updating.Status == metav1.ConditionTrue || updating.Status == metav1.ConditionFalse)
}

// updating returns the Updating condition of the control plane, or else of the ClusterVersion's insight, nil if neither has
// it.
func (cp *controlPlane) updating() *metav1.Condition {
	if updating := meta.FindStatusCondition(cp.conditions, updatev1alpha1.ConditionUpdating); updating != nil {
		return updating
	}
	if cp.version == nil {
		return nil
	}
	return meta.FindStatusCondition(cp.version.Conditions, updatev1alpha1.ConditionUpdating)
}

// unfinished returns whether the pool has nodes and not all of them are updated. Nodes that have just joined don't make it
// unfinished: no version of theirs is known that would be behind.
func (p *workerPool) unfinished() bool {
	if p.pool != nil && meta.IsStatusConditionTrue(p.pool.Conditions, updatev1alpha1.ConditionUpdating) {
		return true // others are still to join it, in place of those that are gone
	}
	completed := p.counts.completed()
	incomplete := completed < p.counts.total()
	if p.pool != nil && p.counts.total() > 0 {
		incomplete = p.pool.Completion < 100
	}
	return incomplete && p.counts[updatev1alpha1.NodesOutdated] > p.joined
}
