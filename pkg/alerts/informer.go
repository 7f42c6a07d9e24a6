package alerts

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

const (
	name = "AlertInformer"

	// DefaultEvery is how often alerts are asked for while the cluster is updated.
	DefaultEvery = 30 * time.Second
	// startupPatience is how long the controller waits after its start for the other sources to tell all that they see. It
	// does not know until then that no update goes on.
	startupPatience = 5 * time.Minute
)

// Controller reports the alerts that matter to the update. It is triggered when an update of the cluster begins or ends, and
// by the clock while one goes on; it writes nothing but messages to the primary controller.
type Controller struct {
	factory.Controller

	clock clock.PassiveClock
	pace  clock.PassiveClock
	every time.Duration
	send  insight.Send
	queue func()
	// answer asks for alerts. It is nil if nobody is to be asked.
	answer func(context.Context) ([]assess.Alert, *insight.State)

	progressLock sync.Mutex
	progress     *assess.Progress

	// What follows is touched by the one worker only.

	// started is when the controller first looked.
	started time.Time
	// asked is when, and for the sake of which update, alerts were asked for last.
	asked    time.Time
	askedFor assess.Update
	outage   assess.AlertOutage
	// said are the subjects that have been reported, and state is what was said of the source itself, nil if nothing was.
	said  map[insight.Subject]bool
	state *insight.State
}

// Input is what the controller is made from.
type Input struct {
	// Clock says now for what is observed.
	Clock clock.PassiveClock
	// Pace says now for the pace of the requests, which are real even where Clock is not.
	Pace    clock.PassiveClock
	Querier Querier
	// Every is how often to ask, zero for DefaultEvery.
	Every    time.Duration
	Send     insight.Send
	Recorder events.Recorder
}

// New returns the controller.
func New(in Input) (*Controller, error) {
	if err := in.Querier.Validate(); err != nil {
		return nil, err
	}
	syncContext := factory.NewSyncContext(name, in.Recorder)
	c := &Controller{
		clock: in.Clock, pace: in.Pace, every: in.Every, send: in.Send,
		queue:    func() { syncContext.Queue().Add(factory.DefaultQueueKey) },
		progress: assess.NewProgress(),
		said:     map[insight.Subject]bool{},
	}
	if c.every == 0 {
		c.every = DefaultEvery
	}
	if in.Querier.URL != "" {
		c.answer = in.Querier.ask
	}
	c.Controller = factory.New().
		WithSync(c.sync).
		WithSyncContext(syncContext).
		WithPostStartHooks(func(context.Context, factory.SyncContext) error {
			c.queue()
			return nil
		}).
		ToController(name, in.Recorder)
	return c, nil
}

// Listen returns how another source sends: to send, and to the ears of this controller, which so learns whether the cluster
// is updated.
func (c *Controller) Listen(send insight.Send) insight.Send {
	return func(ctx context.Context, message insight.Message) error {
		if err := send(ctx, message); err != nil {
			return err
		}
		if c.hear(message) {
			c.queue()
		}
		return nil
	}
}

// hear is whether a message makes a difference.
func (c *Controller) hear(message insight.Message) bool {
	c.progressLock.Lock()
	defer c.progressLock.Unlock()
	before := c.progress.Update()
	c.progress.Apply(message)
	return c.progress.Update() != before
}

// update returns what is known of the update by now. Where nobody is to be asked, none goes on.
func (c *Controller) update() assess.Update {
	if c.answer == nil {
		return assess.Update{Known: true}
	}
	c.progressLock.Lock()
	defer c.progressLock.Unlock()
	return c.progress.Update()
}

// sync asks for alerts if it is time to, or takes back what was said of them if no update goes on.
func (c *Controller) sync(ctx context.Context, syncContext factory.SyncContext) error {
	wait, err := c.look(ctx)
	if err != nil {
		return err
	}
	if wait > 0 {
		syncContext.Queue().AddAfter(factory.DefaultQueueKey, wait)
	}
	return nil
}

// look returns when to look again, zero if not before something happens.
func (c *Controller) look(ctx context.Context) (time.Duration, error) {
	now := c.clock.Now()
	if c.started.IsZero() {
		c.started = now
	}
	update, patience := c.update(), startupPatience-now.Sub(c.started)
	switch {
	case update.Updating && (update.Known || !update.Started.IsZero()):
		if wait := c.untilNext(); wait > 0 && update.Started.Equal(c.askedFor.Started) {
			return wait, nil
		}
		err := c.ask(ctx, update)
		return max(c.untilNext(), time.Millisecond), err
	case update.Known || patience <= 0:
		c.askedFor.Updating = false
		return 0, c.takeBack(ctx, &insight.State{Complete: true})
	default:
		return patience, nil
	}
}

// untilNext is how long it is until it is time to ask again, also if the update has stopped and begun in between.
func (c *Controller) untilNext() time.Duration {
	return c.asked.Add(c.every).Sub(c.pace.Now())
}

// ask asks for alerts and reports what comes of it.
func (c *Controller) ask(ctx context.Context, update assess.Update) error {
	if !c.askedFor.Updating {
		c.outage = assess.AlertOutage{Since: c.clock.Now()}
	}
	c.asked, c.askedFor = c.pace.Now(), update
	alerts, why := c.answer(ctx)
	if ctx.Err() != nil {
		return nil
	}
	now := c.clock.Now()
	if why != nil {
		return c.miss(ctx, *why, now)
	}
	c.outage = assess.AlertOutage{Since: now}
	// The update may have ended, or another one begun, while the answer was on its way.
	reports, state := assess.BoundAlerts(assess.Alerts(assess.AlertsInput{Alerts: alerts, Update: c.update()}))
	return c.report(ctx, reports, state)
}

// miss takes an attempt that has failed.
func (c *Controller) miss(ctx context.Context, why insight.State, now time.Time) error {
	c.outage = c.outage.Failed(why)
	state := c.outage.State(c.state, now)
	switch {
	case c.outage.IsOver(now):
		return c.takeBack(ctx, cmp.Or(state, c.state))
	case state != nil:
		return c.tell(ctx, insight.Message{Source: insight.AlertInformer, State: state})
	default:
		return nil
	}
}

// takeBack takes back everything that was said of alerts, unless that has been done.
func (c *Controller) takeBack(ctx context.Context, state *insight.State) error {
	if len(c.said) == 0 && c.state != nil && *c.state == *state {
		return nil
	}
	return c.report(ctx, nil, state)
}

// report says all there is to say. An answer is worth a message also if it brings nothing new: that tells how old what is
// said of alerts is.
func (c *Controller) report(ctx context.Context, reports []insight.Report, state *insight.State) error {
	message := insight.Message{Source: insight.AlertInformer, Reports: reports, State: state}
	said := map[insight.Subject]bool{}
	for _, report := range reports {
		said[report.Subject] = true
	}
	for subject := range c.said {
		if !said[subject] {
			message.Reports = append(message.Reports, insight.Report{Subject: subject})
		}
	}
	if err := c.tell(ctx, message); err != nil {
		return err
	}
	c.said = said
	return nil
}

// tell sends a message, and logs what is news of the source itself.
func (c *Controller) tell(ctx context.Context, message insight.Message) error {
	if err := c.send(ctx, message); err != nil {
		return fmt.Errorf("reporting the alerts: %w", err)
	}
	if state := message.State; state.Reason != "" && (c.state == nil || c.state.Reason != state.Reason || c.state.Message != state.Message) {
		klog.FromContext(ctx).Info("The alerts of the cluster can not all be told", "reason", state.Reason, "message", state.Message)
	}
	c.state = message.State
	return nil
}
