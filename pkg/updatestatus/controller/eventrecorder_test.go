package controller

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/openshift/library-go/pkg/operator/events"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// TestEvents: there is one event for each change that is written, and none again after a restart.
func TestEvents(t *testing.T) {
	f := settled(t)
	for _, level := range []updatev1alpha1.HealthLevel{"Warning", "Error", "Error", "Critical"} {
		f.refreshCache()
		f.send(healthMessage(level))
		f.passTime(time.Minute)
		f.mustSync(0)
	}
	object := f.refreshCache()

	restarted := newFixture(t)
	if _, err := restarted.client.UpdateV1alpha1().UpdateStatuses().Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	restarted.refreshCache()
	restarted.sendComplete()
	restarted.send(healthMessage("Critical"))
	restarted.mustSync(0)
	restarted.passTime(buildInterval)
	restarted.send(message("a", "one"))
	restarted.mustSync(0)

	var got []string
	for _, event := range append(f.recorded(), restarted.recorded()...) {
		got = append(got, event.Type+" "+event.Reason+" "+event.Message)
	}
	want := []string{
		"Warning HealthInsightAppeared Error: Node a is degraded (Update Stalled)",
		"Normal HealthInsightGone Critical: Node a is degraded (Update Stalled)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestEventsOfUncertainWrites: events are recorded of what was stored, also if the response was lost, and not of what was refused.
func TestEventsOfUncertainWrites(t *testing.T) {
	resource := updatev1alpha1.Resource("updatestatuses")
	for _, test := range []struct {
		name   string
		err    error
		stored bool
		events int
	}{
		{name: "response lost", err: errors.New("connection reset by peer"), stored: true, events: 1},
		{name: "timeout of etcd", err: apierrors.NewTimeoutError("etcd", 0), stored: true, events: 1},
		{name: "error of the API server", err: apierrors.NewInternalError(errors.New("etcdserver: leader changed")), stored: true, events: 1},
		{name: "request lost", err: errors.New("connection refused"), stored: false, events: 1},
		{
			name: "another controller wrote the same", err: apierrors.NewConflict(resource, "cluster", errors.New("changed")),
			stored: true, events: 0,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := settled(t)
			before := f.refreshCache()
			f.send(healthMessage("Error"))
			failing := true
			f.client.PrependReactor("update", "updatestatuses", func(action clienttesting.Action) (bool, runtime.Object, error) {
				if !failing {
					return false, nil, nil
				}
				if sent := action.(clienttesting.UpdateAction).GetObject().(*updatev1alpha1.UpdateStatus); test.stored {
					sent.ResourceVersion = before.ResourceVersion + "0"
					if err := f.client.Tracker().Update(action.GetResource(), sent, ""); err != nil {
						t.Error(err)
					}
				}
				return true, nil, test.err
			})
			if _, err := f.sync(t.Context()); err == nil || !strings.Contains(err.Error(), test.err.Error()) {
				t.Fatalf("error %v", err)
			}
			failing = false
			f.refreshCache()
			for range 2 {
				f.passTime(time.Minute)
				f.mustSync(0)
			}
			if got := f.recorded(); len(got) != test.events {
				t.Errorf("events: %v", got)
			}
		})
	}
}

// stallingRecorder is a recorder of events that waits until its context ends, for a number of events.
type stallingRecorder struct {
	events.Recorder

	ctx      context.Context
	stalls   int
	recorded []string
}

// WithContext implements events.Recorder.
func (s *stallingRecorder) WithContext(ctx context.Context) events.Recorder {
	s.ctx = ctx
	return s
}

// Event implements events.Recorder.
func (s *stallingRecorder) Event(_, message string) { s.record("Normal " + message) }

// Warning implements events.Recorder.
func (s *stallingRecorder) Warning(_, message string) { s.record("Warning " + message) }

func (s *stallingRecorder) record(event string) {
	if s.stalls > 0 {
		s.stalls--
		<-s.ctx.Done()
	}
	if s.ctx.Err() == nil {
		s.recorded = append(s.recorded, event)
	}
}

// TestEventRecorder: queueing an event never waits, whatever the API server does.
func TestEventRecorder(t *testing.T) {
	for _, test := range []struct {
		name   string
		stalls int
		queued int
		// timeout is when the context ends.
		timeout  time.Duration
		recorded []string
		takes    time.Duration
	}{
		{name: "all recorded", queued: 2, timeout: time.Minute, recorded: []string{"Normal event", "Warning event"}},
		{
			name: "one stalls", stalls: 1, queued: 3, timeout: time.Minute,
			recorded: []string{"Warning event", "Normal event"}, takes: eventTimeout,
		},
		{
			name: "all stall, more than can be queued", stalls: maxQueuedEvents, queued: maxQueuedEvents + 9, timeout: shutdownTimeout,
			takes: shutdownTimeout,
		},
		{name: "none is started after the end", stalls: 1, queued: 5, timeout: time.Second, takes: time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), test.timeout)
				defer cancel()
				stalling := &stallingRecorder{stalls: test.stalls}
				recorder := newEventRecorder(stalling)
				started := time.Now()
				for i := range test.queued {
					eventType := corev1.EventTypeNormal
					if i%2 == 1 {
						eventType = corev1.EventTypeWarning
					}
					recorder.enqueue(ctx, update.Event{Type: eventType, Reason: "Reason", Message: "event"})
				}
				if waited := time.Since(started); waited != 0 {
					t.Errorf("queueing waited for %s", waited)
				}
				close(recorder.queue)
				recorder.run(ctx)
				if took := time.Since(started); took != test.takes {
					t.Errorf("took %s", took)
				}
				if diff := cmp.Diff(test.recorded, stalling.recorded); diff != "" {
					t.Errorf("recorded (-want +got):\n%s", diff)
				}
			})
		})
	}
}
