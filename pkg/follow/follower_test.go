package follow

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
)

// follower returns a follower whose writes are a function.
func follower(t *testing.T, write Write) *Follower {
	t.Helper()
	recorder := events.NewInMemoryRecorder("test", clocktesting.NewFakePassiveClock(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)))
	f := New(Input{Name: "Some", Kind: "Some", Write: write, Recorder: recorder})
	t.Cleanup(f.syncContext.Queue().ShutDown)
	return f
}

// TestDelays checks what is queued again: a failure after two seconds, what may not be written yet when it may.
func TestDelays(t *testing.T) {
	failing := errors.New("no connection")
	for _, test := range []struct {
		name  string
		delay time.Duration
		err   error
		want  []time.Duration
	}{
		{name: "written"},
		{name: "too early", delay: time.Minute, want: []time.Duration{time.Minute}},
		{name: "failed", err: failing, want: []time.Duration{2 * time.Second}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := follower(t, func(context.Context, bool) (time.Duration, error) { return test.delay, test.err })
			queue := &queueOf{}
			if err := f.sync(t.Context(), queue); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, queue.delays); diff != "" {
				t.Errorf("delays (-want +got):\n%s", diff)
			}
			if f.isFailing != (test.err != nil) {
				t.Errorf("failing: %t", f.isFailing)
			}
		})
	}
}

// TestLastWrite checks that what was built last is written when the process ends, in the time that a request may take.
func TestLastWrite(t *testing.T) {
	var last []bool
	f := follower(t, func(ctx context.Context, isLast bool) (time.Duration, error) {
		if _, hasDeadline := ctx.Deadline(); ctx.Err() != nil || !hasDeadline {
			t.Errorf("the write is cut off: %v, deadline %t", ctx.Err(), hasDeadline)
		}
		last = append(last, isLast)
		return 0, nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f.Run(ctx)
	if len(last) == 0 || !last[len(last)-1] {
		t.Errorf("writes: %v", last)
	}
}

// TestNotify checks that a notification leads to a write.
func TestNotify(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	written := make(chan bool, 2)
	f := follower(t, func(_ context.Context, isLast bool) (time.Duration, error) {
		written <- isLast
		cancel()
		return 0, nil
	})
	f.Notify()
	f.Run(ctx)
	if isLast := <-written; isLast {
		t.Error("no write before the last one")
	}
}

// queueOf is a sync context that records the delays of what is queued.
type queueOf struct {
	factory.SyncContext
	workqueue.RateLimitingInterface

	delays []time.Duration
}

func (q *queueOf) QueueKey() string                       { return "key" }
func (q *queueOf) Queue() workqueue.RateLimitingInterface { return q }
func (q *queueOf) AddAfter(_ any, delay time.Duration)    { q.delays = append(q.delays, delay) }
