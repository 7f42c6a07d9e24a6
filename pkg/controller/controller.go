package controller

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/metadata/metadatalister"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
)

const (
	name = "UpdateStatusController"

	// startupPatience is how long the controller waits after its start for the first report of every source before it
	// writes that it waits. Sources take seconds: a restart thus changes nothing in the object.
	startupPatience = 30 * time.Second
	// agreementPatience is how long the controller waits for a source to report what belongs to an update that the other
	// one has seen already. That takes milliseconds, or a second with thousands of nodes on a machine that is busy; longer
	// while watches break, and a status that is a little old is better then than one that contradicts itself.
	agreementPatience = 10 * time.Second
	// finishTimeout bounds, at shutdown, first what has begun, then the last write, then its events. The lease is released
	// only afterwards.
	finishTimeout = 5 * time.Second
	// firstRetry and lastRetry bound the time after which the controller looks again when something failed.
	firstRetry = 5 * time.Millisecond
	lastRetry  = 4 * time.Second
)

// Controller keeps the status of UpdateStatus/cluster. It is triggered by what sources send (Send) and by every change of
// the object, and writes the object's status, or the object if it is missing.
type Controller struct {
	factory.Controller

	// context has the queue.
	context   factory.SyncContext
	clock     clock.PassiveClock
	pace      clock.PassiveClock
	object    *object
	collector *collector
	pacer     *pacer
	announcer *announcer
	metrics   *Metrics
	backoff   workqueue.TypedRateLimiter[string]
	started   time.Time
	// notBefore is when the pace allows the next write: until then it is not worth while to make a status.
	notBefore time.Time
	// disagreeing is since when the sources have reported of different updates, zero while they agree.
	disagreeing time.Time

	// found is what the object said at first.
	found found
	// builder builds the status. It has the times, whatever happens to the object.
	builder *status.Builder
	// announced is what events were recorded of, up to written: the status that was written last, or found at the start.
	announced *status.EventState
	written   *updatev1alpha1.UpdateStatusStatus
	// unanswered is whether a write may have arrived that was not answered.
	unanswered bool
	// kept is the object when it was last found, or made, to be as the ledger wants it.
	kept *updatev1alpha1.UpdateStatus
	// waiting is when the oldest message arrived that changed the ledger and is not written yet, zero if there is none.
	waiting time.Time
	// built is what was built last, for who reads metrics.
	built atomic.Pointer[built]
}

// Input is what the controller is made from.
type Input struct {
	// Clock says now for what is observed.
	Clock clock.PassiveClock
	// Pace says now for the pacing of writes, which is about real traffic even where Clock is not real.
	Pace clock.PassiveClock
	// Client creates and reads the object, and PutStatus writes its status.
	Client    updateclient.UpdateStatusInterface
	PutStatus PutStatus
	// Informer holds the object's metadata only (metav1.PartialObjectMetadata).
	Informer cache.SharedIndexInformer
	// Recorder records what the controller does itself, Events what happens to the update.
	Recorder events.Recorder
	Events   events.Recorder
	// Metrics take what the controller does, and show what it holds while it runs.
	Metrics *Metrics
}

// New returns the controller. It adds its event handler to the informer.
func New(in Input) *Controller {
	syncContext := factory.NewSyncContext(name, in.Recorder)
	enqueue := func() { syncContext.Queue().Add(factory.DefaultQueueKey) }
	c := &Controller{
		context: syncContext,
		clock:   in.Clock,
		pace:    in.Pace,
		object: &object{
			client: in.Client, put: in.PutStatus,
			lister: metadatalister.New(in.Informer.GetIndexer(), updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses")),
		},
		collector: newCollector(in.Pace, enqueue),
		pacer:     newPacer(),
		announcer: newAnnouncer(in.Events),
		metrics:   in.Metrics,
		backoff:   workqueue.NewTypedItemExponentialFailureRateLimiter[string](firstRetry, lastRetry),
		started:   in.Pace.Now(),
		builder:   status.NewBuilder(),
		found:     newFound(),
	}
	c.Controller = factory.New().
		WithSync(c.sync).
		WithSyncContext(syncContext).
		WithInformers(in.Informer).
		WithPostStartHooks(func(context.Context, factory.SyncContext) error {
			enqueue()
			return nil
		}).
		ToController(name, in.Recorder)
	return c
}

// Send takes a message of a source.
func (c *Controller) Send(ctx context.Context, message insight.Message) error {
	return c.collector.send(ctx, message)
}

// Run keeps the object until the context ends, and then writes what it knows.
func (c *Controller) Run(ctx context.Context) {
	collecting, stopCollecting := context.WithCancel(context.WithoutCancel(ctx))
	defer stopCollecting()
	c.started = c.pace.Now()
	announcing, stopAnnouncing := context.WithCancel(context.WithoutCancel(ctx))
	defer stopAnnouncing()
	var ended sync.WaitGroup
	ended.Go(func() { c.collector.run(collecting) })
	ended.Go(func() { c.announcer.run(announcing) })
	hide := c.metrics.show(func() (state, bool) { return c.state(collecting) })
	defer hide()

	c.Controller.Run(ctx, 1)
	c.flush(collecting)
	stopCollecting()
	c.announcer.finish()
	defer time.AfterFunc(finishTimeout, stopAnnouncing).Stop()
	ended.Wait()
}

// sync brings the object in line with the ledger.
func (c *Controller) sync(ctx context.Context, syncContext factory.SyncContext) error {
	ctx, cancel := finishing(ctx)
	defer cancel()
	key := syncContext.QueueKey()
	wait, err := c.keep(ctx)
	switch {
	case err != nil:
		wait = c.retry(ctx, key, err)
		// Each report queues the key: not before then, or they would be as many tries and log lines.
		c.notBefore = c.pace.Now().Add(wait)
	case wait == 0:
		c.backoff.Forget(key)
		wait = c.untilDue()
	}
	if wait > 0 {
		syncContext.Queue().AddAfter(key, wait)
	}
	return nil
}

// finishing returns a context that ends a while after its parent. A write that is cut off at shutdown may have arrived all
// the same: the last write would then meet a conflict, and its events would be lost.
func finishing(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() { time.AfterFunc(finishTimeout, cancel) })
	return ctx, func() {
		stop()
		cancel()
	}
}

// retry returns after which time to look again when something failed. The factory's own back-off would grow to a quarter
// of an hour, and an outage of the API server is just when the status matters.
func (c *Controller) retry(ctx context.Context, key string, err error) time.Duration {
	wait := c.backoff.When(key)
	// Somebody else has changed, created or deleted the object: that is a new look and no error.
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err) {
		klog.FromContext(ctx).V(2).Info("The UpdateStatus is another one, looking again", "after", wait, "reason", err)
		return wait
	}
	klog.FromContext(ctx).Error(err, "The UpdateStatus could not be kept, trying again", "after", wait)
	return wait
}

// flush writes what the ledger holds without regard to the pace: nothing will be written after it.
func (c *Controller) flush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, finishTimeout)
	defer cancel()
	c.pacer, c.notBefore = newPacer(), time.Time{}
	if _, err := c.keep(ctx); err != nil {
		klog.FromContext(ctx).Info("The last status could not be written; the next leader will write it", "err", err)
	}
}

// keep writes the object if it is not as it should be. It returns how long to wait if now is not the time.
func (c *Controller) keep(ctx context.Context) (time.Duration, error) {
	if wait := c.notBefore.Sub(c.pace.Now()); wait > 0 {
		return wait, nil
	}
	current, err := c.object.current(ctx)
	if err != nil {
		c.metrics.missed(err)
		return 0, err
	}
	if c.written == nil {
		c.builder.Stored(&current.Status)
		c.announced, c.written = status.NewEventState(&current.Status), &current.Status
		c.found.take(&current.Status)
	}
	held, err := c.collector.look(ctx, true)
	if err != nil {
		return 0, fmt.Errorf("reading the ledger: %w", err)
	}
	if c.waiting.IsZero() {
		c.waiting = held.waiting
	}
	if c.isDue() {
		// Also if it can't be written now.
		c.kept = nil
	}
	if current == c.kept && c.waiting.IsZero() {
		return 0, nil
	}
	if wait := c.patience(held.view); wait > 0 {
		return wait, nil
	}
	next := c.builder.Build(held.view, &current.Status, c.clock.Now())
	c.built.Store(&built{status: next, leftOut: status.LeftOut(held.view, next)})
	desired := &updatev1alpha1.UpdateStatus{
		TypeMeta: current.TypeMeta, ObjectMeta: current.ObjectMeta, Spec: current.Spec, Status: *next,
	}
	encoded, err := contentOf(desired, c.builder.JSON())
	if err != nil {
		return 0, err
	}
	if c.object.says(encoded) {
		c.kept = current
		if c.unanswered {
			c.arrived(ctx, next)
		}
		c.waiting = time.Time{}
		return 0, nil
	}
	return c.write(ctx, desired, encoded)
}

// patience is how long to wait for sources: those that have not said anything since the start, and one that has not seen
// yet that an update began or ended.
func (c *Controller) patience(view ledger.View) time.Duration {
	if !view.Heard() {
		return startupPatience - c.pace.Since(c.started)
	}
	if view.Agreed() {
		c.disagreeing = time.Time{}
		return 0
	}
	if c.disagreeing.IsZero() {
		c.disagreeing = c.pace.Now()
	}
	return agreementPatience - c.pace.Since(c.disagreeing)
}

func (c *Controller) write(ctx context.Context, desired *updatev1alpha1.UpdateStatus, encoded content) (time.Duration, error) {
	size := len(encoded.whole)
	now := c.pace.Now()
	if wait := c.pacer.reserve(now, size); wait > 0 {
		c.notBefore = now.Add(wait)
		return wait, nil
	}
	c.notBefore = now.Add(c.pacer.next(now, size))
	err := c.object.write(ctx, desired, encoded)
	c.metrics.wrote(err, size, c.pace.Since(now))
	if err != nil {
		c.unanswered = c.unanswered || mayHaveArrived(err)
		return 0, err
	}
	c.kept = c.object.known
	c.arrived(ctx, &desired.Status)
	return 0, nil
}

// mayHaveArrived is whether a write that failed may have been stored all the same: the connection was lost, or the API server
// waited for etcd in vain. All else is an answer that it was not.
func mayHaveArrived(err error) bool {
	var answer apierrors.APIStatus
	return !errors.As(err, &answer) || answer.Status().Code >= http.StatusInternalServerError
}

// arrived has events recorded of what happened since the last write, and logs which parts are in another phase. It is
// called when a write is known to be stored: an event may be lost with the process, but is never recorded twice.
func (c *Controller) arrived(ctx context.Context, built *updatev1alpha1.UpdateStatusStatus) {
	if !c.waiting.IsZero() {
		c.metrics.lag.Observe(c.pace.Since(c.waiting).Seconds())
		c.waiting = time.Time{}
	}
	for _, happened := range c.announced.Next(built, c.builder.Reports) {
		c.announcer.announce(ctx, happened)
	}
	for _, change := range status.AssessmentChanges(c.written, built) {
		klog.FromContext(ctx).V(2).Info("A part of the cluster is in another phase of the update", "part", change.Part,
			"before", change.Before, "after", change.After)
	}
	c.written, c.unanswered = built, false
}
