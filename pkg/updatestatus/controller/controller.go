package controller

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

const (
	name = "UpdateStatusController"

	// confirmInterval is how often the status is confirmed while nothing changes.
	confirmInterval = time.Minute
	// shutdownTimeout bounds, at shutdown, first the sync in progress, then the last write, then its events: the
	// process ends after twelve seconds whatever happens.
	shutdownTimeout = 2 * time.Second
)

// Controller writes the status of UpdateStatus/cluster, or of the HostedClusterUpdateStatus of a hosted cluster. It is triggered
// by the messages of the sources (Send) and by every change of the object, and writes the object's status, or the object if it is
// missing.
type Controller struct {
	factory.Controller

	// syncContext has the queue.
	syncContext factory.SyncContext
	clock       clock.PassiveClock
	collector   *collector
	builder     *status.Builder
	schedule    *schedule
	object      *object
	events      *eventRecorder
	metrics     *Metrics
	in          Input
	// leftOut is how many insights the last status had not that was to be written, nil until there was one.
	leftOut atomic.Pointer[int]
	// update is what the last status was built of, and settings are those of the object that was last read.
	update   atomic.Pointer[ledger.Update]
	settings atomic.Pointer[updatev1alpha1.UpdateStatusSpec]
	// written is the status that the stored one was made of, or the stored one if another client wrote it; nil until that was read.
	written *update.Update
	// built is what was built last, nil until something was, and confirmedAt when it was last known that the object has it.
	built       *update.Update
	confirmedAt time.Time
	// failingSince is since when the object can't be written, zero while it can, and unavailable the condition Available that says so, or
	// that the API server rejects every status, nil while neither is so.
	failingSince time.Time
	unavailable  *metav1.Condition
	initialState initialState
	// notServed is whether it was logged that the CRD of the object does not exist.
	notServed bool
}

// Input is what the controller is made from.
type Input struct {
	// Clock is the clock of what is observed.
	Clock clock.PassiveClock
	// Pace is the clock for the pace of writes, which is about real traffic even if Clock is not real.
	Pace clock.PassiveClock
	// Store has the object, with this name and, for a hosted cluster, namespace.
	Store           Store
	Namespace, Name string
	// Informer caches the object's metadata only (metav1.PartialObjectMetadata).
	Informer cache.SharedIndexInformer
	// Recorder records events about the controller, Events those about the update.
	Recorder events.Recorder
	Events   events.Recorder
	// Metrics count what the controller does, and serve its state while it runs.
	Metrics *Metrics

	// Built has what was built last, nil until the sources have reported.
	Built *Built
	// OnBuild is called after Built has changed: after each change in the cluster, and once a minute. OnUpdateChange is called after
	// Update or Settings has changed. These functions, and the next ones, return immediately and are safe for concurrent use.
	OnBuild, OnUpdateChange func()
	// History returns the records of earlier updates, the newest one first, and Summary the last summary, nil before the first one.
	History func() estimate.History
	Summary func() *updatev1alpha1.UpdateStatusSummaryStatus
	// Renewals returns when each UpdateInformer that settings trust was last renewed, zero for never.
	Renewals func(settings updatev1alpha1.UpdateStatusSpec) map[types.NamespacedName]time.Time
}

// Built has what a controller built last.
type Built = atomic.Pointer[update.Built]

// New returns the controller. It adds its event handler to the informer.
func New(in Input) *Controller {
	syncContext := factory.NewSyncContext(name, in.Recorder)
	enqueue := func() { syncContext.Queue().Add(factory.DefaultQueueKey) }
	c := &Controller{
		syncContext: syncContext,
		clock:       in.Clock,
		collector:   newCollector(in.Pace, enqueue),
		builder:     status.NewBuilder(),
		schedule:    newSchedule(in.Clock, in.Pace),
		object:      newObject(in),
		events:      newEventRecorder(in.Events),
		metrics:     in.Metrics,
		in:          in,

		initialState: initialState{loaded: make(chan struct{})},
	}
	c.update.Store(&ledger.Update{})
	c.settings.Store(&updatev1alpha1.UpdateStatusSpec{})
	c.Controller = factory.New().
		WithSync(c.syncAndRequeue).
		WithSyncContext(syncContext).
		WithInformers(in.Informer).
		ResyncEvery(confirmInterval).
		WithPostStartHooks(func(context.Context, factory.SyncContext) error {
			enqueue()
			return nil
		}).
		ToController(name, in.Recorder)
	return c
}

// Send sends a message of a source to the controller. It is an insight.Send.
func (c *Controller) Send(ctx context.Context, message insight.Message) error {
	return c.collector.send(ctx, message)
}

// Update returns the update of the cluster as the sources report it, nothing known until a status was built.
func (c *Controller) Update() ledger.Update {
	return *c.update.Load()
}

// Settings returns the settings of the object, empty until it was read.
func (c *Controller) Settings() updatev1alpha1.UpdateStatusSpec {
	return *c.settings.Load()
}

// Reported returns what the sources have reported.
func (c *Controller) Reported(ctx context.Context) (ledger.View, error) {
	snapshot, err := c.collector.snapshot(ctx, false)
	if err != nil {
		return nil, fmt.Errorf("reading what the sources have reported: %w", err)
	}
	return snapshot.view, nil
}

// Run runs the controller until the context ends, and then writes what is pending.
func (c *Controller) Run(ctx context.Context) {
	collectorContext, stopCollector := context.WithCancel(context.WithoutCancel(ctx))
	defer stopCollector()
	eventContext, stopEvents := context.WithCancel(context.WithoutCancel(ctx))
	defer stopEvents()
	c.schedule.started = c.schedule.pace.Now()
	var running sync.WaitGroup
	running.Go(func() { c.collector.run(collectorContext) })
	running.Go(func() { c.events.run(eventContext) })
	hide := c.metrics.show(func() (state, bool) { return c.state(collectorContext) })
	defer hide()

	c.Controller.Run(ctx, 1)
	c.flush(collectorContext)
	stopCollector()
	close(c.events.queue)
	defer time.AfterFunc(shutdownTimeout, stopEvents).Stop()
	running.Wait()
}

// syncAndRequeue syncs, and requeues the key for the next attempt or check.
func (c *Controller) syncAndRequeue(ctx context.Context, syncContext factory.SyncContext) error {
	ctx, cancel := withShutdownTimeout(ctx)
	defer cancel()
	delay, err := c.sync(ctx)
	if err != nil {
		c.recordFailure(err)
	}
	switch {
	case isAboutContent(err):
		delay = c.schedule.postpone(rejectedRetry)
		c.logRetry(ctx, err, delay)
	case err != nil:
		delay = c.schedule.retryAfter()
		c.logRetry(ctx, err, delay)
	default:
		c.notServed = false
		if delay <= 0 {
			c.schedule.resetBackoff()
		}
		delay = earliest(delay, c.schedule.checkAfter(c.builder.NextCheck()), c.object.readAfter())
	}
	if delay > 0 {
		syncContext.Queue().AddAfter(syncContext.QueueKey(), delay)
	}
	return nil
}

// withShutdownTimeout returns a context that ends shutdownTimeout after its parent. A write that is cut off at shutdown may be
// stored all the same: the last write would then have a conflict, and its events would be lost.
func withShutdownTimeout(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() { time.AfterFunc(shutdownTimeout, cancel) })
	return ctx, func() {
		stop()
		cancel()
	}
}

func (c *Controller) logRetry(ctx context.Context, err error, delay time.Duration) {
	if errors.Is(err, errNotServed) {
		if !c.notServed {
			klog.FromContext(ctx).Error(err, "Unable to create the UpdateStatus until its CRD exists again")
		}
		c.notServed = true
		return
	}
	// Another client has changed, created or deleted the object, which is no error.
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err) {
		klog.FromContext(ctx).V(2).Info("UpdateStatus changed since it was read, retrying", "after", delay, "reason", err)
		return
	}
	klog.FromContext(ctx).Error(err, "Unable to write the UpdateStatus, retrying", "after", delay)
}

// flush writes what is pending without delay, since it is the last write.
func (c *Controller) flush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, shutdownTimeout)
	defer cancel()
	c.schedule.dropDelays()
	if _, err := c.sync(ctx); err != nil {
		klog.FromContext(ctx).Info("Unable to write the last status, the next leader will write it", "err", err)
	}
}
