package describe

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// cluster is what an UpdateStatus says, sorted the way it is shown.
type cluster struct {
	// conditions speak of the controller.
	conditions   []metav1.Condition
	controlPlane *controlPlane
	workerPools  []*workerPool
	health       []*updatev1alpha1.HealthInsight
}

// controlPlane is what is said of the control plane.
type controlPlane struct {
	conditions []metav1.Condition
	// version is nil while nothing has been said of the ClusterVersion.
	version   *updatev1alpha1.ClusterVersionInsight
	operators []*updatev1alpha1.ClusterOperatorInsight
	nodes     []*updatev1alpha1.NodeInsight
	counts    nodeCounts
}

// workerPool is what is said of a pool of worker nodes.
type workerPool struct {
	name       string
	conditions []metav1.Condition
	// pool is nil when nothing has been said of the MachineConfigPool.
	pool   *updatev1alpha1.MachineConfigPoolInsight
	nodes  []*updatev1alpha1.NodeInsight
	counts nodeCounts
	// joined is how many of the nodes have just joined the pool, and do not tell their version yet.
	joined int32
}

// insights are the insights about a part of the cluster, by kind.
type insights struct {
	versions  []*updatev1alpha1.ClusterVersionInsight
	operators []*updatev1alpha1.ClusterOperatorInsight
	pools     []*updatev1alpha1.MachineConfigPoolInsight
	nodes     []*updatev1alpha1.NodeInsight
	health    []*updatev1alpha1.HealthInsight
}

func readCluster(status *updatev1alpha1.UpdateStatusStatus) *cluster {
	c := &cluster{conditions: status.Conditions, controlPlane: &controlPlane{}}
	if status.ControlPlane != nil {
		said := readInsights(status.ControlPlane.Informers)
		c.controlPlane = readControlPlane(status.ControlPlane, said)
		c.health = append(c.health, said.health...)
	}
	for at := range status.WorkerPools {
		said := readInsights(status.WorkerPools[at].Informers)
		c.workerPools = append(c.workerPools, readWorkerPool(&status.WorkerPools[at], said))
		c.health = append(c.health, said.health...)
	}
	slices.SortStableFunc(c.workerPools, comparePools)
	slices.SortStableFunc(c.health, compareHealth)
	return c
}

// comparePools puts the pool that every cluster has before all others.
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

func readControlPlane(part *updatev1alpha1.ControlPlane, said insights) *controlPlane {
	cp := &controlPlane{
		conditions: part.Conditions,
		operators:  said.operators,
		nodes:      said.nodes,
		counts:     countsOf(said.pools, said.nodes),
	}
	if len(said.versions) > 0 {
		cp.version = said.versions[0]
	}
	slices.SortStableFunc(cp.operators, func(a, b *updatev1alpha1.ClusterOperatorInsight) int {
		return cmp.Compare(a.Name, b.Name)
	})
	return cp
}

func readWorkerPool(part *updatev1alpha1.WorkerPool, said insights) *workerPool {
	p := &workerPool{
		name:       part.Name,
		conditions: part.Conditions,
		nodes:      said.nodes,
		counts:     countsOf(said.pools, said.nodes),
	}
	if len(said.pools) > 0 {
		p.pool = said.pools[0]
	}
	for _, node := range said.nodes {
		state := insight.StateOf(node)
		p.joined += one(state.Phase != insight.PhaseCompleted && !state.Updating && !state.VersionKnown)
	}
	return p
}

// readInsights goes by the member that is set and not by the type, since that is what can be read.
func readInsights(informers []updatev1alpha1.Informer) insights {
	read := insights{
		versions:  members(informers, func(one *updatev1alpha1.Insight) *updatev1alpha1.ClusterVersionInsight { return one.ClusterVersion }),
		operators: members(informers, func(one *updatev1alpha1.Insight) *updatev1alpha1.ClusterOperatorInsight { return one.ClusterOperator }),
		pools: members(informers, func(one *updatev1alpha1.Insight) *updatev1alpha1.MachineConfigPoolInsight {
			return one.MachineConfigPool
		}),
		nodes:  members(informers, func(one *updatev1alpha1.Insight) *updatev1alpha1.NodeInsight { return one.Node }),
		health: members(informers, func(one *updatev1alpha1.Insight) *updatev1alpha1.HealthInsight { return one.Health }),
	}
	slices.SortStableFunc(read.nodes, func(a, b *updatev1alpha1.NodeInsight) int {
		return insight.CompareNodes(insight.StateOf(a), insight.StateOf(b), a.Name, b.Name)
	})
	return read
}

// members returns a member of the insights that have it.
func members[T any](informers []updatev1alpha1.Informer, member func(*updatev1alpha1.Insight) *T) []*T {
	var found []*T
	for i := range informers {
		for j := range informers[i].Insights {
			if one := member(&informers[i].Insights[j]); one != nil {
				found = append(found, one)
			}
		}
	}
	return found
}

// notUpdating is whether it is known that no part of the cluster is being updated. The update goes on until every worker
// pool that has nodes is complete.
func (c *cluster) notUpdating() bool {
	updating := c.controlPlane.updating()
	if updating == nil || updating.Status != metav1.ConditionFalse {
		return false
	}
	return !slices.ContainsFunc(c.workerPools, (*workerPool).unfinished)
}

func writeNotUpdating(p *page, c *cluster) {
	available := ifFalse(c.conditions, updatev1alpha1.ConditionAvailable)
	if available == nil {
		p.line("The cluster is not updating.")
		return
	}
	p.line("The cluster is not updating, as far as is known: %s", wordsOf(available))
}

// isKnown is whether it is known that the control plane is being updated, or that it is not.
func (cp *controlPlane) isKnown() bool {
	updating := cp.updating()
	return updating != nil && (updating.Status == metav1.ConditionTrue || updating.Status == metav1.ConditionFalse)
}

// updating is the summary of the control plane, or else what the ClusterVersion's insight says; nil if neither does.
func (cp *controlPlane) updating() *metav1.Condition {
	if updating := meta.FindStatusCondition(cp.conditions, updatev1alpha1.ConditionUpdating); updating != nil {
		return updating
	}
	if cp.version == nil {
		return nil
	}
	return meta.FindStatusCondition(cp.version.Conditions, updatev1alpha1.ConditionUpdating)
}

// unfinished is whether the pool has nodes and not all of them are updated. That nodes join a pool which is complete makes
// no update: once they run, they run the version of the others.
func (p *workerPool) unfinished() bool {
	completed := p.counts.completed()
	incomplete := completed < p.counts.total
	if p.pool != nil && p.counts.total > 0 {
		incomplete = p.pool.Completion < 100
	}
	return incomplete && (completed == 0 || p.counts.outdated > p.joined)
}

// wordsOf is what a condition says for people.
func wordsOf(condition *metav1.Condition) string {
	switch {
	case condition == nil:
		return "the controller says nothing about it"
	case condition.Message != "":
		return condition.Message
	default:
		return condition.Reason
	}
}
