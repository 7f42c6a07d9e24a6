package record

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

const (
	// longestSilence is how far apart two statuses may be: one that nothing changes is confirmed once a minute.
	longestSilence = 3 * time.Minute
	// shortestGap is how long the cluster may not have been observed without a gap: no time is more exact.
	shortestGap = 10 * time.Second
)

// observer keeps when the cluster was observed: the time of the status that is read, and what came before.
type observer struct {
	gaps []updatev1alpha1.RecordGap
	// now is the moment of the present status, last that of the one before, or the start of the update.
	now, last time.Time
	// inGap is whether there is a gap between the two.
	inGap bool
}

// observe goes on to the next moment. Without a status before, silent is true.
func (w *observer) observe(now time.Time, silent bool) {
	w.last = w.now
	if now = now.Truncate(time.Second); now.After(w.now) { // else a clock was set back
		w.now = now
	}
	passed := w.now.Sub(w.last)
	w.inGap = passed > longestSilence || silent && passed > shortestGap
	if w.inGap {
		w.gaps = append(w.gaps, updatev1alpha1.RecordGap{From: metav1.NewTime(w.last), To: metav1.NewTime(w.now)})
		w.gaps = joinNearest(w.gaps)
	}
}

// joinNearest makes one gap of the nearest two while there are too many.
func joinNearest(gaps []updatev1alpha1.RecordGap) []updatev1alpha1.RecordGap {
	for len(gaps) > updatev1alpha1.RecordMaxGaps {
		nearest := 1
		for at := 1; at < len(gaps); at++ {
			if between(gaps, at) < between(gaps, nearest) {
				nearest = at
			}
		}
		gaps[nearest-1].To = gaps[nearest].To
		gaps = slices.Delete(gaps, nearest, nearest+1)
	}
	return gaps
}

func between(gaps []updatev1alpha1.RecordGap, at int) time.Duration {
	return gaps[at].From.Sub(gaps[at-1].To.Time)
}

// statusTime returns the moment of the present status.
func (w *observer) statusTime() *metav1.Time {
	now := metav1.NewTime(w.now)
	return &now
}

// isHidden returns whether a time of a status is in a gap: something else happened then.
func (w *observer) isHidden(at time.Time) bool {
	return slices.ContainsFunc(w.gaps, func(gap updatev1alpha1.RecordGap) bool {
		return at.After(gap.From.Time) && !at.After(gap.To.Time)
	})
}

// isObservedAfterGap returns whether a time is just before the end of a gap: what began in the gap and was first observed then is
// dated there, be it by seconds earlier.
func (w *observer) isObservedAfterGap(at time.Time) bool {
	return slices.ContainsFunc(w.gaps, func(gap updatev1alpha1.RecordGap) bool {
		return at.After(gap.From.Time) && !at.After(gap.To.Time) && gap.To.Sub(at) <= estimate.Tolerance
	})
}

// began returns when something began that goes on, if that was since the status before; nil if it was not, or in a gap.
func (w *observer) began(inStatus metav1.Time) *metav1.Time {
	if inStatus.Time.Before(w.last) || inStatus.Time.After(w.now) || w.isHidden(inStatus.Time) {
		return nil
	}
	return inStatus.DeepCopy()
}

// known returns a time of a status, nil if there is none, or if it can't be true or is in a gap.
func (w *observer) known(inStatus *metav1.Time) *metav1.Time {
	if inStatus == nil || !insight.IsKnown(inStatus.Time, w.now) || w.isHidden(inStatus.Time) {
		return nil
	}
	return inStatus.DeepCopy()
}

// complete sets the end of something that was not complete in the status before. Where the status does not tell when that was
// (a condition that changed only its reason has an earlier time), it is now.
func (w *observer) complete(times *updatev1alpha1.RecordTimes, inStatus metav1.Time) {
	if w.inGap {
		times.CompletedBy = w.statusTime()
		return
	}
	if times.CompletedAt = w.began(inStatus); times.CompletedAt == nil || !inStatus.Time.After(w.last) {
		times.CompletedAt = w.statusTime()
	}
}

func isDone(times updatev1alpha1.RecordTimes) bool {
	return times.CompletedAt != nil || times.CompletedBy != nil
}
