package source

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// batchDelay is for how long changes are collected: an update changes many objects at once.
const batchDelay = 100 * time.Millisecond

// Assess assesses everything that a source reports. The message has all reports, without those that were withdrawn, and the state of
// the source; next is when that changes without an event, zero if it does not. A message without a state leaves the state as it is.
type Assess func(ctx context.Context, now time.Time) (message insight.Message, next time.Time, err error)

// Loop is a source. Any change of what it watches triggers it, and the moment at which an assessment changes by itself; it writes
// nothing but messages to the primary controller.
type Loop struct {
	factory.Controller

	in Input
	// context has the queue.
	context factory.SyncContext

	mu sync.Mutex
	// notBefore is the earliest time of the next assessment because of a change.
	notBefore time.Time

	// What follows is used by the one worker only.

	limit *rate.Limiter
	// sent are the reports of the last message.
	sent map[insight.Subject][]insight.ScopedInsight
	// failing is the state that was sent last while the watches were failing, nil if they work.
	failing *insight.State
}

// Input is what a Loop is made from.
type Input struct {
	Source insight.Source
	Clock  clock.PassiveClock
	// Informers are those of everything that is assessed, none of a source that polls. They are started by others, before the loop.
	Informers []cache.SharedIndexInformer
	// Health returns what the source reports of itself while its watches fail, nil while they work. When that changes Resync is called.
	Health func() *insight.State
	Assess Assess
	// Background runs beside the loop, and calls changed when an assessment would be another one, nil if there is nothing to run.
	Background func(ctx context.Context, changed func())
	Send       insight.Send
	Recorder   events.Recorder
}

// New returns the loop of a source. It adds its event handlers to the informers.
func New(in Input) (*Loop, error) {
	l := &Loop{in: in, context: factory.NewSyncContext(string(in.Source), in.Recorder), limit: rate.NewLimiter(insight.BuildsASecond, insight.BuildsBurst)}
	for _, informer := range in.Informers {
		if _, err := informer.AddEventHandler(handler(l.queueChange)); err != nil {
			return nil, fmt.Errorf("watching for the %s: %w", in.Source, err)
		}
	}
	l.Controller = factory.New().
		WithSync(l.syncUntilEnd).
		WithSyncContext(l.context).
		WithPostStartHooks(func(context.Context, factory.SyncContext) error {
			l.Resync()
			return nil
		}).
		ToController(string(in.Source), in.Recorder)
	return l, nil
}

// Run runs the loop, and what runs beside it, until the context ends.
func (l *Loop) Run(ctx context.Context, workers int) {
	var running sync.WaitGroup
	defer running.Wait()
	if l.in.Background != nil {
		running.Go(func() { l.in.Background(ctx, l.queueChange) })
	}
	l.Controller.Run(ctx, workers)
}

// Resync makes the source assess everything at once.
func (l *Loop) Resync() {
	l.context.Queue().Add(factory.DefaultQueueKey)
}

func (l *Loop) queueChange() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.context.Queue().AddAfter(factory.DefaultQueueKey, max(batchDelay, time.Until(l.notBefore)))
}

// syncUntilEnd syncs. That the context has ended meanwhile is no error.
func (l *Loop) syncUntilEnd(ctx context.Context, syncContext factory.SyncContext) error {
	if err := l.sync(ctx, syncContext); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// sync assesses everything, and sends what differs. While watches fail it sends nothing but that: what was sent before stays.
func (l *Loop) sync(ctx context.Context, syncContext factory.SyncContext) error {
	if state := l.in.Health(); state != nil {
		return l.sendFailing(ctx, state)
	}
	l.reserve()
	now := l.in.Clock.Now()
	message, next, err := l.in.Assess(ctx, now)
	if err != nil {
		return fmt.Errorf("assessing for the %s: %w", l.in.Source, err)
	}
	changes, reported := l.compare(message)
	if err := l.send(ctx, changes); err != nil {
		return err
	}
	l.sent, l.failing = reported, nil
	if !next.IsZero() {
		syncContext.Queue().AddAfter(factory.DefaultQueueKey, max(next.Sub(now), time.Millisecond))
	}
	return nil
}

// compare returns the message with the reports that differ from those that were sent, and without insights those that were withdrawn;
// and all reports by subject. The same objects give the same insights, down to the representation of times.
func (l *Loop) compare(message insight.Message) (changes insight.Message, reported map[insight.Subject][]insight.ScopedInsight) {
	changes = insight.Message{Source: l.in.Source, State: message.State}
	reported = make(map[insight.Subject][]insight.ScopedInsight, len(message.Reports))
	for _, report := range message.Reports {
		if len(report.Insights) == 0 {
			continue
		}
		reported[report.Subject] = report.Insights
		if !reflect.DeepEqual(l.sent[report.Subject], report.Insights) {
			changes.Reports = append(changes.Reports, report)
		}
	}
	for subject := range l.sent {
		if _, stays := reported[subject]; !stays {
			changes.Reports = append(changes.Reports, insight.Report{Subject: subject})
		}
	}
	return changes, reported
}

// reserve counts an assessment, and sets when the next one may be.
func (l *Loop) reserve() {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.notBefore = now.Add(l.limit.ReserveN(now, 1).DelayFrom(now))
}

// sendFailing sends the state of a source whose watches fail, once.
func (l *Loop) sendFailing(ctx context.Context, state *insight.State) error {
	if state == l.failing {
		return nil
	}
	if err := l.send(ctx, insight.Message{Source: l.in.Source, State: state}); err != nil {
		return err
	}
	l.failing = state
	return nil
}

// send sends a message. One without changes is sent as well: it shows how recent the reports are.
func (l *Loop) send(ctx context.Context, message insight.Message) error {
	if err := l.in.Send(ctx, message); err != nil {
		return fmt.Errorf("reporting for the %s: %w", l.in.Source, err)
	}
	return nil
}
