package follow

import (
	"context"
	"time"

	"k8s.io/klog/v2"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
)

const (
	// retryDelay is the delay after an error.
	retryDelay = 2 * time.Second
	// requestTimeout bounds an attempt, also the last one at shutdown.
	requestTimeout = 8 * time.Second
)

// Write writes an object of what was built last, if it has changed. It returns the delay until it may be written, zero if it is
// written or nothing is to be done. The last write is that at the end of the process.
type Write func(ctx context.Context, isLast bool) (time.Duration, error)

// Input is what a Follower is made from.
type Input struct {
	// Name is the name of the controller.
	Name string
	// Kind is the kind of the objects, for the log.
	Kind     string
	Write    Write
	Recorder events.Recorder
}

// Follower is the controller.
type Follower struct {
	factory.Controller

	syncContext factory.SyncContext
	write       Write
	kind        string
	// isFailing is whether the last attempt failed. Failures are logged once.
	isFailing bool
}

// New returns the controller. Notify makes it write.
func New(in Input) *Follower {
	f := &Follower{syncContext: factory.NewSyncContext(in.Name, in.Recorder), write: in.Write, kind: in.Kind}
	f.Controller = factory.New().WithSync(f.sync).WithSyncContext(f.syncContext).ToController(in.Name, in.Recorder)
	return f
}

// Notify makes the controller look at what was built. It returns immediately.
func (f *Follower) Notify() {
	f.syncContext.Queue().Add(factory.DefaultQueueKey)
}

// Run runs the controller until the context ends, and then writes what was built last.
func (f *Follower) Run(ctx context.Context) {
	f.Controller.Run(ctx, 1)
	if _, err := f.attempt(ctx, true); err != nil {
		klog.FromContext(ctx).Info("Unable to write what was built last, the next leader will write it", "kind", f.kind, "err", err)
	}
}

func (f *Follower) sync(ctx context.Context, syncContext factory.SyncContext) error {
	delay, err := f.attempt(ctx, false)
	if err != nil {
		delay = retryDelay
		if !f.isFailing {
			klog.FromContext(ctx).Error(err, "Unable to write, retrying", "kind", f.kind, "after", delay)
		}
	}
	f.isFailing = err != nil
	if delay > 0 {
		syncContext.Queue().AddAfter(syncContext.QueueKey(), delay)
	}
	return nil
}

// attempt writes. The end of the context does not cut a write off: it may be stored all the same, and the last write would have a
// conflict.
func (f *Follower) attempt(ctx context.Context, isLast bool) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
	defer cancel()
	return f.write(ctx, isLast)
}
