package controller

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

func message(name, reason string) insight.Message {
	return insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{{
		Subject: insight.Subject{Kind: "Node", Name: name},
		Insights: []insight.Placed{{Insight: updatev1alpha1.Insight{
			UID: name, Node: &updatev1alpha1.NodeInsight{Name: name, Message: reason},
		}}},
	}}}
}

func TestCollectorTakesEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changes := 0
		c := newCollector(func() { changes++ })
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
		view, err := c.view(ctx)
		if err != nil {
			t.Fatal(err)
		}
		got := view[insight.NodeInformer].Insights
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
		c := newCollector(func() {})
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		for at := range messageBuffer {
			if err := c.send(ctx, message(fmt.Sprint(at), "")); err != nil {
				t.Fatal(err)
			}
		}
		go c.run(ctx)
		view, err := c.view(ctx)
		if err != nil || len(view[insight.NodeInformer].Insights) != messageBuffer {
			t.Errorf("%d insights of %d, %v", len(view[insight.NodeInformer].Insights), messageBuffer, err)
		}
	})
}

// TestFullChannelAtShutdown: with nobody to read, a source and a sync end with their context.
func TestFullChannelAtShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCollector(func() {})
		stopping := errors.New("stopping")
		ctx, cancel := context.WithCancelCause(t.Context())
		for range messageBuffer {
			if err := c.send(ctx, message("a", "")); err != nil {
				t.Fatal(err)
			}
		}
		results := make(chan error, 2)
		go func() { results <- c.send(ctx, message("a", "")) }()
		go func() { _, err := c.view(ctx); results <- err }()
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
