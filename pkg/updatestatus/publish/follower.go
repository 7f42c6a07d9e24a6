package publish

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
)

const (
	// firstRetry and lastRetry bound the backoff after an error.
	firstRetry = 2 * time.Second
	lastRetry  = 16 * time.Second
	// notServedRetry is the delay after the API server has not served a kind: a cluster may not have it.
	notServedRetry = time.Minute
	// grace is how long an attempt may go on after the end of the context. The last one comes after that, and has the same time.
	grace = 2 * time.Second
)

var initialBackoff = wait.Backoff{Duration: firstRetry, Factor: 2, Steps: 100, Cap: lastRetry}

// Write writes an object of what was built last, if it has changed, or reads one. It returns the delay until it may be written, zero if it
// is written or nothing is to be done. The last write is that at the end of the process. Errors name the object.
type Write func(ctx context.Context, isLast bool) (time.Duration, error)

// FollowerInput is what a Follower is made from.
type FollowerInput struct {
	// Name is the name of the controller.
	Name     string
	Write    Write
	Recorder events.Recorder
}

// Follower is a library-go controller that follows the primary one: it is notified when a status was built, and writes something made
// of it. A write that fails is tried again, later and later, and logged once.
type Follower struct {
	factory.Controller

	syncContext factory.SyncContext
	in          FollowerInput
	// retryAt is when the next attempt may be made after a failed one, zero after one that did not fail.
	retryAt time.Time
	backoff wait.Backoff
}

// NewFollower returns the controller. Notify makes it write.
func NewFollower(in FollowerInput) *Follower {
	f := &Follower{in: in, syncContext: factory.NewSyncContext(in.Name, in.Recorder), backoff: initialBackoff}
	f.Controller = factory.New().WithSync(f.sync).WithSyncContext(f.syncContext).ToController(in.Name, in.Recorder)
	return f
}

// Notify makes the controller look at what was built. It returns immediately.
func (f *Follower) Notify() {
	f.syncContext.Queue().Add(factory.DefaultQueueKey)
}

// Run runs the controller until the context ends, and then writes what was built last.
func (f *Follower) Run(ctx context.Context) {
	f.Notify()
	f.Controller.Run(ctx, 1)
	if _, err := f.write(ctx, true); err != nil {
		klog.FromContext(ctx).Info("Unable to write the last version of an object, the next leader will write it", "controller", f.in.Name, "err", err)
	}
}

// write writes. The end of the context does not cut it off at once: it may be stored all the same, and the last write would have a
// conflict.
func (f *Follower) write(ctx context.Context, isLast bool) (time.Duration, error) {
	writing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	defer stop()
	return f.in.Write(writing, isLast)
}

func (f *Follower) sync(ctx context.Context, syncContext factory.SyncContext) error {
	delay := time.Until(f.retryAt)
	if delay <= 0 {
		delay = f.attempt(ctx)
	}
	if delay > 0 {
		syncContext.Queue().AddAfter(syncContext.QueueKey(), delay)
	}
	return nil
}

// attempt writes, and returns the delay of the next attempt, zero if none is needed.
func (f *Follower) attempt(ctx context.Context) time.Duration {
	delay, err := f.write(ctx, false)
	if err == nil {
		f.retryAt, f.backoff = time.Time{}, initialBackoff
		return delay
	}
	delay = f.backoff.Step()
	if errors.Is(err, errNotServed) {
		delay = notServedRetry
	}
	if f.retryAt.IsZero() {
		klog.FromContext(ctx).Error(err, "Unable to update an object derived from the UpdateStatus, retrying", "controller", f.in.Name, "after", delay)
	}
	f.retryAt = time.Now().Add(delay)
	return delay
}
