package publish

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// early is by how much earlier than its heartbeat a summary is written: the status is confirmed once a minute, and not exactly.
const early = 5 * time.Second

// SummaryWriter writes the summary of a cluster.
type SummaryWriter struct {
	in SummaryInput
	// known is the object as it was last read or written, nil if it must be read.
	known *updatev1alpha1.UpdateStatusSummary
	limit *rate.Limiter
	// last is the last summary that was made.
	last atomic.Pointer[updatev1alpha1.UpdateStatusSummaryStatus]
}

// SummaryInput is what a SummaryWriter is made from.
type SummaryInput struct {
	Platform Platform
	Built    Built
	// History returns the records of the updates before that of what was built last, and whether an attempt to read them was made: until
	// then nothing is written.
	History func(*update.Built) (earlier estimate.History, isTried bool)
	// Pace is the clock for the pace of writes.
	Pace clock.PassiveClock
}

// NewSummaryWriter returns a SummaryWriter, for a Follower.
func NewSummaryWriter(in SummaryInput) *SummaryWriter {
	return &SummaryWriter{in: in, limit: rate.NewLimiter(insight.BuildsASecond, insight.BuildsBurst)}
}

// Write writes the summary if it has changed or is to be confirmed. It returns the delay until it may be written, if that is not
// now: the last one may.
func (w *SummaryWriter) Write(ctx context.Context, isLast bool) (time.Duration, error) {
	built := w.in.Built()
	if built == nil {
		return 0, nil
	}
	earlier, isTried := w.in.History(built)
	if !isTried {
		return 0, nil
	}
	readErr := w.read(ctx)
	made := w.make(built, earlier)
	if readErr != nil {
		return 0, readErr
	}
	next, stored := *made, &w.known.Status
	next.ObservedAt = stored.ObservedAt
	isChanged := !equality.Semantic.DeepEqual(&next, stored)
	if !isChanged && !isOlder(stored.ObservedAt, built.ConfirmedAt, update.Heartbeat(&next, w.in.Platform.IsHosted)-early) {
		return 0, nil
	}
	if delay := w.reserve(); delay > 0 && !isLast {
		return delay, nil
	}
	if !built.ConfirmedAt.IsZero() {
		observed := metav1.NewTime(built.ConfirmedAt.Truncate(time.Second))
		next.ObservedAt = &observed
	}
	return 0, w.write(ctx, &next)
}

// Last returns the last summary that was made, without the time at which it is confirmed, nil if none was. It must not be changed. It is safe
// for concurrent use.
func (w *SummaryWriter) Last() *updatev1alpha1.UpdateStatusSummaryStatus {
	return w.last.Load()
}

// read reads the object unless it is known.
func (w *SummaryWriter) read(ctx context.Context) error {
	if w.known != nil {
		return nil
	}
	read, _, err := w.in.Platform.Summaries.GetOrCreate(ctx, w.in.Platform.Name)
	if err != nil {
		return err
	}
	w.known = read
	return nil
}

// make makes the summary that follows the one in the object, or the last one while that can't be read.
func (w *SummaryWriter) make(built *update.Built, earlier estimate.History) *updatev1alpha1.UpdateStatusSummaryStatus {
	in := summary.Input{Update: built.Update, History: earlier, Previous: w.last.Load(), Now: built.At}
	if w.known != nil {
		in.Previous, in.Generation = &w.known.Status, w.known.Generation
	}
	made := summary.Of(in)
	w.last.Store(made)
	return made
}

// isOlder returns whether what was confirmed is to be written although nothing else has changed.
func isOlder(observed *metav1.Time, confirmed time.Time, heartbeat time.Duration) bool {
	return !confirmed.IsZero() && (observed == nil || confirmed.Sub(observed.Time).Abs() >= heartbeat)
}

// write writes a status.
func (w *SummaryWriter) write(ctx context.Context, status *updatev1alpha1.UpdateStatusSummaryStatus) error {
	desired := w.known
	// It may have been changed, deleted or, in spite of an error, written.
	w.known = nil
	desired.Status = *status
	if err := w.in.Platform.Summaries.PutStatus(ctx, desired); err != nil {
		return err
	}
	w.known = desired
	return nil
}

// reserve returns the delay until the object may be written. If there is none, it counts as written.
func (w *SummaryWriter) reserve() time.Duration {
	now := w.in.Pace.Now()
	reservation := w.limit.ReserveN(now, 1)
	if delay := reservation.DelayFrom(now); delay > 0 {
		reservation.CancelAt(now)
		return delay
	}
	return 0
}
