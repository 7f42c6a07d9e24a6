package retrywatch

import (
	"context"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// hearing is when watches of a resource brought something last, in nanoseconds since 1970.
type hearing struct {
	last atomic.Int64
}

func newHearing() *hearing {
	h := &hearing{}
	h.now()
	return h
}

func (h *hearing) now() { h.last.Store(time.Now().UnixNano()) }

// patience returns for how long nothing may come from now on.
func (h *hearing) patience() time.Duration {
	return silenceThreshold - time.Since(time.Unix(0, h.last.Load()))
}

// stream is a watch whose errors and initial events are observed.
type stream struct {
	from    watch.Interface
	cancel  context.CancelFunc
	events  chan watch.Event
	observe Observer
	// errors is that of the resumer, nil if the watch is not retried.
	errors *int
	heard  *hearing
	// isComplete is whether all initial events have arrived.
	isComplete bool
}

// Stop is part of watch.Interface.
func (s *stream) Stop() { s.cancel() }

// ResultChan is part of watch.Interface.
func (s *stream) ResultChan() <-chan watch.Event { return s.events }

func (s *stream) forward(ctx context.Context) {
	defer close(s.events)
	defer s.cancel()
	defer s.from.Stop()
	silence := time.NewTimer(s.heard.patience())
	defer silence.Stop()
	for {
		select {
		case <-silence.C:
			s.observe(ctx, errSilent)
			select {
			case s.events <- watch.Event{Type: watch.Error, Object: expired(errSilent)}:
			case <-ctx.Done():
			}
			return
		case event, open := <-s.from.ResultChan():
			if !open {
				return
			}
			s.heard.now()
			silence.Reset(s.heard.patience())
			event, open = s.observed(ctx, event)
			if !open {
				return
			}
			select {
			case s.events <- event:
			case <-ctx.Done():
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// observed observes an event, and returns it as it is passed on, and whether the watch goes on.
func (s *stream) observed(ctx context.Context, event watch.Event) (passed watch.Event, open bool) {
	if event.Type == watch.Error {
		return s.failed(ctx, event)
	}
	if s.errors != nil {
		*s.errors = 0
	}
	if object, err := meta.Accessor(event.Object); err == nil && event.Type == watch.Bookmark &&
		object.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true" {
		s.isComplete = true
		s.observe(ctx, nil)
	}
	return event, true
}

func (s *stream) failed(ctx context.Context, event watch.Event) (passed watch.Event, open bool) {
	err := apierrors.FromObject(event.Object)
	s.observe(ctx, err)
	if s.errors == nil {
		// Without an error the reflector resumes the watch, and with one it lists, which it must before it knows all objects.
		return event, !s.isComplete || apierrors.IsResourceExpired(err)
	}
	*s.errors++
	if *s.errors >= errorThreshold {
		event.Object = expired(err)
	}
	return event, true
}
