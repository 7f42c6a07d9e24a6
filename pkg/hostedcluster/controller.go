package hostedcluster

import (
	"context"
	"fmt"
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// batchDelay is for how long changes are collected: an update changes many objects at once.
const batchDelay = 100 * time.Millisecond

// Controller is a source of a hosted cluster. Any change of its objects that is assessed triggers it, and the moment at which an
// assessment changes by itself; it writes nothing but messages to the primary controller.
type Controller struct {
	factory.Controller

	in Input
	// source is its name, and assess assesses everything that it reports.
	source insight.Source
	assess func(assess.HostedInput, time.Time) (insight.Message, time.Time)
	// context has the queue.
	context factory.SyncContext

	// What follows is used by the one worker only.

	// reported are the subjects with insights in the last message.
	reported map[insight.Subject]bool
	// drains is when nodes were first observed draining, nil before the first sync.
	drains map[string]time.Time
	// failing is the state that was reported last while the watches were failing, nil if they work.
	failing *insight.State
}

// Input is what the sources of a hosted cluster are made from.
type Input struct {
	Clock clock.PassiveClock
	// Name is that of the HostedCluster.
	Name types.NamespacedName
	// Informers are started by others.
	Informers Informers
	// WatchState returns what a source reports of itself while its watches in the management cluster fail, nil while they work,
	// and HostedState what a complete one lacks of the hosted cluster, nil if nothing. When they change Resync is called.
	WatchState  func() *insight.State
	HostedState func() *insight.State
	// PreviousDrainStarts returns since when nodes drain by the object that was in the cluster when the controller started.
	PreviousDrainStarts func(context.Context) (map[string]time.Time, error)
	Send                insight.Send
	Recorder            events.Recorder
}

// NewControlPlane returns the source of the control plane. It adds its event handlers to the informers.
func NewControlPlane(in Input) (*Controller, error) {
	c := &Controller{in: in, source: insight.ControlPlaneInformer, assess: assess.HostedControlPlane}
	err := c.build("HostedControlPlaneInformer", in.Informers.controlPlane())
	return c, err
}

// NewNodes returns the source of the node pools. It adds its event handlers to the informers.
func NewNodes(in Input) (*Controller, error) {
	c := &Controller{in: in, source: insight.NodeInformer, assess: assess.HostedNodes}
	err := c.build("HostedNodeInformer", in.Informers.nodes())
	return c, err
}

func (c *Controller) build(name string, informers []cache.SharedIndexInformer) error {
	c.context = factory.NewSyncContext(name, c.in.Recorder)
	for _, informer := range informers {
		if _, err := informer.AddEventHandler(handler(c.queueBatch)); err != nil {
			return fmt.Errorf("watching a hosted cluster: %w", err)
		}
	}
	c.Controller = factory.New().
		WithSync(c.sync).
		WithSyncContext(c.context).
		WithBareInformers(c.in.Informers.HostedClusters, c.in.Informers.NodePools).
		WithPostStartHooks(func(context.Context, factory.SyncContext) error {
			c.Resync()
			return nil
		}).
		ToController(name, c.in.Recorder)
	return nil
}

// handler calls changed with each object that was added, deleted, or changed in what is assessed. Objects are trimmed before they
// get here. All have one key, so that it does not matter whether a deleted object is a tombstone.
func handler(changed func()) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { changed() },
		DeleteFunc: func(any) { changed() },
		UpdateFunc: func(before, after any) {
			if !isSame(before, after) {
				changed()
			}
		},
	}
}

func (c *Controller) queueBatch() {
	c.context.Queue().AddAfter(factory.DefaultQueueKey, batchDelay)
}

// Resync reports everything again.
func (c *Controller) Resync() {
	c.context.Queue().Add(factory.DefaultQueueKey)
}

// sync assesses and reports everything.
func (c *Controller) sync(ctx context.Context, syncContext factory.SyncContext) error {
	if state := c.in.WatchState(); state != nil {
		return c.reportFailing(ctx, state)
	}
	if err := c.loadDrains(ctx); err != nil {
		return err
	}
	now := c.in.Clock.Now()
	message, nextCheck := c.assessAll(now)
	if state := c.in.HostedState(); state != nil {
		message.State = state
	}
	reported := map[insight.Subject]bool{}
	for _, report := range message.Reports {
		if len(report.Insights) > 0 {
			reported[report.Subject] = true
		}
	}
	for subject := range c.reported {
		if !reported[subject] {
			message.Reports = append(message.Reports, insight.Report{Subject: subject})
		}
	}
	if err := c.in.Send(ctx, message); err != nil {
		return fmt.Errorf("reporting the hosted cluster: %w", err)
	}
	c.reported, c.failing = reported, nil
	if !nextCheck.IsZero() {
		syncContext.Queue().AddAfter(factory.DefaultQueueKey, nextCheck.Sub(now))
	}
	return nil
}

// assessAll assesses everything, and remembers which nodes drain.
func (c *Controller) assessAll(now time.Time) (insight.Message, time.Time) {
	in := c.in.Informers.input(c.in.Name)
	in.DrainObserved = c.drains
	message, nextCheck := c.assess(in, now)
	before := c.drains
	c.drains = assess.HostedDrains(message, before, now)
	if !maps.Equal(before, c.drains) {
		in.DrainObserved = c.drains
		message, nextCheck = c.assess(in, now)
	}
	return message, nextCheck
}

// loadDrains starts with the drains that the process before has observed. Those that have ended are forgotten by the first sync.
func (c *Controller) loadDrains(ctx context.Context) error {
	if c.drains != nil {
		return nil
	}
	drains, err := c.in.PreviousDrainStarts(ctx)
	if err != nil {
		return fmt.Errorf("reading since when nodes drain: %w", err)
	}
	c.drains = drains
	return nil
}

// reportFailing reports that the watches are failing, and nothing else.
func (c *Controller) reportFailing(ctx context.Context, state *insight.State) error {
	if state == c.failing {
		return nil
	}
	if err := c.in.Send(ctx, insight.Message{Source: c.source, State: state}); err != nil {
		return fmt.Errorf("reporting that watches are failing: %w", err)
	}
	c.failing = state
	return nil
}
