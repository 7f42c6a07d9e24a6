package nodes

import (
	"context"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// assessKey assesses what a key is about, and returns the nodes that were assessed. All are until everything has been
// reported, and if they are assessed for another target than before.
func (c *Controller) assessKey(ctx context.Context, key string, now time.Time) (message insight.Message, nodes []string, err error) {
	if node, isForced, isNode := nodeOf(key); isNode && c.complete {
		message, err = c.assessOne(ctx, node, isForced, now)
		return message, []string{node}, err
	}
	changes := c.changes.take()
	// These changes are pending no more, so that all has to be assessed again if this fails.
	defer func() { c.complete = c.complete && err == nil }()
	current, err := c.gatherer.clusterContext()
	if err != nil {
		return message, nil, err
	}
	if key == pendingChangesKey && c.complete && current.hasTargetOf(c.cluster) {
		c.cluster = current
		return c.assessAffected(ctx, changes, now)
	}
	message, err = c.assessAll(ctx, current, now)
	return message, slices.Collect(maps.Keys(c.assessed.nodes)), err
}

// assessAffected assesses the nodes that changes concern, the pools among these, and those whose counts change.
func (c *Controller) assessAffected(ctx context.Context, changes pendingChanges, now time.Time) (insight.Message, []string, error) {
	message, pools := insight.Message{Source: insight.NodeInformer}, slices.Collect(maps.Keys(changes.pools))
	var nodes []string
	for _, name := range c.assessed.affectedBy(changes) {
		node, err := c.gatherer.node(name)
		if err != nil {
			return message, nil, err
		}
		if node == nil {
			continue // it has a key of its own
		}
		report, counting, err := c.assessNode(ctx, node, c.assessed.nodes[name], now)
		if err != nil {
			return message, nil, err
		}
		nodes = append(nodes, name)
		message.Reports = append(message.Reports, report)
		pools = append(pools, counting...)
	}
	return c.withPools(message, pools), nodes, nil
}

// assessOne assesses a node and the pools whose counts it changes.
func (c *Controller) assessOne(ctx context.Context, name string, isForced bool, now time.Time) (insight.Message, error) {
	message := insight.Message{Source: insight.NodeInformer}
	node, err := c.gatherer.node(name)
	if err != nil || !isForced && !c.assessed.needsAssessment(name, node, c.gatherer.machineConfigNode(name), now) {
		return message, err
	}
	if node == nil {
		c.drains.Forget(name)
		message.Reports = append(message.Reports, insight.Report{Subject: assess.NodeSubject(name)})
		return c.withPools(message, c.assessed.remove(name)), nil
	}
	report, changed, err := c.assessNode(ctx, node, c.assessed.nodes[name], now)
	if err != nil {
		return message, err
	}
	message.Reports = append(message.Reports, report)
	return c.withPools(message, changed), nil
}

// withPools adds the reports of pools whose counts change.
func (c *Controller) withPools(message insight.Message, changed []string) insight.Message {
	for _, pool := range c.cluster.pools {
		if slices.Contains(changed, pool.Name) {
			message.Reports = append(message.Reports, c.assessPool(pool))
		}
	}
	return message
}

// assessAll assesses every node and every pool, and takes back the reports of those that were deleted.
//
// The first time it waits for the blockers of long drains to be read: their insights in the object would be taken back
// otherwise, and reported again a moment later.
func (c *Controller) assessAll(ctx context.Context, current clusterContext, now time.Time) (insight.Message, error) {
	message := insight.Message{Source: insight.NodeInformer, State: &insight.State{Complete: true, Target: current.targetName}}
	if len(current.pools) == 0 {
		message.State = assess.NoMachineConfigPools()
	}
	all, err := c.gatherer.allNodes()
	if err != nil {
		return message, err
	}
	if c.started.IsZero() {
		c.started = now
	}
	before := c.assessed
	c.cluster, c.assessed = current, newAssessedNodes()
	for _, node := range all {
		report, _, err := c.assessNode(ctx, node, before.nodes[node.Name], now)
		if err != nil {
			return message, err
		}
		message.Reports = append(message.Reports, report)
		delete(before.nodes, node.Name)
	}
	for name := range before.nodes {
		c.drains.Forget(name)
		message.Reports = append(message.Reports, insight.Report{Subject: assess.NodeSubject(name)})
	}
	if c.awaitsDrains(now) {
		return insight.Message{}, nil
	}
	message.Reports = append(message.Reports, c.assessPools()...)
	return message, nil
}

func (c *Controller) assessPools() []insight.Report {
	var reports []insight.Report
	deleted := c.reportedPools
	c.reportedPools = map[string]bool{}
	for _, pool := range c.cluster.pools {
		reports = append(reports, c.assessPool(pool))
		c.reportedPools[pool.Name] = true
		delete(deleted, pool.Name)
	}
	for name := range deleted {
		reports = append(reports, insight.Report{Subject: assess.MachineConfigPoolSubject(name)})
	}
	return reports
}

// assessNode returns the report of a node and the pools whose counts change.
func (c *Controller) assessNode(
	ctx context.Context, node *corev1.Node, previous assessedNode, now time.Time,
) (insight.Report, []string, error) {
	membership := c.cluster.byNode.Of(node)
	if membership.Pool == nil {
		c.drains.Forget(node.Name)
		return insight.Report{Subject: assess.NodeSubject(node.Name)},
			c.assessed.put(assessedNode{node: node, machineConfigNode: c.gatherer.machineConfigNode(node.Name)}), nil
	}
	machineConfigNode := c.gatherer.machineConfigNode(node.Name)
	result, drain, err := c.assessWithDrain(ctx, assess.NodeInput{
		Node: node, Pool: membership.Pool, Custom: membership.Custom, MachineConfigNode: machineConfigNode,
		VersionOf: c.gatherer.versionOf, Target: c.cluster.target,
	}, previous, now)
	if err != nil {
		return insight.Report{}, nil, err
	}
	return result.Report, c.assessed.put(assessedNode{
		node: node, machineConfigNode: machineConfigNode, pool: membership.Pool.Name, nextCheck: result.NextCheck, drain: drain,
		state: insight.StateOf(result.Report.Insights[0].Insight.Node),
	}), nil
}

func (c *Controller) assessPool(pool *machineconfigv1.MachineConfigPool) insight.Report {
	return assess.MachineConfigPool(assess.MachineConfigPoolInput{
		Pool: pool, Nodes: c.assessed.pools[pool.Name], Target: c.cluster.target,
		SelectorError: c.cluster.byNode.Unparsable[pool.Name],
	}).Report
}
