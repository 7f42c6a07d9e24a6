package controller

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/clock"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

func message(name, reason string) insight.Message {
	return insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{{
		Subject: insight.Subject{Kind: "Node", Name: name},
		Insights: []insight.ScopedInsight{{Insight: updatev1alpha1.Insight{
			UID: name, Node: &updatev1alpha1.NodeInsight{Name: name, Message: reason},
		}}},
	}}}
}

func TestCollectorTakesEverything(t *testing.T) {
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
		held, err := c.look(ctx, true)
		if err != nil {
			t.Fatal(err)
		}
		got := held.view[insight.NodeInformer].Insights
		if len(got) != subjects {
			t.Errorf("%d insights of %d", len(got), subjects)
		}
		for _, placed := range got {
			if placed.Insight.Node.Message != "new" {
				t.Errorf("%s: the newest report was lost", placed.Insight.UID)
			}
		}
		if changes != 2*subjects {
			t.Errorf("%d changes, want one for each message that said something new: %d", changes, 2*subjects)
		}
	})
}

func TestViewHoldsWhatWasSentBefore(t *testing.T) {
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
		held, err := c.look(ctx, true)
		if err != nil || len(held.view[insight.NodeInformer].Insights) != messageBuffer {
			t.Errorf("%d insights of %d, %v", len(held.view[insight.NodeInformer].Insights), messageBuffer, err)
		}
	})
}

// TestFullChannelAtShutdown: with nobody to read, a source and a sync end with their context.
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
		go func() { _, err := c.look(ctx, true); results <- err }()
		synctest.Wait()
		if len(results) != 0 {
			t.Error("a full channel let a message pass")
		}
		cancel(stopping)
		for range 2 {
			if err := <-results; !errors.Is(err, stopping) {
				t.Errorf("error %v", err)
			}
		}
	})
}

// TestWaitingIsWhatNobodyKeeps: since when a change waits is told until the keeper has looked, whoever else looks. A report
// that says nothing new does not wait, and is a report all the same.
func TestWaitingIsWhatNobodyKeeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCollector(clock.RealClock{}, func() {})
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		go c.run(ctx)
		began := time.Now()
		type told struct{ Waiting, Reported time.Duration }
		look := func(keeping bool) told {
			t.Helper()
			held, err := c.look(ctx, keeping)
			if err != nil {
				t.Fatal(err)
			}
			made := told{Waiting: -1, Reported: held.reported[insight.NodeInformer].Sub(began)}
			if !held.waiting.IsZero() {
				made.Waiting = held.waiting.Sub(began)
			}
			return made
		}
		var got []told
		for _, reason := range []string{"one", "two", "two"} {
			time.Sleep(time.Second) // in the bubble
			if err := c.send(ctx, message("a", reason)); err != nil {
				t.Fatal(err)
			}
			got = append(got, look(false))
		}
		got = append(got, look(true), look(true))
		time.Sleep(time.Second)
		if err := c.send(ctx, message("a", "two")); err != nil {
			t.Fatal(err)
		}
		got = append(got, look(true))
		want := []told{
			{1 * time.Second, 1 * time.Second},
			{1 * time.Second, 2 * time.Second},
			{1 * time.Second, 3 * time.Second},
			{1 * time.Second, 3 * time.Second},
			{-1, 3 * time.Second},
			{-1, 4 * time.Second},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after each look (-want +got):\n%s", diff)
		}
	})
}
