package summary

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/causes"
	"github.com/openshift/cluster-version-operator/pkg/estimate"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// cluster is an UpdateStatus, read and counted.
type cluster struct {
	// updating is the condition of the control plane, nil if there is none.
	updating  *metav1.Condition
	version   *updatev1alpha1.ClusterVersionInsight
	operators []*updatev1alpha1.ClusterOperatorInsight
	// masters are the nodes of the control plane, and pools the worker pools with nodes.
	masters nodes
	pools   []pool
	// poolNodes are all pools with nodes, for the estimates.
	poolNodes []estimate.PoolNodes
	// updatingNodes are the nodes that are being updated, and poolOf the pool of each node.
	updatingNodes []*updatev1alpha1.NodeInsight
	poolOf        map[string]string
	// versions are those that nodes run, as far as they are known.
	versions map[string]bool
	// health are all health insights, and causes the same with what they cause below them.
	health []causes.Insight
	causes []causes.Group
}

// pool is a worker pool that has nodes, or is to have some.
type pool struct {
	name    string
	insight *updatev1alpha1.MachineConfigPoolInsight
	nodes   nodes
}

// nodes counts nodes.
type nodes struct {
	updatev1alpha1.SummaryNodes

	// behind counts the nodes that are not updated, without those that have just joined.
	behind int32
}

func readCluster(status *updatev1alpha1.UpdateStatusStatus) *cluster {
	c := &cluster{poolOf: map[string]string{}, versions: map[string]bool{}}
	if status.ControlPlane != nil {
		c.updating = meta.FindStatusCondition(status.ControlPlane.Conditions, updatev1alpha1.ConditionUpdating)
		_ = c.read(status.ControlPlane.Informers, &c.masters)
	}
	for at := range status.WorkerPools {
		one := pool{name: status.WorkerPools[at].Name}
		one.insight = c.read(status.WorkerPools[at].Informers, &one.nodes)
		if one.nodes.Total > 0 || one.waitsForNodes() {
			c.pools = append(c.pools, one)
		}
	}
	c.causes = causes.Tree(c.health)
	return c
}

// read reads the insights about a part of the cluster, counts its nodes, and returns the insight about its pool.
func (c *cluster) read(informers []updatev1alpha1.Informer, counted *nodes) *updatev1alpha1.MachineConfigPoolInsight {
	part := insight.Read(informers)
	c.version = cmp.Or(c.version, part.Version)
	c.operators = append(c.operators, part.Operators...)
	for _, one := range part.Health {
		c.health = append(c.health, causes.Insight{Insight: one.Insight, Informer: one.Informer})
	}
	found := map[string]*estimate.PoolNodes{}
	for _, one := range part.Pools {
		found[one.Name] = &estimate.PoolNodes{Insight: one}
	}
	for _, node := range part.Nodes {
		c.poolOf[node.Name] = node.PoolResource.Name
		if node.Version != "" {
			c.versions[node.Version] = true
		}
		state := insight.StateOf(node)
		counted.add(state)
		if state.Updating {
			c.updatingNodes = append(c.updatingNodes, node)
		}
		if of := found[node.PoolResource.Name]; of != nil {
			of.Nodes = append(of.Nodes, node)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if len(found[name].Nodes) > 0 {
			c.poolNodes = append(c.poolNodes, *found[name])
		}
	}
	if len(part.Pools) == 0 {
		return nil
	}
	return part.Pools[0]
}

func (n *nodes) add(state insight.NodeState) {
	n.Total++
	switch {
	case state.Updating:
		n.Updating++
	case state.Phase == insight.PhaseCompleted:
		n.Completed++
	case state.Phase == insight.PhasePaused:
		n.Excluded++
	default:
		n.Pending++
	}
	if state.Degraded {
		n.Degraded++
	}
	if !state.Available {
		n.Unavailable++
	}
	if state.IsBehind() {
		n.behind++
	}
}

// all counts the nodes of the whole cluster.
func (c *cluster) all() nodes {
	all := c.masters
	for _, one := range c.pools {
		all.Total += one.nodes.Total
		all.Updating += one.nodes.Updating
		all.Completed += one.nodes.Completed
		all.Excluded += one.nodes.Excluded
		all.Pending += one.nodes.Pending
		all.Degraded += one.nodes.Degraded
		all.Unavailable += one.nodes.Unavailable
		all.behind += one.nodes.behind
	}
	all.Progress = fmt.Sprintf("%d/%d", all.Completed, all.Total)
	return all
}

// isPaused returns whether the nodes that are not updated wait for an administrator who paused the pool.
func (p pool) isPaused() bool {
	return p.nodes.behind > 0 && p.nodes.Updating == 0 && p.nodes.Excluded > 0
}

// isLagging returns whether all nodes of the pool that are being updated are on their way to an earlier version than the target.
func (c *cluster) isLagging(one pool) bool {
	onItsWay := 0
	for _, node := range c.updatingNodes {
		if c.poolOf[node.Name] != one.name {
			continue
		}
		if !strings.HasPrefix(updatingMessage(node.Conditions), assess.OnItsWayMessage) {
			return false
		}
		onItsWay++
	}
	return onItsWay > 0
}

// isUpdating returns whether the pool is being updated by its own insight. It counts nodes that are still to join in place of others.
func (p pool) isUpdating() bool {
	return p.insight != nil && meta.IsStatusConditionTrue(p.insight.Conditions, updatev1alpha1.ConditionUpdating)
}

// waitsForNodes returns whether the pool has no nodes because others are to join it in their place. Of a pool that has some by its
// own count, the nodes are not known.
func (p pool) waitsForNodes() bool {
	return p.isUpdating() && slices.Contains(p.insight.Summaries, updatev1alpha1.NodeSummary{Type: updatev1alpha1.NodesTotal})
}

// isUnfinished returns whether the update of the pool goes on, or will without an administrator.
func (p pool) isUnfinished() bool {
	return (p.isUpdating() || p.nodes.behind > 0) && !p.isPaused()
}

// poolNames returns the names of the pools for which a function holds, in alphabetical order.
func (c *cluster) poolNames(holds func(pool) bool) []string {
	var names []string
	for _, one := range c.pools {
		if holds(one) {
			names = append(names, one.name)
		}
	}
	slices.Sort(names)
	return names
}

// countOperators counts cluster operators.
func (c *cluster) countOperators() updatev1alpha1.SummaryOperators {
	var counts updatev1alpha1.SummaryOperators
	for _, one := range c.operators {
		counts.Total++
		state := insight.OperatorStateOf(one)
		switch state.Progress {
		case insight.OperatorUpdating:
			counts.Updating++
		case insight.OperatorUpdated:
			counts.Updated++
		case insight.OperatorWaiting:
			counts.Waiting++
		case insight.OperatorUnknown:
		}
		if state.Unhealthy {
			counts.Unhealthy++
		}
	}
	return counts
}
