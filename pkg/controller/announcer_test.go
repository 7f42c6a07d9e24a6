package controller

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/status"
)

// stalling is a recorder for whom an API server does not answer, so many times.
type stalling struct {
	events.Recorder

	ctx      context.Context
	stalls   int
	recorded []string
}

// WithContext is part of events.Recorder.
func (s *stalling) WithContext(ctx context.Context) events.Recorder {
	s.ctx = ctx
	return s
}

// Event is part of events.Recorder.
func (s *stalling) Event(_, message string) { s.record("Normal " + message) }

// Warning is part of events.Recorder.
func (s *stalling) Warning(_, message string) { s.record("Warning " + message) }

func (s *stalling) record(event string) {
	if s.stalls > 0 {
		s.stalls--
		<-s.ctx.Done()
	}
	if s.ctx.Err() == nil {
		s.recorded = append(s.recorded, event)
	}
}

// TestAnnouncer: whatever happens to events, who announces them goes on.
func TestAnnouncer(t *testing.T) {
	for _, tc := range []struct {
		name      string
		stalls    int
		announced int
		// ends is when the context ends.
		ends     time.Duration
		recorded []string
		takes    time.Duration
	}{
		{name: "all is well", announced: 2, ends: time.Minute, recorded: []string{"Normal event", "Warning event"}},
		{name: "one stalls", stalls: 1, announced: 3, ends: time.Minute, recorded: []string{"Warning event", "Normal event"}, takes: eventTimeout},
		{name: "all stall, more than may wait", stalls: mostEvents, announced: mostEvents + 9, ends: finishTimeout, takes: finishTimeout},
		{name: "none is begun after the end", stalls: 1, announced: 5, ends: time.Second, takes: time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tc.ends)
				defer cancel()
				recorder := &stalling{stalls: tc.stalls}
				announcer := newAnnouncer(recorder)
				began := time.Now()
				for i := range tc.announced {
					kind := corev1.EventTypeNormal
					if i%2 == 1 {
						kind = corev1.EventTypeWarning
					}
					announcer.announce(ctx, status.Event{Type: kind, Reason: "Reason", Message: "event"})
				}
				if waited := time.Since(began); waited != 0 {
					t.Errorf("who announces waited for %s", waited)
				}
				announcer.finish()
				announcer.run(ctx)
				if took := time.Since(began); took != tc.takes {
					t.Errorf("took %s", took)
				}
				if diff := cmp.Diff(tc.recorded, recorder.recorded); diff != "" {
					t.Errorf("recorded (-want +got):\n%s", diff)
				}
			})
		})
	}
}
