package retrywatch

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// stream is a watch whose errors and initial events are observed.
type stream struct {
	from    watch.Interface
	cancel  context.CancelFunc
	events  chan watch.Event
	observe Observer
	// errors is that of the resumer, nil if the watch is not retried.
	errors *int
}

// Stop is part of watch.Interface.
func (s *stream) Stop() { s.cancel() }

// ResultChan is part of watch.Interface.
func (s *stream) ResultChan() <-chan watch.Event { return s.events }

func (s *stream) forward(ctx context.Context) {
	defer close(s.events)
	defer s.cancel()
	defer s.from.Stop()
	for {
		select {
		case event, open := <-s.from.ResultChan():
			if !open {
				return
			}
			select {
			case s.events <- s.observed(ctx, event):
			case <-ctx.Done():
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// observed observes an event, and returns it as it is passed on.
func (s *stream) observed(ctx context.Context, event watch.Event) watch.Event {
	if event.Type == watch.Error {
		err := apierrors.FromObject(event.Object)
		s.observe(ctx, err)
		if s.errors == nil {
			return event
		}
		*s.errors++
		if *s.errors >= errorThreshold {
			event.Object = expired(err)
		}
		return event
	}
	if s.errors != nil {
		*s.errors = 0
	}
	if object, err := meta.Accessor(event.Object); err == nil && event.Type == watch.Bookmark &&
		object.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true" {
		s.observe(ctx, nil)
	}
	return event
}
