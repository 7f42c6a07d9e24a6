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
	// starts is when nodes that drain, and components that are rolled out, were first observed to do so, nil before the first sync.
	starts map[string]time.Time
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
	// PreviousStarts returns since when they do so by the object that was in the cluster when the controller started.
	PreviousStarts func(context.Context) (map[string]time.Time, error)
	Send           insight.Send
	Recorder       events.Recorder
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
	if err := c.loadStarts(ctx); err != nil {
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

// assessAll assesses everything, and remembers what has started.
func (c *Controller) assessAll(now time.Time) (insight.Message, time.Time) {
	in := c.in.Informers.input(c.in.Name)
	in.Observed = c.starts
	message, nextCheck := c.assess(in, now)
	before := c.starts
	c.starts = assess.HostedStarts(message, before, now)
	if !maps.Equal(before, c.starts) {
		in.Observed = c.starts
		message, nextCheck = c.assess(in, now)
	}
	return message, nextCheck
}

// loadStarts starts with what the process before has observed. What has ended is forgotten by the first sync.
func (c *Controller) loadStarts(ctx context.Context) error {
	if c.starts != nil {
		return nil
	}
	starts, err := c.in.PreviousStarts(ctx)
	if err != nil {
		return fmt.Errorf("reading since when nodes drain and components are rolled out: %w", err)
	}
	c.starts = starts
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
