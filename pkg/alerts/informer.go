package alerts

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

const (
	name = "AlertInformer"

	// DefaultEvery is the interval of the polls while the cluster is updating.
	DefaultEvery = 30 * time.Second
	// startupPatience is how long the controller waits after its start for the other sources to be complete. Until then it does
	// not know that no update is in progress.
	startupPatience = 5 * time.Minute
)

// Controller reports the alerts that are relevant to the update. It is triggered when an update starts or ends (Requeue) and,
// while one is in progress, by the clock. It writes nothing but messages to the primary controller.
type Controller struct {
	factory.Controller

	clock  clock.PassiveClock
	pace   clock.PassiveClock
	every  time.Duration
	update func() ledger.Update
	send   insight.Send
	// syncContext has the queue.
	syncContext factory.SyncContext
	// query returns the active alerts, or why they can't be read.
	query func(context.Context) ([]assess.Alert, *insight.State)

	// The fields below belong to the only worker.

	started time.Time
	// polledAt and polledFor are the time of the last poll and the update that it was for.
	polledAt  time.Time
	polledFor ledger.Update
	outage    assess.AlertOutage
	// reported are the subjects with a report, and state is the last state of the source, nil before the first.
	reported map[insight.Subject]bool
	state    *insight.State
}

// Input is what the controller is made from.
type Input struct {
	// Clock is the clock of what is observed.
	Clock clock.PassiveClock
	// Pace is the clock of the polls, which are real requests even if Clock is not real.
	Pace    clock.PassiveClock
	Querier Querier
	// Every is the interval of the polls, zero for DefaultEvery.
	Every time.Duration
	// Update returns the update of the cluster as the other sources report it. Requeue is to be called when it changes.
	Update   func() ledger.Update
	Send     insight.Send
	Recorder events.Recorder
}

// New returns the controller.
func New(in Input) (*Controller, error) {
	if err := in.Querier.Validate(); err != nil {
		return nil, err
	}
	c := &Controller{
		clock: in.Clock, pace: in.Pace, every: cmp.Or(in.Every, DefaultEvery), update: in.Update, send: in.Send,
		syncContext: factory.NewSyncContext(name, in.Recorder),
		query:       in.Querier.query,
		reported:    map[insight.Subject]bool{},
	}
	if in.Querier.URL == "" {
		// There is nothing to poll, as if no update were in progress.
		c.update = func() ledger.Update { return ledger.Update{Known: true} }
	}
	c.Controller = factory.New().
		WithSync(c.sync).
		WithSyncContext(c.syncContext).
		WithPostStartHooks(func(context.Context, factory.SyncContext) error {
			c.Requeue()
			return nil
		}).
		ToController(name, in.Recorder)
	return c, nil
}

// Requeue makes the controller sync again, since the update of the cluster has changed.
func (c *Controller) Requeue() {
	c.syncContext.Queue().Add(factory.DefaultQueueKey)
}

// sync polls the alerts if it is time to, or withdraws the reports if no update is in progress.
func (c *Controller) sync(ctx context.Context, syncContext factory.SyncContext) error {
	now := c.clock.Now()
	if c.started.IsZero() {
		c.started = now
	}
	update, patience := c.update(), startupPatience-now.Sub(c.started)
	switch {
	case update.Updating && !update.Started.IsZero():
		wait := c.untilPoll()
		if wait > 0 && update.Started.Equal(c.polledFor.Started) {
			syncContext.Queue().AddAfter(factory.DefaultQueueKey, wait)
			return nil
		}
		if err := c.poll(ctx, update); err != nil {
			return err
		}
		syncContext.Queue().AddAfter(factory.DefaultQueueKey, max(c.untilPoll(), time.Millisecond))
	case update.Known || patience <= 0:
		c.polledFor.Updating = false
		return c.withdraw(ctx, &insight.State{Complete: true})
	default:
		syncContext.Queue().AddAfter(factory.DefaultQueueKey, patience)
	}
	return nil
}

// untilPoll returns the time until the next poll, which also applies to an update that was interrupted.
func (c *Controller) untilPoll() time.Duration {
	return c.polledAt.Add(c.every).Sub(c.pace.Now())
}

// poll reads the alerts and reports them.
func (c *Controller) poll(ctx context.Context, update ledger.Update) error {
	if !c.polledFor.Updating {
		c.outage = assess.AlertOutage{Since: c.clock.Now()}
	}
	c.polledAt, c.polledFor = c.pace.Now(), update
	alerts, why := c.query(ctx)
	if ctx.Err() != nil {
		return nil
	}
	now := c.clock.Now()
	if why != nil {
		return c.reportFailure(ctx, *why, now)
	}
	c.outage = assess.AlertOutage{Since: now}
	// The update may have ended, or another one started, during the request.
	reports, state := assess.BoundAlerts(assess.Alerts(assess.AlertsInput{Alerts: alerts, Update: c.update(), Now: now}))
	return c.report(ctx, reports, state)
}

// reportFailure reports that alerts can't be read, when it lasts.
func (c *Controller) reportFailure(ctx context.Context, why insight.State, now time.Time) error {
	c.outage = c.outage.Failed(why)
	state := c.outage.State(c.state, now)
	switch {
	case c.outage.IsOver(now):
		return c.withdraw(ctx, cmp.Or(state, c.state))
	case state != nil:
		return c.sendMessage(ctx, insight.Message{Source: insight.AlertInformer, State: state})
	default:
		return nil
	}
}

// withdraw withdraws all reports, unless there are none.
func (c *Controller) withdraw(ctx context.Context, state *insight.State) error {
	if len(c.reported) == 0 && c.state != nil && *c.state == *state {
		return nil
	}
	return c.report(ctx, nil, state)
}

// report replaces all reports. A message is sent even if nothing has changed: it shows how recent the reports are.
func (c *Controller) report(ctx context.Context, reports []insight.Report, state *insight.State) error {
	message := insight.Message{Source: insight.AlertInformer, Reports: reports, State: state}
	reported := map[insight.Subject]bool{}
	for _, report := range reports {
		reported[report.Subject] = true
	}
	for subject := range c.reported {
		if !reported[subject] {
			message.Reports = append(message.Reports, insight.Report{Subject: subject})
		}
	}
	if err := c.sendMessage(ctx, message); err != nil {
		return err
	}
	c.reported = reported
	return nil
}

// sendMessage sends a message, and logs the reason of its state if it is new.
func (c *Controller) sendMessage(ctx context.Context, message insight.Message) error {
	if err := c.send(ctx, message); err != nil {
		return fmt.Errorf("reporting the alerts: %w", err)
	}
	if state := message.State; state.Reason != "" && (c.state == nil || c.state.Reason != state.Reason || c.state.Message != state.Message) {
		klog.FromContext(ctx).Info("Unable to report all alerts", "reason", state.Reason, "message", state.Message)
	}
	c.state = message.State
	return nil
}
