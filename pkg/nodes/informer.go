package nodes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
	configlisters "github.com/openshift/client-go/config/listers/config/v1"
	machineconfiglisters "github.com/openshift/client-go/machineconfiguration/listers/machineconfiguration/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

const name = "NodeInformer"

// Controller reports how far the nodes and their pools are. Any change of a Node, a MachineConfigPool, a MachineConfig
// or of the ClusterVersion's target triggers it, if it changes anything that is assessed, and the moment at which an
// assessment changes by itself; it writes nothing but messages to the primary controller.
type Controller struct {
	factory.Controller

	clock    clock.PassiveClock
	gatherer gatherer
	send     insight.Send
	// context has the queue.
	context factory.SyncContext
	changes *changes

	drains     Drains
	keptDrains KeptDrains

	// What follows is touched by the one worker only.

	around surroundings
	roster roster
	// pools are those that have been reported.
	pools map[string]bool
	// began is when everything was first looked at, and complete whether it has been reported once.
	began    time.Time
	complete bool
	// kept is what keptDrains returned, nil if it was not needed yet.
	kept map[string]time.Time
}

// Input is what the controller is made from. The informers' objects may be trimmed (Trim).
type Input struct {
	Clock              clock.PassiveClock
	ClusterVersions    cache.SharedIndexInformer
	MachineConfigPools cache.SharedIndexInformer
	// MachineConfigs holds metadata only (metav1.PartialObjectMetadata): a MachineConfig has hundreds of KiB.
	MachineConfigs cache.SharedIndexInformer
	Nodes          cache.SharedIndexInformer
	Send           insight.Send
	// Drains reads what keeps nodes that drain for long, and calls Explain when that has changed.
	Drains     Drains
	KeptDrains KeptDrains
	Recorder   events.Recorder
}

// New returns the controller. It adds its event handlers to the informers.
func New(in Input) (*Controller, error) {
	syncContext := factory.NewSyncContext(name, in.Recorder)
	queue := func(key string) {
		if key == something {
			syncContext.Queue().AddAfter(key, gathering)
			return
		}
		syncContext.Queue().Add(key)
	}
	changes := newChanges()
	informers := []cache.SharedIndexInformer{in.ClusterVersions, in.MachineConfigPools, in.MachineConfigs, in.Nodes}
	bare := make([]factory.Informer, 0, len(informers))
	for _, informer := range informers {
		if _, err := informer.AddEventHandler(changes.handler(queue)); err != nil {
			return nil, fmt.Errorf("watching the nodes: %w", err)
		}
		bare = append(bare, informer)
	}
	c := &Controller{
		clock: in.Clock,
		gatherer: gatherer{
			clusterVersions: configlisters.NewClusterVersionLister(in.ClusterVersions.GetIndexer()),
			pools:           machineconfiglisters.NewMachineConfigPoolLister(in.MachineConfigPools.GetIndexer()),
			nodes:           corelisters.NewNodeLister(in.Nodes.GetIndexer()),
			machineConfigs:  in.MachineConfigs.GetStore(),
		},
		send:       in.Send,
		context:    syncContext,
		changes:    changes,
		drains:     in.Drains,
		keptDrains: in.KeptDrains,
		roster:     newRoster(),
		pools:      map[string]bool{},
	}
	c.Controller = factory.New().
		WithSync(c.sync).
		WithSyncContext(syncContext).
		WithBareInformers(bare...).
		WithPostStartHooks(func(context.Context, factory.SyncContext) error {
			c.Resync()
			return nil
		}).
		ToController(name, in.Recorder)
	return c, nil
}

// Resync reports everything once more.
func (c *Controller) Resync() {
	c.context.Queue().Add(everything)
}

// sync assesses what a key is about. The first key, whichever it is, stands for everything: at that moment the caches
// are full, though not every initial event has arrived.
func (c *Controller) sync(ctx context.Context, syncContext factory.SyncContext) error {
	now := c.clock.Now()
	key := syncContext.QueueKey()
	if _, _, isNode := nodeOf(key); isNode && c.awaitsDrains(now) {
		return nil
	}
	message, due, err := c.look(ctx, key, now)
	if err != nil {
		return err
	}
	if message.State != nil || len(message.Reports) > 0 {
		if err := c.send(ctx, message); err != nil {
			// What was remembered as reported was not.
			c.complete = false
			return fmt.Errorf("reporting the nodes: %w", err)
		}
		c.complete = true
	}
	if c.awaitsDrains(now) {
		syncContext.Queue().AddAfter(everything, drainsPatience)
	}
	for _, node := range due {
		if next := c.roster.nodes[node].nextCheck; !next.IsZero() {
			syncContext.Queue().AddAfter(nodePrefix+node, next.Sub(now))
		}
	}
	return nil
}

// look assesses what a key is about, and returns the nodes that were assessed.
func (c *Controller) look(ctx context.Context, key string, now time.Time) (insight.Message, []string, error) {
	if c.complete {
		if node, isNews, isNode := nodeOf(key); isNode {
			message, err := c.one(ctx, node, isNews, now)
			return message, []string{node}, err
		}
		if key == something {
			message, nodes, isAll, err := c.some(ctx, now)
			if err != nil || !isAll {
				return message, nodes, err
			}
		}
	}
	message, err := c.all(ctx, now)
	return message, slices.Collect(maps.Keys(c.roster.nodes)), err
}

// some assesses the nodes that changes concern, the pools among these, and those whose counts change. All are concerned if
// they are assessed for another target than before.
func (c *Controller) some(ctx context.Context, now time.Time) (message insight.Message, nodes []string, isAll bool, err error) {
	message.Source = insight.NodeInformer
	pools, configs := c.changes.take()
	// What is not reported now is not known by its change any more.
	defer func() { c.complete = c.complete && err == nil }()
	around, err := c.gatherer.surroundings()
	if err != nil || around.of != c.around.of || around.target != c.around.target {
		return message, nil, true, err
	}
	c.around = around
	changed := slices.Collect(maps.Keys(pools))
	for _, name := range c.roster.concerned(pools, configs) {
		node, err := c.gatherer.node(name)
		if err != nil {
			return message, nil, false, err
		}
		if node == nil {
			continue // it has a key of its own
		}
		report, counting, err := c.assessNode(ctx, node, c.roster.recall(name), now)
		if err != nil {
			return message, nil, false, err
		}
		nodes = append(nodes, name)
		message.Reports = append(message.Reports, report)
		changed = append(changed, counting...)
	}
	return c.withPools(message, changed), nodes, false, nil
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
func (c *Controller) all(ctx context.Context, now time.Time) (insight.Message, error) {
	message := insight.Message{Source: insight.NodeInformer}
	around, err := c.gatherer.surroundings()
	if err != nil {
		return message, err
	}
	message.State = &insight.State{Complete: true, Target: around.of}
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
			c.complete = false
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
