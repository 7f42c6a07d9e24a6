package nodes

import (
	"context"
	"fmt"
	"sync"
	"time"

	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	configlisters "github.com/openshift/client-go/config/listers/config/v1"
	machineconfiglisters "github.com/openshift/client-go/machineconfiguration/listers/machineconfiguration/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

const name = "NodeInformer"

// Controller reports how far the nodes and their pools are. Any change of a Node, its MachineConfigNode, a MachineConfigPool, a
// MachineConfig or of the ClusterVersion's target triggers it, if it changes anything that is assessed, and the moment at which an
// assessment changes by itself; it writes nothing but messages to the primary controller.
type Controller struct {
	factory.Controller

	clock    clock.PassiveClock
	gatherer gatherer
	send     insight.Send
	// context has the queue.
	context factory.SyncContext
	changes *changeQueue
	// watchState is that of the Input.
	watchState func() *insight.State

	drains                Drains
	previousDrainStarts   PreviousDrainStarts
	previousDrainFailures PreviousDrainFailures

	// What follows is touched by the one worker only.

	cluster  clusterContext
	assessed assessedNodes
	// reportedPools are the names of the pools that have been reported.
	reportedPools map[string]bool
	// started is when everything was first assessed, and complete whether it has been reported, and nothing missed since.
	started  time.Time
	complete bool
	// hasReported is whether everything has been reported once.
	hasReported bool
	// failing is the state that was reported last while the watches were failing, nil if they work.
	failing *insight.State
	// drainStarts and drainFailures are what the functions above returned, nil before they were called.
	drainStarts   map[string]time.Time
	drainFailures map[string]string
}

// Input is what the controller is made from. The informers' objects may be trimmed (Trim).
type Input struct {
	Clock              clock.PassiveClock
	ClusterVersions    cache.SharedIndexInformer
	MachineConfigPools cache.SharedIndexInformer
	// MachineConfigs holds metadata only (metav1.PartialObjectMetadata): a MachineConfig has hundreds of KiB.
	MachineConfigs cache.SharedIndexInformer
	Nodes          cache.SharedIndexInformer
	// MachineConfigNodes are those of the Nodes. The controller does not wait for it to sync: a cluster may not have them, or not let
	// them be read.
	MachineConfigNodes cache.SharedIndexInformer
	// WatchState returns what the source reports of itself while its watches fail, nil while they work. When that changes
	// Resync is called.
	WatchState            func() *insight.State
	Send                  insight.Send
	Drains                Drains
	PreviousDrainStarts   PreviousDrainStarts
	PreviousDrainFailures PreviousDrainFailures
	Recorder              events.Recorder
}

// New returns the controller. It adds its event handlers to the informers.
func New(in Input) (*Controller, error) {
	syncContext := factory.NewSyncContext(name, in.Recorder)
	queue := func(key string) {
		if key == pendingChangesKey {
			syncContext.Queue().AddAfter(key, batchDelay)
			return
		}
		syncContext.Queue().Add(key)
	}
	changes := newChangeQueue()
	informers := []cache.SharedIndexInformer{in.ClusterVersions, in.MachineConfigPools, in.MachineConfigs, in.Nodes}
	bare := make([]factory.Informer, 0, len(informers))
	for _, informer := range informers {
		if _, err := informer.AddEventHandler(changes.handler(queue)); err != nil {
			return nil, fmt.Errorf("watching the nodes: %w", err)
		}
		bare = append(bare, informer)
	}
	if _, err := in.MachineConfigNodes.AddEventHandler(changes.handler(queue)); err != nil {
		return nil, fmt.Errorf("watching the MachineConfigNodes: %w", err)
	}
	c := &Controller{
		clock: in.Clock,
		gatherer: gatherer{
			clusterVersions:    configlisters.NewClusterVersionLister(in.ClusterVersions.GetIndexer()),
			pools:              machineconfiglisters.NewMachineConfigPoolLister(in.MachineConfigPools.GetIndexer()),
			nodes:              corelisters.NewNodeLister(in.Nodes.GetIndexer()),
			machineConfigs:     in.MachineConfigs.GetStore(),
			machineConfigNodes: in.MachineConfigNodes.GetStore(),
		},
		send:                  in.Send,
		context:               syncContext,
		changes:               changes,
		watchState:            in.WatchState,
		drains:                in.Drains,
		previousDrainStarts:   in.PreviousDrainStarts,
		previousDrainFailures: in.PreviousDrainFailures,
		assessed:              newAssessedNodes(),
		reportedPools:         map[string]bool{},
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

// Run runs the controller, and what reads the blockers of drains, until the context ends.
func (c *Controller) Run(ctx context.Context, workers int) {
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { c.drains.Run(ctx, c.Requeue) })
	c.Controller.Run(ctx, workers)
}

// Resync reports everything again.
func (c *Controller) Resync() {
	c.context.Queue().Add(allKey)
}

// sync assesses what a key is about. The first key, whichever it is, assesses everything: at that moment the caches are
// full, though not every initial event has arrived. So does the first key after the watches failed.
func (c *Controller) sync(ctx context.Context, syncContext factory.SyncContext) error {
	if state := c.watchState(); state != nil {
		return c.reportFailing(ctx, state)
	}
	now := c.clock.Now()
	key := syncContext.QueueKey()
	if _, _, isNode := nodeOf(key); isNode && c.awaitsDrains(now) {
		return nil
	}
	message, assessed, err := c.assessKey(ctx, key, now)
	if err != nil {
		return err
	}
	if message.State != nil || len(message.Reports) > 0 {
		if err := c.send(ctx, message); err != nil {
			// What is remembered as reported was not.
			c.complete = false
			return fmt.Errorf("reporting the nodes: %w", err)
		}
		c.complete, c.hasReported, c.failing = true, true, nil
	}
	if c.awaitsDrains(now) {
		syncContext.Queue().AddAfter(allKey, drainsPatience)
	}
	for _, node := range assessed {
		if next := c.assessed.nodes[node].nextCheck; !next.IsZero() {
			syncContext.Queue().AddAfter(nodePrefix+node, next.Sub(now))
		}
	}
	return nil
}

// reportFailing reports that the watches are failing, and nothing else.
func (c *Controller) reportFailing(ctx context.Context, state *insight.State) error {
	if state == c.failing {
		return nil
	}
	c.complete = false
	if err := c.send(ctx, insight.Message{Source: insight.NodeInformer, State: state}); err != nil {
		return fmt.Errorf("reporting that watches are failing: %w", err)
	}
	c.failing = state
	return nil
}
