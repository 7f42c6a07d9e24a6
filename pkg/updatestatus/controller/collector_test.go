package controller

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

func TestCollectorMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changes := 0
		c := newCollector(clock.RealClock{}, func() { changes++ })
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		go c.run(ctx)

		const subjects = 3 * messageBuffer
		for at := range subjects {
			for _, reason := range []string{"old", "new", "new"} {
				if err := c.send(ctx, message(fmt.Sprint(at), reason)); err != nil {
					t.Fatal(err)
				}
			}
		}
		snapshot, err := c.snapshot(ctx, true)
		if err != nil {
			t.Fatal(err)
		}
		got := snapshot.view[insight.NodeInformer].Insights
		if len(got) != subjects {
			t.Errorf("%d insights of %d", len(got), subjects)
		}
		for _, scoped := range got {
			if scoped.Insight.Node.Message != "new" {
				t.Errorf("%s: the newest report was lost", scoped.Insight.UID)
			}
		}
		if changes != 2*subjects {
			t.Errorf("%d changes, want one for each message that changed something: %d", changes, 2*subjects)
		}
	})
}

func TestSnapshotHasAllSentMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCollector(clock.RealClock{}, func() {})
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		for at := range messageBuffer {
			if err := c.send(ctx, message(fmt.Sprint(at), "")); err != nil {
				t.Fatal(err)
			}
		}
		go c.run(ctx)
		snapshot, err := c.snapshot(ctx, true)
		if err != nil || len(snapshot.view[insight.NodeInformer].Insights) != messageBuffer {
			t.Errorf("%d insights of %d, %v", len(snapshot.view[insight.NodeInformer].Insights), messageBuffer, err)
		}
	})
}

// TestFullChannelAtShutdown: without a running collector, send and snapshot end with their context.
func TestFullChannelAtShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCollector(clock.RealClock{}, func() {})
		stopping := errors.New("stopping")
		ctx, cancel := context.WithCancelCause(t.Context())
		for range messageBuffer {
			if err := c.send(ctx, message("a", "")); err != nil {
				t.Fatal(err)
			}
		}
		results := make(chan error, 2)
		go func() { results <- c.send(ctx, message("a", "")) }()
		go func() { _, err := c.snapshot(ctx, true); results <- err }()
		synctest.Wait()
		if len(results) != 0 {
			t.Error("a full channel accepted a message")
		}
		cancel(stopping)
		for range 2 {
			if err := <-results; !errors.Is(err, stopping) {
				t.Errorf("error %v", err)
			}
		}
	})
}

// TestOldestPending: a change is pending until a snapshot resets it. A message without a change is not pending, but is the last
// report of its source.
func TestOldestPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCollector(clock.RealClock{}, func() {})
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		go c.run(ctx)
		started := time.Now()
		const none = time.Duration(-1)
		for _, step := range []struct {
			name         string
			send         string // after a second
			resetPending bool
			oldest, last time.Duration
		}{
			{name: "first", send: "one", oldest: 1 * time.Second, last: 1 * time.Second},
			{name: "changed", send: "two", oldest: 1 * time.Second, last: 2 * time.Second},
			{name: "unchanged", send: "two", oldest: 1 * time.Second, last: 3 * time.Second},
			{name: "reset", resetPending: true, oldest: 1 * time.Second, last: 3 * time.Second},
			{name: "after the reset", resetPending: true, oldest: none, last: 3 * time.Second},
			{name: "unchanged after the reset", send: "two", resetPending: true, oldest: none, last: 4 * time.Second},
		} {
			if step.send != "" {
				time.Sleep(time.Second) // in the bubble
				if err := c.send(ctx, message("a", step.send)); err != nil {
					t.Fatal(err)
				}
			}
			snapshot, err := c.snapshot(ctx, step.resetPending)
			if err != nil {
				t.Fatal(err)
			}
			oldest := none
			if !snapshot.oldestPending.IsZero() {
				oldest = snapshot.oldestPending.Sub(started)
			}
			if last := snapshot.lastReports[insight.NodeInformer].Sub(started); oldest != step.oldest || last != step.last {
				t.Errorf("%s: oldest pending %s, last report %s, want %s and %s", step.name, oldest, last, step.oldest, step.last)
			}
		}
	})
}
