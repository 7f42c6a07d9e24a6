package assess

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Tick is how long after a threshold an assessment is certainly past it.
const Tick = time.Millisecond

// WithKnownTimes returns an object whose times that are not known (insight.IsKnown) are zero: the object itself, or a copy if it
// has such times. times returns the times that assessments read.
func WithKnownTimes[T interface{ DeepCopy() T }](object T, times func(T) []*metav1.Time, now time.Time) T {
	isUnknown := func(at *metav1.Time) bool { return !at.IsZero() && !insight.IsKnown(at.Time, now) }
	if !slices.ContainsFunc(times(object), isUnknown) {
		return object
	}
	object = object.DeepCopy()
	for _, at := range times(object) {
		if isUnknown(at) {
			*at = metav1.Time{}
		}
	}
	return object
}

// ConditionTimes returns the times of conditions.
func ConditionTimes(conditions []metav1.Condition) []*metav1.Time {
	times := make([]*metav1.Time, 0, len(conditions))
	for at := range conditions {
		times = append(times, &conditions[at].LastTransitionTime)
	}
	return times
}

// Earliest returns the earlier of two times. The zero time is ignored.
func Earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Later returns the later of two times.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// WholeSecond rounds up to a second: times in the API have no fractions, and rounding down would make a condition older than
// it is.
func WholeSecond(exact time.Time) time.Time {
	whole := exact.UTC().Truncate(time.Second)
	if whole.Before(exact) {
		whole = whole.Add(time.Second)
	}
	return whole
}

// OptionalTime returns nil for the zero time, which is not valid in the API.
func OptionalTime(at time.Time) *metav1.Time {
	if at.IsZero() {
		return nil
	}
	optional := metav1.NewTime(at)
	return &optional
}

// TimeOf returns the zero time for nil.
func TimeOf(optional *metav1.Time) time.Time {
	if optional == nil {
		return time.Time{}
	}
	return optional.Time
}
