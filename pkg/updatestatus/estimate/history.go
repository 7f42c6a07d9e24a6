package estimate

import (
	"math"
	"regexp"
	"slices"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// How certain each source of a duration is, as the variance of its logarithm. They are guesses, which test/updatestatus/estimates measures:
// docs/updatestatus/estimates.md.
const (
	// sameAgain is how much the same thing differs from update to update, without a known reason.
	sameAgain = 0.1 * 0.1
	// ageing is how much less certain a record gets with each update after it.
	ageing = 0.06 * 0.06
	// otherKind is how much an update from one minor version to the next differs from one within it, and otherPool how much the
	// nodes of one pool differ from those of another.
	otherKind, otherPool = 0.3 * 0.3, 0.5 * 0.5
	// thumb is how far a rule of thumb may be off.
	thumb = 0.6 * 0.6
	// nodeVariance is how much nodes of a pool differ, until that was observed, and knownNodes for how many nodes that counts.
	nodeVariance, knownNodes = 0.3 * 0.3, 1
	// mixedVariance is the most that nodes of one kind differ. A pool in which some reboot and others don't has more, and what it
	// takes is not log-normal.
	mixedVariance = 1
)

// The rules of thumb. OpenShift's documentation says 60 to 120 minutes for the control plane, and five or more minutes a node;
// bare metal, which reboots for 15 to 25 minutes, takes up to 35.
const (
	usualControlPlane = 75 * time.Minute
	usualNode         = 15 * time.Minute
	// usualStart is the share of the control plane's time after which the Machine Config Operator, which is updated last, starts
	// to update nodes. usualStartError is how far it may be off, startError the same for what records have.
	usualStart, usualStartError, startError = 0.6, 0.15, 0.03
)

// History are the records of earlier updates of the cluster, the newest one first.
type History []updatev1alpha1.UpdateRecordStatus

var minorVersion = regexp.MustCompile(`^\d+\.\d+`)

// isMinor returns whether an update is one from a minor version to another.
func isMinor(versions updatev1alpha1.SummaryVersions) bool {
	return minorVersion.FindString(versions.Previous) != minorVersion.FindString(versions.Target)
}

// tookControlPlane returns how long the update of the control plane took, zero if that is not known, or if its nodes did not
// reboot: that is the exception, and the next update is longer.
func tookControlPlane(one updatev1alpha1.UpdateRecordStatus) time.Duration {
	for at := range one.Pools {
		if pool := &one.Pools[at]; pool.Name == masterPool {
			if durations := ReadDurations(pool.NodeDurations); durations[wholeUpdate].Count > 0 && !durations.haveRebooted() {
				return 0
			}
		}
	}
	if took := one.Took.ControlPlane; took != nil && took.Duration >= time.Second && took.Duration <= longestUpdate {
		return took.Duration
	}
	return 0
}

// controlPlane returns how long the update of the control plane takes. Records of the other kind count if there is none of this.
func (h History) controlPlane(versions updatev1alpha1.SummaryVersions) distribution {
	known := distribution{math.Log(usualControlPlane.Seconds()), thumb, updatev1alpha1.BasisDefault}
	isSame := func(one updatev1alpha1.UpdateRecordStatus) bool {
		return tookControlPlane(one) > 0 && isMinor(one.Versions) == isMinor(versions)
	}
	hasSame, variance := slices.ContainsFunc(h, isSame), sameAgain
	if !hasSame {
		variance += otherKind
	}
	for _, one := range slices.Backward(h) {
		known.variance += ageing
		if took := tookControlPlane(one); took > 0 && isSame(one) == hasSame {
			known = known.with(distribution{math.Log(took.Seconds()), variance, updatev1alpha1.BasisHistory})
		}
	}
	known.variance += sameAgain
	return known
}

// start returns after which share of the control plane's time a pool starts, and how far that may be off: what the newest record
// has that knows.
func (h History) start(pool string) (share, deviation float64) {
	for at := range h {
		took := tookControlPlane(h[at])
		for _, one := range h[at].Pools {
			if one.Name == pool && one.PausedSeconds == 0 && one.StartedAt != nil && took > 0 {
				return min(max(one.StartedAt.Sub(h[at].StartedAt.Time).Seconds()/took.Seconds(), 0), 1), startError
			}
		}
	}
	return usualStart, usualStartError
}

// nodes returns how long the nodes of a pool take, and a sample of that, whose level is not that: each record has its own. Records
// of nodes that did not reboot don't count.
func (h History) nodes(pool string) (distribution, Durations) {
	known, sample := distribution{math.Log(usualNode.Seconds()), thumb, updatev1alpha1.BasisDefault}, usualNodes()
	isOwn := false
	for at := range slices.Backward(h) {
		known.variance += ageing
		for i := range h[at].Pools {
			one := &h[at].Pools[i]
			durations := ReadDurations(one.NodeDurations)
			own := one.Name == pool
			if len(durations[wholeUpdate].Seconds) == 0 || !durations.haveRebooted() || !own && (isOwn || one.ScopeType != updatev1alpha1.ScopeWorkerPool) {
				continue
			}
			mean, variance := logarithms(durations[wholeUpdate].Seconds)
			evidence := distribution{mean, sameAgain + variance/float64(max(durations[wholeUpdate].Count, 1)), updatev1alpha1.BasisHistory}
			if !own {
				evidence.variance += otherPool
			}
			if known.basis == updatev1alpha1.BasisDefault || own && !isOwn {
				sample = Durations{}
			}
			known, sample, isOwn = known.with(evidence), sample.with(durations), isOwn || own
		}
	}
	known.variance += sameAgain
	return known, sample
}

// Usual returns how long nodes of a pool took from the start of a phase on, in the newest update that knows it of three nodes: the median,
// and the 90th percentile. They are zero if none does.
func (h History) Usual(pool string, phase insight.NodePhase) (median, long time.Duration) {
	for at := range h {
		for i := range h[at].Pools {
			one := &h[at].Pools[i]
			durations := ReadDurations(one.NodeDurations)
			if median, long = durations.usual(phase); one.Name == pool && long > 0 {
				return median, long
			}
		}
	}
	return 0, 0
}

// Operator returns how long the updates of a cluster operator took, the newest first, as far as that is known.
func (h History) Operator(name string) []time.Duration {
	var took []time.Duration
	for at := range h {
		for i := range h[at].Operators {
			if one := &h[at].Operators[i]; one.Name == name {
				took = append(took, tookOperator(one)...)
			}
		}
	}
	return took
}

// LongestOperator returns the longest that the update of an operator took, zero if that is not known of any.
func (h History) LongestOperator() time.Duration {
	var longest time.Duration
	for at := range h {
		for i := range h[at].Operators {
			for _, took := range tookOperator(&h[at].Operators[i]) {
				longest = max(longest, took)
			}
		}
	}
	return longest
}

// tookOperator returns how long the update of an operator took, nothing if that is not known.
func tookOperator(one *updatev1alpha1.OperatorRecord) []time.Duration {
	if one.StartedAt == nil || one.CompletedAt == nil {
		return nil
	}
	took := one.CompletedAt.Sub(one.StartedAt.Time)
	if took <= 0 || took > longestUpdate {
		return nil
	}
	return []time.Duration{took}
}

// usualNodes are the durations of nodes by the rule of thumb: half of the time to drain, and a quarter each to update and to
// reboot.
func usualNodes() Durations {
	var sample Durations
	for _, factor := range []float64{0.6, 0.8, 1, 1.25, 1.7} {
		whole := factor * usualNode.Seconds()
		sample.add(phaseDurations{int32(whole), int32(whole / 2), int32(whole / 4)})
	}
	return sample
}

// logarithms returns the mean and the variance of the logarithms of durations, of which there is one at least.
func logarithms(seconds []int32) (mean, variance float64) {
	for _, one := range seconds {
		mean += math.Log(float64(one)) / float64(len(seconds))
	}
	for _, one := range seconds {
		difference := math.Log(float64(one)) - mean
		variance += difference * difference
	}
	// As if the usual variance had been seen in some nodes.
	return mean, (variance + knownNodes*nodeVariance) / float64(len(seconds)+knownNodes-1)
}
