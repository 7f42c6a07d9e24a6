package summarywriter

import (
	"context"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/summary"
)

const (
	name = "UpdateStatusSummaryController"

	// A summary has a few KiB: a write costs little.
	writesASecond = 2
	writesBurst   = 10
	// heartbeat is how often observedAt is written. It is a little less than a minute, after which the status is confirmed.
	heartbeat = 55 * time.Second
	// retryDelay is the delay after an error.
	retryDelay = 2 * time.Second
	// requestTimeout bounds an attempt, also the last one at shutdown.
	requestTimeout = 8 * time.Second
)

// Built is what the primary controller built.
type Built struct {
	// Status is the status of the UpdateStatus, with nothing left out. It is nil if there is none yet.
	Status *updatev1alpha1.UpdateStatusStatus
	// At is when it was last confirmed, by the clock of what is observed, and ConfirmedAt by that of real traffic: observedAt is
	// about the controller.
	At, ConfirmedAt time.Time
}

// Writer writes the object.
type Writer struct {
	factory.Controller

	syncContext factory.SyncContext
	built       func() Built
	object      object
	// pace is the clock for the pace of writes.
	pace  clock.PassiveClock
	limit *rate.Limiter
	// isFailing is whether the last attempt failed. Failures are logged once.
	isFailing bool
}

// Input is what a Writer is made from.
type Input struct {
	Client updateclient.UpdateStatusSummaryInterface
	// Built returns what was built last.
	Built    func() Built
	Pace     clock.PassiveClock
	Recorder events.Recorder
}

// New returns the controller. Notify makes it look at the status.
func New(in Input) *Writer {
	w := &Writer{
		syncContext: factory.NewSyncContext(name, in.Recorder),
		built:       in.Built,
		object:      object{client: in.Client},
		pace:        in.Pace,
		limit:       rate.NewLimiter(writesASecond, writesBurst),
	}
	w.Controller = factory.New().WithSync(w.syncAndRequeue).WithSyncContext(w.syncContext).ToController(name, in.Recorder)
	return w
}

// Notify makes the controller look at the status. It returns immediately.
func (w *Writer) Notify() {
	w.syncContext.Queue().Add(factory.DefaultQueueKey)
}

// Run runs the controller until the context ends, and then writes the last status.
func (w *Writer) Run(ctx context.Context) {
	w.Controller.Run(ctx, 1)
	w.limit.SetLimit(rate.Inf)
	if _, err := w.sync(ctx); err != nil {
		klog.FromContext(ctx).Info("Unable to write the last summary, the next leader will write it", "err", err)
	}
}

func (w *Writer) syncAndRequeue(ctx context.Context, syncContext factory.SyncContext) error {
	delay, err := w.sync(ctx)
	if err != nil {
		delay = retryDelay
		if !w.isFailing {
			klog.FromContext(ctx).Error(err, "Unable to write the UpdateStatusSummary, retrying", "after", delay)
		}
	}
	w.isFailing = err != nil
	if delay > 0 {
		syncContext.Queue().AddAfter(syncContext.QueueKey(), delay)
	}
	return nil
}

// sync writes the summary if it has changed or is to be confirmed. It returns the delay until it may be written, if that is not
// now. The end of the context does not cut a write off: it may be stored all the same, and the last write would have a conflict.
func (w *Writer) sync(ctx context.Context) (time.Duration, error) {
	built := w.built()
	if built.Status == nil {
		return 0, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
	defer cancel()
	known, err := w.object.current(ctx)
	if err != nil {
		return 0, err
	}
	next := summary.Of(summary.Input{Status: built.Status, Previous: &known.Status, Now: built.At})
	observed := metav1.NewTime(built.ConfirmedAt.Truncate(time.Second))
	next.ObservedAt = known.Status.ObservedAt
	isChanged := !equality.Semantic.DeepEqual(next, &known.Status)
	if !isChanged && known.Status.ObservedAt != nil && built.ConfirmedAt.Sub(known.Status.ObservedAt.Time).Abs() < heartbeat {
		return 0, nil
	}
	now := w.pace.Now()
	reservation := w.limit.ReserveN(now, 1)
	if delay := reservation.DelayFrom(now); delay > 0 {
		reservation.CancelAt(now)
		return delay, nil
	}
	next.ObservedAt = &observed
	return 0, w.object.write(ctx, next)
}
