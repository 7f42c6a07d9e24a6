package controller

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

const (
	// eventTimeout bounds the recording of an event.
	eventTimeout = 5 * time.Second
	// maxQueuedEvents bounds the events that wait to be recorded while the API server accepts none.
	maxQueuedEvents = 1024
)

// eventRecorder records events about the statuses that were stored, one at a time in a goroutine of its own: an API server that
// accepts no events must not delay the next status.
type eventRecorder struct {
	recorder events.Recorder
	queue    chan update.Event
	// stored is the status that was stored last, and state is what events were recorded of up to it.
	stored *update.Update
	state  *update.EventState
}

func newEventRecorder(recorder events.Recorder) *eventRecorder {
	return &eventRecorder{recorder: recorder, queue: make(chan update.Event, maxQueuedEvents)}
}

// start sets the status whose content gets no events.
func (r *eventRecorder) start(stored *update.Update, now time.Time) {
	r.stored, r.state = stored, update.NewEventState(stored, now)
}

// recordStored queues events about the changes in a status that was stored, and logs changed assessments. An event may be lost
// with the process, but is never recorded twice.
func (r *eventRecorder) recordStored(ctx context.Context, stored *update.Update) {
	for _, event := range r.state.Next(stored) {
		r.enqueue(ctx, event)
	}
	for _, change := range update.AssessmentChanges(r.stored, stored) {
		klog.FromContext(ctx).V(2).Info("Update assessment changed", "part", change.Part, "before", change.Before, "after", change.After)
	}
	r.stored = stored
}

// enqueue queues an event, or drops it if too many are queued.
func (r *eventRecorder) enqueue(ctx context.Context, event update.Event) {
	select {
	case r.queue <- event:
	default:
		klog.FromContext(ctx).Info("Dropped an event, too many are queued", "reason", event.Reason, "message", event.Message)
	}
}

// run records events until the queue is closed and empty, or the context ends.
func (r *eventRecorder) run(ctx context.Context) {
	for event := range r.queue {
		if ctx.Err() != nil {
			return
		}
		r.record(ctx, event)
	}
}

func (r *eventRecorder) record(ctx context.Context, event update.Event) {
	ctx, cancel := context.WithTimeout(ctx, eventTimeout)
	defer cancel()
	recorder := r.recorder.WithContext(ctx)
	if event.Type == corev1.EventTypeWarning {
		recorder.Warning(event.Reason, event.Message)
		return
	}
	recorder.Event(event.Reason, event.Message)
}
