package steady

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// begin begins a watch.
type begin func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error)

// steadyWatch is a watch that goes on when the one below it has ended.
type steadyWatch struct {
	events chan watch.Event
	stop   context.CancelFunc
	begin  begin
	// options are those of the next watch below. They have the version after which it begins as soon as there is one.
	options metav1.ListOptions
	// resumable is whether the options say where to go on: not before all initial events have come.
	resumable bool
}

// goOn returns a watch that goes on for as long as the context does.
func goOn(ctx context.Context, first watch.Interface, options metav1.ListOptions, begin begin) watch.Interface {
	ctx, stop := context.WithCancel(ctx)
	initial := options.SendInitialEvents != nil && *options.SendInitialEvents
	made := &steadyWatch{
		events: make(chan watch.Event), stop: stop, begin: begin, options: options,
		resumable: !initial && options.ResourceVersion != "",
	}
	go made.run(ctx, first)
	return made
}

// Stop is part of watch.Interface.
func (s *steadyWatch) Stop() { s.stop() }

// ResultChan is part of watch.Interface.
func (s *steadyWatch) ResultChan() <-chan watch.Event { return s.events }

// run passes on what one watch after the other brings, until one is refused, or has to begin anew.
func (s *steadyWatch) run(ctx context.Context, current watch.Interface) {
	defer close(s.events)
	delay := retries()
	for {
		brought, over := s.pass(ctx, current)
		if over || !s.resumable {
			return
		}
		if brought {
			delay = retries()
		}
		if !pause(ctx, delay.Step()) {
			return
		}
		var err error
		if current, err = s.begin(ctx, s.options); err != nil {
			s.send(ctx, watch.Event{Type: watch.Error, Object: statusOf(err)})
			return
		}
	}
}

// statusOf returns an error as a watch brings it.
func statusOf(err error) *metav1.Status {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		said := status.Status()
		return &said
	}
	internal := apierrors.NewInternalError(err).Status()
	return &internal
}

// pass passes on what a watch brings, and returns whether that was anything, and whether all is over.
func (s *steadyWatch) pass(ctx context.Context, current watch.Interface) (brought, over bool) {
	defer current.Stop()
	for {
		select {
		case event, open := <-current.ResultChan():
			if !open {
				return brought, false
			}
			if event.Type == watch.Error && !isRefusal(apierrors.FromObject(event.Object)) {
				return brought, false
			}
			if !s.send(ctx, event) || event.Type == watch.Error {
				return brought, true
			}
			brought = true
			s.learn(event)
		case <-ctx.Done():
			return brought, true
		}
	}
}

// learn takes note of where to go on after an event.
func (s *steadyWatch) learn(event watch.Event) {
	object, err := meta.Accessor(event.Object)
	if err != nil {
		return
	}
	if event.Type == watch.Bookmark && object.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true" {
		s.resumable = true
		s.options.SendInitialEvents, s.options.ResourceVersionMatch = nil, ""
	}
	if s.resumable {
		s.options.ResourceVersion = object.GetResourceVersion()
	}
}

func (s *steadyWatch) send(ctx context.Context, event watch.Event) bool {
	select {
	case s.events <- event:
		return true
	case <-ctx.Done():
		return false
	}
}
