package drainahead

import (
	"context"
	"fmt"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

const (
	name = "DrainInformer"

	// readEvery is the interval of the reads while nodes wait, and lookEvery how often it is looked at which nodes do.
	readEvery = 10 * time.Minute
	lookEvery = time.Minute
	// keptFor is how long what was read is used while it can't be read again.
	keptFor = 3 * readEvery
)

// Controller reports the nodes that will not drain. It is triggered when an update starts or ends (Requeue) and, while one is in
// progress, by the clock. It writes nothing but messages to the primary controller.
type Controller struct {
	factory.Controller

	Input
	// syncContext has the queue.
	syncContext factory.SyncContext

	// The fields below belong to the only worker.

	// last is what was read last, at lastReadAt; triedAt is when it was last tried, and isFailing whether that failed.
	last                drain.AheadInput
	lastReadAt, triedAt time.Time
	isFailing           bool
	// reported are the subjects with a report, and isComplete whether the source has said that it is.
	reported   map[insight.Subject]bool
	isComplete bool
}

// Input is what the controller is made from.
type Input struct {
	// Pace is the clock of the reads, which are real requests.
	Pace clock.PassiveClock
	// Read reads what blocks drains that have not begun.
	Read func(context.Context) (drain.AheadInput, error)
	// Update returns the update of the cluster as the other sources report it. Requeue is to be called when it changes.
	Update func() ledger.Update
	// Waiting returns the nodes that wait for their update, with their pools.
	Waiting  func(context.Context) (map[string]string, error)
	Send     insight.Send
	Recorder events.Recorder
}

// New returns the controller.
func New(in Input) *Controller {
	c := &Controller{Input: in, syncContext: factory.NewSyncContext(name, in.Recorder), reported: map[insight.Subject]bool{}}
	c.Controller = factory.New().
		WithSync(c.sync).
		WithSyncContext(c.syncContext).
		WithPostStartHooks(func(context.Context, factory.SyncContext) error {
			c.Requeue()
			return nil
		}).
		ToController(name, in.Recorder)
	return c
}

// Requeue makes the controller sync again, since the update of the cluster has changed.
func (c *Controller) Requeue() {
	c.syncContext.Queue().Add(factory.DefaultQueueKey)
}

// sync looks at the nodes that wait, or withdraws the reports if no update is in progress.
func (c *Controller) sync(ctx context.Context, syncContext factory.SyncContext) error {
	update := c.Update()
	if !update.Known {
		return nil // what was stored stays, and Requeue is called
	}
	if !update.Updating {
		c.last, c.triedAt = drain.AheadInput{}, time.Time{}
		return c.report(ctx, nil)
	}
	waiting, err := c.Waiting(ctx)
	if err != nil {
		return fmt.Errorf("reading which nodes wait: %w", err)
	}
	if len(waiting) > 0 {
		c.read(ctx)
	}
	in := c.last
	in.Waiting = waiting
	if err := c.report(ctx, assess.DrainsAhead(assess.DrainsAheadInput{Predictions: drain.Ahead(in), Update: update})); err != nil {
		return err
	}
	syncContext.Queue().AddAfter(factory.DefaultQueueKey, lookEvery)
	return nil
}

// read reads again, if it is time to.
func (c *Controller) read(ctx context.Context) {
	now := c.Pace.Now()
	if now.Sub(c.triedAt) < readEvery {
		return
	}
	c.triedAt = now
	read, err := c.Read(ctx)
	switch {
	case err == nil:
		c.last, c.lastReadAt, c.isFailing = read, now, false
		return
	case !c.isFailing && ctx.Err() == nil:
		klog.FromContext(ctx).Info("Unable to look ahead at drains", "err", err)
		c.isFailing = true
	}
	if now.Sub(c.lastReadAt) >= keptFor {
		c.last = drain.AheadInput{}
	}
}

// report replaces all reports, unless there were none and are none.
func (c *Controller) report(ctx context.Context, reports []insight.Report) error {
	if c.isComplete && len(reports) == 0 && len(c.reported) == 0 {
		return nil
	}
	message := insight.Message{Source: insight.DrainInformer, Reports: reports, State: &insight.State{Complete: true}}
	reported := map[insight.Subject]bool{}
	for _, report := range reports {
		reported[report.Subject] = true
	}
	for subject := range c.reported {
		if !reported[subject] {
			message.Reports = append(message.Reports, insight.Report{Subject: subject})
		}
	}
	if err := c.Send(ctx, message); err != nil {
		return fmt.Errorf("reporting drains that are ahead: %w", err)
	}
	c.reported, c.isComplete = reported, true
	return nil
}
