package timeline

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// End is what is known about the end of a bar.
type End int

const (
	// EndKnown is an end that was observed.
	EndKnown End = iota
	// EndBy is an end that was not observed: it was at this time or before.
	EndBy
	// EndOpen is no end: it goes on.
	EndOpen
	// EndNever is no end: the update ended before.
	EndNever
)

// Span is from a time to another one, which is not before it.
type Span struct {
	From, To time.Time
}

// Length returns how long a span is.
func (s Span) Length() time.Duration {
	return s.To.Sub(s.From)
}

// Bar is a part of a lane.
type Bar struct {
	Span

	// Phase is that of a node, empty for everything else.
	Phase updatev1alpha1.NodeUpdatePhase
	// Started is when it started: From, or before the update, where the span is cut off.
	Started time.Time
	// StartUnknown is whether only the end is known. The span is empty then.
	StartUnknown bool
	// StartObserved is whether the start is when it was first observed: it may have started before.
	StartObserved bool
	End           End
}

// barOf returns the bar of something with a start and an end, none if neither is known.
func (t *Timeline) barOf(times updatev1alpha1.RecordTimes) []Bar {
	return t.bar(t.known(times.StartedAt), times.CompletedAt, times.CompletedBy)
}

// bar returns a bar, none if neither its start nor its end is known. Without an end it goes on, or the update ended before.
func (t *Timeline) bar(start *time.Time, endedAt, endedBy *metav1.Time) []Bar {
	bar := Bar{End: EndOpen}
	if t.isOver {
		bar.End = EndNever
	}
	bar.To = t.observed
	if end := t.known(endedBy); end != nil {
		bar.To, bar.End = *end, EndBy
	}
	if end := t.known(endedAt); end != nil {
		bar.To, bar.End = *end, EndKnown
	}
	switch {
	case start != nil:
		bar.From = *start
	case bar.End == EndOpen || bar.End == EndNever:
		return nil
	default:
		bar.From, bar.StartUnknown = bar.To, true
	}
	if bar.To.Before(bar.From) {
		bar.To = bar.From
	}
	bar.Started = bar.From
	return []Bar{bar}
}

// known returns a time of the record within the axis, nil if there is none.
func (t *Timeline) known(at *metav1.Time) *time.Time {
	if at == nil || at.Time.Before(t.Start) || at.After(t.End) {
		return nil
	}
	return &at.Time
}

// startOf returns when something started; what started before the update, as a health insight can, is cut off there.
func (t *Timeline) startOf(at *metav1.Time) *time.Time {
	if at != nil && at.Time.Before(t.Start) {
		return &t.Start
	}
	return t.known(at)
}
