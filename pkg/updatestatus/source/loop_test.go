package source

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	cachetesting "k8s.io/client-go/tools/cache/testing"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/operator/events"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// cluster is what a source of these tests assesses: a text for each subject.
type cluster struct {
	subjects map[string]string
	state    *insight.State
	next     time.Time
	err      error
}

func (c *cluster) assess(context.Context, time.Time) (insight.Message, time.Time, error) {
	message := insight.Message{State: c.state}
	for _, name := range slices.Sorted(maps.Keys(c.subjects)) {
		report := insight.Report{Subject: insight.Subject{Kind: "Node", Name: name}}
		if text := c.subjects[name]; text != "" {
			report.Insights = []insight.ScopedInsight{{Insight: updatev1alpha1.Insight{Node: &updatev1alpha1.NodeInsight{Message: text}}}}
		}
		message.Reports = append(message.Reports, report)
	}
	return message, c.next, c.err
}

// TestLoopSendsWhatDiffers: what was sent is not sent again, and what is no longer reported is withdrawn once.
func TestLoopSendsWhatDiffers(t *testing.T) {
	c := &cluster{subjects: map[string]string{"a": "1", "b": "1", "none": ""}, state: &insight.State{Complete: true}}
	f := newFixture(t, insight.NodeInformer, c.assess)
	for _, step := range []struct {
		name   string
		change func()
		want   string
	}{
		{"at first, everything", func() {}, "a b !"},
		{"nothing has changed", func() {}, "!"},
		{"another insight", func() { c.subjects["a"] = "2" }, "a !"},
		{"a new subject", func() { c.subjects["none"] = "1" }, "none !"},
		{"no insight any more", func() { c.subjects["none"] = "" }, "-none !"},
		{"withdrawn before", func() {}, "!"},
		{"no subject any more", func() { delete(c.subjects, "b") }, "-b !"},
		{"no state", func() { c.state = nil }, ""},
		{"not everything", func() { c.state = &insight.State{Complete: true, Reason: "TooMany"} }, "! TooMany"},
	} {
		step.change()
		if got := f.run(t); got != step.want {
			t.Errorf("%s: sent %q, want %q", step.name, got, step.want)
		}
		if len(f.sent) != 1 || f.sent[0].Source != insight.NodeInformer {
			t.Errorf("%s: sent %v", step.name, f.sent)
		}
	}
}

// TestLoopWhileWatchesFail: that is sent once and nothing else; then what differs from what was sent before.
func TestLoopWhileWatchesFail(t *testing.T) {
	c := &cluster{subjects: map[string]string{"a": "1", "b": "1"}, state: &insight.State{Complete: true}}
	f := newFixture(t, insight.NodeInformer, c.assess)
	f.run(t)
	delete(c.subjects, "b")
	c.err = errors.New("assessed while watches fail")
	f.failing = &insight.State{Reason: "CannotListNodes"}
	for _, want := range []string{"CannotListNodes", ""} {
		if got := f.run(t); got != want || f.next != 0 {
			t.Errorf("sent %q, want %q; next sync after %s", got, want, f.next)
		}
	}
	failing := f.failing
	f.failing, c.err = nil, nil
	if got := f.run(t); got != "-b !" {
		t.Errorf("sent %q after the watches recovered", got)
	}
	f.failing = failing
	if got := f.run(t); got != "CannotListNodes" {
		t.Errorf("sent %q when they failed again", got)
	}
}

// TestLoopAfterErrors: what could not be sent is sent by the next sync.
func TestLoopAfterErrors(t *testing.T) {
	c := &cluster{subjects: map[string]string{"a": "1"}, state: &insight.State{Complete: true}}
	f := newFixture(t, insight.NodeInformer, c.assess)
	expect := func(want string) {
		t.Helper()
		if err := f.trySync(); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	c.err = errors.New("no object")
	expect("assessing for the node-informer: no object")
	c.err, f.refused = nil, errors.New("refused")
	expect("reporting for the node-informer: refused")
	f.failing = &insight.State{Reason: "CannotListNodes"}
	expect("reporting for the node-informer: refused")
	f.refused = nil
	if got := f.run(t); got != "CannotListNodes" {
		t.Errorf("sent %q", got)
	}
	f.failing = nil
	if got := f.run(t); got != "a !" {
		t.Errorf("sent %q", got)
	}
}

// TestLoopAtTheEnd: an error after the end of the context is none.
func TestLoopAtTheEnd(t *testing.T) {
	c := &cluster{err: errors.New("context canceled")}
	f := newFixture(t, insight.NodeInformer, c.assess)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.syncUntilEnd(ctx, queueOf{next: &f.next}); err != nil {
		t.Errorf("error %v", err)
	}
}

func TestLoopNextCheck(t *testing.T) {
	c := &cluster{state: &insight.State{Complete: true}}
	f := newFixture(t, insight.NodeInformer, c.assess)
	for name, test := range map[string]struct {
		next time.Time
		want time.Duration
	}{
		"none":   {time.Time{}, 0},
		"later":  {start.Add(time.Minute), time.Minute},
		"missed": {start.Add(-time.Minute), time.Millisecond},
	} {
		c.next = test.next
		f.run(t)
		if f.next != test.want {
			t.Errorf("%s: next sync after %s, want %s", name, f.next, test.want)
		}
	}
}

// TestLoopLimit: after a burst, changes are collected so that a source assesses twice a second, however often something changes.
func TestLoopLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, insight.NodeInformer, (&cluster{}).assess)
		assess := func(count int) time.Duration {
			for range count {
				if err := f.trySync(); err != nil {
					t.Fatal(err)
				}
			}
			return max(time.Until(f.notBefore), 0).Round(time.Millisecond)
		}
		if got := assess(insight.BuildsBurst); got != 0 {
			t.Errorf("after a burst: waits for %s", got)
		}
		if got := assess(1); got != time.Second/insight.BuildsASecond {
			t.Errorf("after one more: waits for %s", got)
		}
		time.Sleep(time.Hour) // in the bubble
		if got := assess(insight.BuildsBurst); got != 0 {
			t.Errorf("after a quiet hour: waits for %s", got)
		}
		f.context.Queue().ShutDown()
	})
}

// TestLoopRuns runs a loop: changes are collected, whatever runs beside it is a trigger too, and Resync does not wait.
func TestLoopRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var got []string
		nodes := cachetesting.NewFakeControllerSource()
		informer := cache.NewSharedIndexInformer(nodes, &corev1.Node{}, 0, cache.Indexers{})
		poke := make(chan struct{})
		loop, err := New(Input{
			Source: insight.NodeInformer, Clock: clock.RealClock{}, Informers: []cache.SharedIndexInformer{informer},
			Health: func() *insight.State { return nil },
			Assess: func(_ context.Context, now time.Time) (insight.Message, time.Time, error) {
				got = append(got, fmt.Sprintf("%s %d", now.Sub(begin), len(informer.GetStore().List())))
				return insight.Message{}, time.Time{}, nil
			},
			Background: func(ctx context.Context, changed func()) {
				for {
					select {
					case <-poke:
						changed()
					case <-ctx.Done():
						return
					}
				}
			},
			Send:     func(context.Context, insight.Message) error { return nil },
			Recorder: events.NewInMemoryRecorder("test", clock.RealClock{}),
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		go informer.RunWithContext(ctx)
		synctest.Wait()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			loop.Run(ctx, 1)
		}()
		pass(time.Second)
		for _, name := range []string{"a", "b"} {
			nodes.Add(builders.Node(name))
			pass(50 * time.Millisecond)
		}
		pass(time.Second)
		poke <- struct{}{}
		pass(time.Second)
		loop.Resync()
		pass(time.Second)
		stop()
		<-ended
		nodes.Broadcaster.Shutdown()
		synctest.Wait()
		want := []string{"0s 0", "1.1s 2", "2.2s 2", "3.1s 2"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("assessments, with the number of nodes (-want +got):\n%s", diff)
		}
	})
}

// pass lets time pass in the bubble: it takes no time outside.
func pass(duration time.Duration) {
	time.Sleep(duration)
	synctest.Wait()
}
