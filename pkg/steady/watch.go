package steady

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// stuckAfter is how many watches may bring nothing but an error until it is taken for one that the next will bring as well: an
// event that can't be decoded comes first whenever the watch is taken up.
const stuckAfter = 5

// errBrokenEarly is that a watch has ended, and nobody can tell after what.
var errBrokenEarly = errors.New("the watch ended before it had told all that there is")

// steadyWatch is a watch that goes on when the one below it has ended.
type steadyWatch struct {
	events  chan watch.Event
	stop    context.CancelFunc
	begin   func(context.Context, metav1.ListOptions) (watch.Interface, error)
	list    func(context.Context, metav1.ListOptions) (runtime.Object, error)
	trouble func(error)
	// options are those of the next watch below. They have the version after which it begins as soon as there is one.
	options metav1.ListOptions
	// resumable is whether the options say where to go on: not before all initial events have come.
	resumable bool
	// known is what has been told to who watches, in the watch or in the list before it; nil if that is not known.
	known *known
}

// goOn lets the watch go on for as long as the context does.
func (s *steadyWatch) goOn(ctx context.Context, first watch.Interface) {
	ctx, s.stop = context.WithCancel(ctx)
	initial := isInitial(s.options)
	s.resumable = !initial && s.options.ResourceVersion != ""
	if initial {
		s.known = newKnown()
	}
	go s.run(ctx, first)
}

// Stop is part of watch.Interface.
func (s *steadyWatch) Stop() { s.stop() }

// ResultChan is part of watch.Interface.
func (s *steadyWatch) ResultChan() <-chan watch.Event { return s.events }

// run passes on what one watch after the other brings, until one is refused, or has to begin anew.
func (s *steadyWatch) run(ctx context.Context, current watch.Interface) {
	defer close(s.events)
	delay, fruitless := retries(), 0
	for {
		brought, err := s.pass(ctx, current)
		switch {
		case brought:
			delay, fruitless = retries(), 0
		case err != nil:
			fruitless++
		}
		if !s.resumable {
			s.breakOff(ctx, brought, err)
			return
		}
		if err == nil || !isRefusal(err) && fruitless < stuckAfter {
			if !pause(ctx, delay.Step()) {
				return
			}
			current, err = s.begin(ctx, s.options)
		}
		for s.canSkip(err, fruitless) && pause(ctx, delay.Step()) {
			fruitless = 0
			current, err = s.beginAnew(ctx)
		}
		if err != nil {
			s.giveUp(ctx, err)
			return
		}
	}
}

// breakOff ends a watch that can't be taken up. The reflector begins it anew at once if it has brought anything, and would do so
// for ever if it always breaks there: it is told late.
func (s *steadyWatch) breakOff(ctx context.Context, brought bool, err error) {
	if err == nil {
		tellUnlessEnded(ctx, s.trouble, errBrokenEarly)
	}
	if brought && !pause(ctx, lastRetry) {
		return
	}
	if err != nil {
		s.giveUp(ctx, err)
	}
}

// giveUp leaves an error to the reflector. It is told of before, as the reflector may see again soon after it has it.
func (s *steadyWatch) giveUp(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	s.trouble(err)
	s.send(ctx, watch.Event{Type: watch.Error, Object: statusOf(err)})
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

// pass passes on what a watch brings, and returns whether that was anything, and the error with which it ended, if any.
func (s *steadyWatch) pass(ctx context.Context, current watch.Interface) (brought bool, err error) {
	defer current.Stop()
	for {
		select {
		case event, open := <-current.ResultChan():
			if !open {
				return brought, nil
			}
			if event.Type == watch.Error {
				return brought, apierrors.FromObject(event.Object)
			}
			brought = true
			s.learn(event)
			if !s.send(ctx, event) {
				return brought, ctx.Err()
			}
		case <-ctx.Done():
			return brought, ctx.Err()
		}
	}
}

// learn takes note of an event: of what who watches knows by it, and of where to go on after it.
func (s *steadyWatch) learn(event watch.Event) {
	object, err := meta.Accessor(event.Object)
	if err != nil {
		return
	}
	switch {
	case event.Type == watch.Bookmark:
		s.learnBookmark(object)
	case s.known == nil:
	case event.Type == watch.Deleted:
		s.known.drop(object)
	default:
		// It has been read above.
		_, _, _ = s.known.take(event.Object)
	}
	if s.resumable {
		s.options.ResourceVersion = object.GetResourceVersion()
	}
}

func (s *steadyWatch) learnBookmark(object metav1.Object) {
	if object.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true" {
		s.resumable = true
		s.options.SendInitialEvents, s.options.ResourceVersionMatch = nil, ""
		s.trouble(nil)
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
