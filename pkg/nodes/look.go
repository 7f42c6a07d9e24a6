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

// look assesses what a key is about, and returns the nodes that were assessed. All are while not all was reported, and if
// they are assessed for another target than before.
func (c *Controller) look(ctx context.Context, key string, now time.Time) (message insight.Message, nodes []string, err error) {
	if node, isNews, isNode := nodeOf(key); isNode && c.complete {
		message, err = c.one(ctx, node, isNews, now)
		return message, []string{node}, err
	}
	changed := c.changes.take()
	// Where the look fails these changes are known no more.
	defer func() { c.complete = c.complete && err == nil }()
	around, err := c.gatherer.surroundings()
	if err != nil {
		return message, nil, err
	}
	if key == something && c.complete && around.sameTarget(c.around) {
		c.around = around
		return c.some(ctx, changed, now)
	}
	message, err = c.all(ctx, around, now)
	return message, slices.Collect(maps.Keys(c.roster.nodes)), err
}

// some assesses the nodes that changes concern, the pools among these, and those whose counts change.
func (c *Controller) some(ctx context.Context, of changed, now time.Time) (insight.Message, []string, error) {
	message, pools := insight.Message{Source: insight.NodeInformer}, slices.Collect(maps.Keys(of.pools))
	var nodes []string
	for _, name := range c.roster.concerned(of) {
		node, err := c.gatherer.node(name)
		if err != nil {
			return message, nil, err
		}
		if node == nil {
			continue // it has a key of its own
		}
		report, counting, err := c.assessNode(ctx, node, c.roster.recall(name), now)
		if err != nil {
			return message, nil, err
		}
		nodes = append(nodes, name)
		message.Reports = append(message.Reports, report)
		pools = append(pools, counting...)
	}
	return c.withPools(message, pools), nodes, nil
}

// one assesses a node and the pools whose counts it changes.
func (c *Controller) one(ctx context.Context, name string, isNews bool, now time.Time) (insight.Message, error) {
	message := insight.Message{Source: insight.NodeInformer}
	node, err := c.gatherer.node(name)
	if err != nil || !isNews && !c.roster.isNews(name, node, now) {
		return message, err
	}
	if node == nil {
		c.drains.Forget(name)
		message.Reports = append(message.Reports, insight.Report{Subject: assess.NodeSubject(name)})
		return c.withPools(message, c.roster.drop(name)), nil
	}
	report, changed, err := c.assessNode(ctx, node, c.roster.recall(name), now)
	if err != nil {
		return message, err
	}
	message.Reports = append(message.Reports, report)
	return c.withPools(message, changed), nil
}

// withPools adds the reports of pools whose counts change.
func (c *Controller) withPools(message insight.Message, changed []string) insight.Message {
	for _, pool := range c.around.pools {
		if slices.Contains(changed, pool.Name) {
			message.Reports = append(message.Reports, c.assessPool(pool))
		}
	}
	return message
}

// all assesses every node and every pool anew, and takes back what was said about those that are gone.
//
// Until it has done so once, it waits for what keeps the nodes that drain for long: what the object in the cluster says of
// them would be taken back otherwise, and be said anew a moment later.
func (c *Controller) all(ctx context.Context, around surroundings, now time.Time) (insight.Message, error) {
	message := insight.Message{Source: insight.NodeInformer, State: &insight.State{Complete: true, Target: around.of}}
	if len(around.pools) == 0 {
		message.State = assess.NoMachineConfigPools()
	}
	all, err := c.gatherer.allNodes()
	if err != nil {
		return message, err
	}
	if c.began.IsZero() {
		c.began = now
	}
	before := c.roster
	c.around, c.roster = around, newRoster()
	for _, node := range all {
		report, _, err := c.assessNode(ctx, node, before.recall(node.Name), now)
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
	gone := c.pools
	c.pools = map[string]bool{}
	for _, pool := range c.around.pools {
		reports = append(reports, c.assessPool(pool))
		c.pools[pool.Name] = true
		delete(gone, pool.Name)
	}
	for name := range gone {
		reports = append(reports, insight.Report{Subject: assess.MachineConfigPoolSubject(name)})
	}
	return reports
}

// assessNode returns the report of a node and the pools whose counts change.
func (c *Controller) assessNode(ctx context.Context, node *corev1.Node, before memory, now time.Time) (insight.Report, []string, error) {
	membership := c.around.byNode.Of(node)
	if membership.Pool == nil {
		c.drains.Forget(node.Name)
		return insight.Report{Subject: assess.NodeSubject(node.Name)}, c.roster.put(entry{seen: node}), nil
	}
	result, drain, err := c.assess(ctx, assess.NodeInput{
		Node: node, Pool: membership.Pool, Custom: membership.Custom,
		VersionOf: c.gatherer.versionOf, Target: c.around.target,
	}, before, now)
	if err != nil {
		return insight.Report{}, nil, err
	}
	return result.Report, c.roster.put(entry{
		seen: node, pool: membership.Pool.Name, nextCheck: result.NextCheck, drain: drain,
		state: insight.StateOf(result.Report.Insights[0].Insight.Node),
	}), nil
}

func (c *Controller) assessPool(pool *machineconfigv1.MachineConfigPool) insight.Report {
	return assess.MachineConfigPool(assess.MachineConfigPoolInput{
		Pool: pool, Nodes: c.roster.pools[pool.Name], Target: c.around.target,
		SelectorError: c.around.byNode.Unparsable[pool.Name],
	}).Report
}
