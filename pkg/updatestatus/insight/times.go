package insight

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

const (
	// maxAhead is how far ahead of now a time of an object may be: clocks differ.
	maxAhead = 24 * time.Hour
	// MaxEstimate is how far ahead of now an estimate may be.
	MaxEstimate = 365 * 24 * time.Hour
)

// IsKnown returns whether a time of an object can be true. An object can have any time: 9999-12-31T23:59:59-14:00 is valid, and
// in UTC a year that the API server refuses. A time before 1970, or more than a day ahead of now, is not known.
func IsKnown(at, now time.Time) bool {
	return isWithin(at, now, maxAhead)
}

// KnownTime returns a time of an object, zero if it is not known.
func KnownTime(at, now time.Time) time.Time {
	if !IsKnown(at, now) {
		return time.Time{}
	}
	return at
}

// CompareStarts orders starts, unknown ones last.
func CompareStarts(a, b *metav1.Time) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	default:
		return a.Time.Compare(b.Time)
	}
}

func isWithin(at, now time.Time, ahead time.Duration) bool {
	return at.Unix() >= 0 && !at.After(now.Add(ahead))
}

// DropUnknownTimes sets the times of a status that are not known to nil, and to a given time those that the API requires.
func DropUnknownTimes(status *updatev1alpha1.UpdateStatusStatus, now time.Time, required metav1.Time) {
	times := timeDropper{now, required}
	times.dropConditions(status.Conditions)
	if status.ControlPlane != nil {
		times.dropConditions(status.ControlPlane.Conditions)
		times.dropInsights(status.ControlPlane.Informers)
	}
	for at := range status.WorkerPools {
		times.dropConditions(status.WorkerPools[at].Conditions)
		times.dropInsights(status.WorkerPools[at].Informers)
	}
}

// DropUnknownTimesOf sets the times of an insight that are not known to nil or zero.
func DropUnknownTimesOf(one *updatev1alpha1.Insight, now time.Time) {
	timeDropper{now, metav1.Time{}}.dropInsight(one)
}

// timeDropper drops times that are not known.
type timeDropper struct {
	now time.Time
	// required replaces those that the API requires.
	required metav1.Time
}

func (d timeDropper) dropInsights(informers []updatev1alpha1.Informer) {
	for _, informer := range informers {
		for at := range informer.Insights {
			d.dropInsight(&informer.Insights[at])
		}
	}
}

func (d timeDropper) dropInsight(one *updatev1alpha1.Insight) {
	d.dropRequired(&one.AcquiredAt)
	d.dropConditions(Conditions(one))
	if version := VersionOf(one); version != nil {
		d.dropOptional(&version.StartedAt, maxAhead)
		d.dropOptional(&version.CompletedAt, maxAhead)
		d.dropOptional(&version.EstimatedCompletedAt, MaxEstimate)
		d.dropOptional(&version.ProgressedAt, maxAhead)
		for at := range version.WaitingOn {
			d.dropOptional(&version.WaitingOn[at].Since, maxAhead)
		}
		if version.Requested != nil {
			d.dropOptional(&version.Requested.Since, maxAhead)
		}
	}
	if hosted := one.HostedCluster; hosted != nil {
		d.dropTrack(hosted.Management)
		d.dropTrack(hosted.DataPlane)
	}
	if pool := PoolOf(one); pool != nil {
		d.dropOptional(&pool.EstimatedCompletedAt, MaxEstimate)
	}
	if node := one.Node; node != nil {
		d.dropOptional(&node.DrainStartedAt, maxAhead)
		d.dropOptional(&node.RebootStartedAt, maxAhead)
		for at := range node.Phases {
			d.dropRequired(&node.Phases[at].StartedAt)
		}
	}
	if health := one.Health; health != nil {
		d.dropOptional(&health.StartedAt, maxAhead)
		if health.Pod != nil {
			d.dropOptional(&health.Pod.Since, maxAhead)
		}
	}
}

func (d timeDropper) dropTrack(track *updatev1alpha1.ControlPlaneTrack) {
	if track != nil {
		d.dropOptional(&track.StartedAt, maxAhead)
		d.dropOptional(&track.CompletedAt, maxAhead)
	}
}

func (d timeDropper) dropConditions(conditions []metav1.Condition) {
	for at := range conditions {
		d.dropRequired(&conditions[at].LastTransitionTime)
	}
}

func (d timeDropper) dropRequired(at *metav1.Time) {
	if !IsKnown(at.Time, d.now) {
		*at = d.required
	}
}

func (d timeDropper) dropOptional(at **metav1.Time, ahead time.Duration) {
	if *at != nil && !isWithin((*at).Time, d.now, ahead) {
		*at = nil
	}
}
