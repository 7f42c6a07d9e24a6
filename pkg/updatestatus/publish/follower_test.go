package publish

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
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
	f := NewFollower(FollowerInput{Name: "Some", Write: write, Recorder: recorder})
	t.Cleanup(f.syncContext.Queue().ShutDown)
	return f
}

// TestDelays checks what is queued again: what may not be written yet when it may, and after failures later and later.
func TestDelays(t *testing.T) {
	failing, missing := errors.New("no connection"), fmt.Errorf("listing: %w", errNotServed)
	type step struct {
		// after is how long after the step before, and made whether a write is attempted.
		after time.Duration
		made  bool
		delay time.Duration
		err   error
		want  []time.Duration
	}
	for name, steps := range map[string][]step{
		"written":   {{made: true}, {made: true}},
		"too early": {{made: true, delay: time.Minute, want: []time.Duration{time.Minute}}},
		"failed": {
			{made: true, err: failing, want: []time.Duration{2 * time.Second}},
			{after: time.Second, err: failing, want: []time.Duration{time.Second}}, // a status was built
			{after: time.Second, made: true, err: failing, want: []time.Duration{4 * time.Second}},
			{after: 4 * time.Second, made: true, err: failing, want: []time.Duration{8 * time.Second}},
			{after: 8 * time.Second, made: true, err: failing, want: []time.Duration{16 * time.Second}},
			{after: 16 * time.Second, made: true, err: failing, want: []time.Duration{16 * time.Second}},
			{after: 16 * time.Second, made: true},
			{made: true, err: failing, want: []time.Duration{2 * time.Second}},
		},
		"not served": {
			{made: true, err: missing, want: []time.Duration{time.Minute}},
			{after: time.Minute, made: true, err: missing, want: []time.Duration{time.Minute}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var now step
				made := false
				f := follower(t, func(context.Context, bool) (time.Duration, error) {
					made = true
					return now.delay, now.err
				})
				for at, next := range steps {
					time.Sleep(next.after) // in the bubble
					now, made = next, false
					queue := &queueOf{}
					if err := f.sync(t.Context(), queue); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(next.want, queue.delays); diff != "" || made != next.made {
						t.Errorf("step %d: attempted %t, delays (-want +got):\n%s", at, made, diff)
					}
				}
				f.syncContext.Queue().ShutDown()
			})
		})
	}
}

// TestEnd checks that the end of the process does not cut a write off at once, that it does after two seconds, and that the last write
// has as long again.
func TestEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		var got []string
		f := follower(t, func(ctx context.Context, isLast bool) (time.Duration, error) {
			<-ctx.Done()
			got = append(got, fmt.Sprintf("%t %s", isLast, time.Since(started)))
			return 0, nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		f.Notify()
		time.AfterFunc(time.Second, cancel)
		f.Run(ctx)
		if diff := cmp.Diff([]string{"false 3s", "true 5s"}, got); diff != "" {
			t.Errorf("ends of writes (-want +got):\n%s", diff)
		}
	})
}

// TestNotify checks that the start leads to a write, and that a notification leads to another one.
func TestNotify(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var f *Follower
	var written []bool
	f = follower(t, func(_ context.Context, isLast bool) (time.Duration, error) {
		written = append(written, isLast)
		if len(written) == 1 {
			f.Notify()
		} else {
			cancel()
		}
		return 0, nil
	})
	f.Run(ctx)
	if diff := cmp.Diff([]bool{false, false, true}, written); diff != "" {
		t.Errorf("last writes (-want +got):\n%s", diff)
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
