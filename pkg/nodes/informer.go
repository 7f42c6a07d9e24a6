package nodes

import (
	"context"
	"fmt"
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
	// Drains reads what keeps nodes that drain for long, and calls Requeue when that has changed.
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
