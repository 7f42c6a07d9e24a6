package summarywriter

import (
	"context"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/summary"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

const (
	// A summary has a few KiB: a write costs little.
	writesASecond = 2
	writesBurst   = 10
	// heartbeat is how often observedAt is written. It is a little less than a minute, after which the status is confirmed.
	heartbeat = 55 * time.Second
)

// Writer writes the object.
type Writer struct {
	built  func() *update.Built
	object object
	// history are the records of earlier updates.
	history *History
	// pace is the clock for the pace of writes.
	pace  clock.PassiveClock
	limit *rate.Limiter
}

// Input is what a Writer is made from.
type Input struct {
	Client updateclient.UpdateStatusSummaryInterface
	// Records has the records of earlier updates, from which a new one is estimated.
	Records RecordLister
	// Built returns what was built last, nil if nothing was.
	Built func() *update.Built
	Pace  clock.PassiveClock
}

// New returns a Writer, for a controller that follows the primary one.
func New(in Input) *Writer {
	return &Writer{built: in.Built, object: object{client: in.Client}, history: NewHistory(in.Records), pace: in.Pace, limit: rate.NewLimiter(writesASecond, writesBurst)}
}

// Write writes the summary if it has changed or is to be confirmed. It returns the delay until it may be written, if that is not
// now: the last one may.
func (w *Writer) Write(ctx context.Context, isLast bool) (time.Duration, error) {
	built := w.built()
	if built == nil {
		return 0, nil
	}
	known, err := w.object.current(ctx)
	if err != nil {
		return 0, err
	}
	earlier, err := w.history.Earlier(ctx, &known.Status)
	if err != nil {
		return 0, err
	}
	next := summary.Of(summary.Input{Update: built.Update, History: earlier, Previous: &known.Status, Now: built.At})
	observed := metav1.NewTime(built.ConfirmedAt.Truncate(time.Second))
	next.ObservedAt = known.Status.ObservedAt
	isChanged := !equality.Semantic.DeepEqual(next, &known.Status)
	if !isChanged && known.Status.ObservedAt != nil && built.ConfirmedAt.Sub(known.Status.ObservedAt.Time).Abs() < heartbeat {
		return 0, nil
	}
	if delay := w.reserve(); delay > 0 && !isLast {
		return delay, nil
	}
	next.ObservedAt = &observed
	return 0, w.object.write(ctx, next)
}

// reserve returns the delay until the object may be written. If there is none, it counts as written.
func (w *Writer) reserve() time.Duration {
	now := w.pace.Now()
	reservation := w.limit.ReserveN(now, 1)
	if delay := reservation.DelayFrom(now); delay > 0 {
		reservation.CancelAt(now)
		return delay
	}
	return 0
}
