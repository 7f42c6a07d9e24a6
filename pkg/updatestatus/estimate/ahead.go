package estimate

import (
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// This file estimates an update that has not begun: the ranges that it has in its first moment, in parts.

// Range is how long something takes in eight of ten cases.
type Range struct {
	LeastSeconds int64                        `json:"leastSeconds"`
	MostSeconds  int64                        `json:"mostSeconds"`
	Basis        updatev1alpha1.EstimateBasis `json:"basis"`
}

// Least is the shortest that it takes, and Most the longest.
func (r Range) Least() time.Duration { return time.Duration(r.LeastSeconds) * time.Second }

// Most is the longest that it takes.
func (r Range) Most() time.Duration { return time.Duration(r.MostSeconds) * time.Second }

func (s span) rangeOf(basis updatev1alpha1.EstimateBasis) Range {
	return Range{int64(min(s.low, longestUpdate.Seconds())), int64(min(s.high, longestUpdate.Seconds())), basis}
}

// With returns how long two things take that begin together.
func (r Range) With(other Range) Range {
	if other.MostSeconds > r.MostSeconds {
		r.MostSeconds, r.Basis = other.MostSeconds, other.Basis
	}
	r.LeastSeconds = max(r.LeastSeconds, other.LeastSeconds)
	return r
}

// PoolAhead is the update of a pool: how long after that of the cluster it starts, how long it takes, and how long after that of the cluster it
// is complete.
type PoolAhead struct {
	Start, Takes, End Range
}

// ControlPlaneAhead returns how long the control plane takes.
func (u Update) ControlPlaneAhead() Range {
	whole := u.controlPlane()
	return whole.rest(u.elapsed()).rangeOf(whole.basis)
}

// PoolAhead returns how long a pool takes, false if that is not known: it is paused or has degraded nodes.
func (u Update) PoolAhead(of PoolNodes) (PoolAhead, bool) {
	pool := u.readPool(of)
	if pool.Forecast(u.Now).unknown != nil {
		return PoolAhead{}, false
	}
	start := u.start(of.Insight.Name, u.controlPlane(), false)
	takes, basis := u.nodes(of.Insight.Name, pool)
	return PoolAhead{Start: start.rangeOf(basis), Takes: takes.rangeOf(basis), End: start.then(takes).rangeOf(basis)}, true
}

// Known returns how many records tell how long the control plane takes in an update of the same kind, or of the other kind if there is none.
func (h History) Known(versions updatev1alpha1.SummaryVersions) (records int, isSameKind bool) {
	other := 0
	for at := range h {
		switch {
		case tookControlPlane(h[at]) == 0:
		case isMinor(h[at].Versions) == isMinor(versions):
			records++
		default:
			other++
		}
	}
	if records == 0 {
		return other, false
	}
	return records, true
}
