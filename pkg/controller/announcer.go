package controller

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/status"
)

const (
	// eventTimeout is how long an API server has to take an event.
	eventTimeout = 5 * time.Second
	// mostEvents is how many events may wait to be recorded, so that they do not pile up while the API server takes none.
	mostEvents = 1024
)

// announcer records events, one after the other, while the controller goes on: an API server that takes none must not hold
// up the next status.
type announcer struct {
	recorder events.Recorder
	queue    chan status.Event
}

func newAnnouncer(recorder events.Recorder) *announcer {
	return &announcer{recorder: recorder, queue: make(chan status.Event, mostEvents)}
}

// announce takes an event, and drops it if too many wait.
func (a *announcer) announce(ctx context.Context, happened status.Event) {
	select {
	case a.queue <- happened:
	default:
		klog.FromContext(ctx).Info("An event was dropped, since the API server takes none", "reason", happened.Reason, "message", happened.Message)
	}
}

// run records events until there will be no more, or the context ends.
func (a *announcer) run(ctx context.Context) {
	for happened := range a.queue {
		if ctx.Err() != nil {
			return
		}
		a.record(ctx, happened)
	}
}

func (a *announcer) record(ctx context.Context, happened status.Event) {
	ctx, cancel := context.WithTimeout(ctx, eventTimeout)
	defer cancel()
	recorder := a.recorder.WithContext(ctx)
	if happened.Type == corev1.EventTypeWarning {
		recorder.Warning(happened.Reason, happened.Message)
		return
	}
	recorder.Event(happened.Reason, happened.Message)
}

// finish lets run return when all events are recorded. None may be announced afterwards.
func (a *announcer) finish() {
	close(a.queue)
}
