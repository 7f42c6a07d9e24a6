package controlplane

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// The heuristic of the estimate. Its constants were fitted to real updates, and are those of `oc adm upgrade status`.
const (
	// defaultBaseline is the duration of an update in a cluster without a completed one.
	defaultBaseline = time.Hour
	// minimumObservation is how long after its start an update must have progressed before its own pace is used.
	minimumObservation = 5 * time.Minute
	// caution is the factor by which the remaining time is extended, and the time by which an estimate has passed is reduced.
	caution = 1.2
	// completionTail is how long an update usually takes at most from the last progress of its operators to its completion: some more
	// manifests are applied. Ours: the curves end with the operators.
	completionTail = 5 * time.Minute
	// stalledAfter is how far an estimate passes before the update counts as stalled.
	stalledAfter = 10 * time.Minute
	// estimateRefresh is the interval between two estimates without an event. Because of caution the estimate drifts by a fifth
	// of it: less than what is written, so that a restart does not change it.
	estimateRefresh = 140 * time.Second
)

// Estimate is when an update is expected to be complete.
type Estimate struct {
	// valid is whether there is an estimate.
	valid bool
	// now is the time of the estimate.
	now time.Time
	// remaining is the remaining duration of the update; negative when the estimate has passed.
	remaining time.Duration
	// NextCheck is when it changes without an event, zero if it does not.
	NextCheck time.Time
}

// CompletedAt returns the estimate as a point in time, to the second.
func (e Estimate) CompletedAt() *metav1.Time {
	if !e.valid {
		return nil
	}
	at := metav1.NewTime(e.now.Truncate(time.Second).Add(e.remaining.Truncate(time.Second)))
	return &at
}

// EstimateCompletion estimates when the newest update of a history is complete.
func EstimateCompletion(history []configv1.UpdateHistory, operators Operators, now time.Time) Estimate {
	if len(history) == 0 || history[0].State == configv1.CompletedUpdate || history[0].StartedTime.IsZero() ||
		operators.Total == 0 || operators.AreComplete() {
		return Estimate{}
	}
	start := history[0].StartedTime.Time
	progress, observed := lastProgress(operators, start, now)

	total := baseline(history)
	share := timeShare(operators.share())
	if operators.Updated > 0 && share > 0 && progress.Sub(start) > minimumObservation {
		total = time.Duration(min(float64(progress.Sub(start))/share, float64(insight.MaxEstimate)))
	}
	rest := total - now.Sub(start)
	if operators.AllUpdated() {
		rest = progress.Add(completionTail).Sub(now)
	}
	return Estimate{
		valid: true, now: now, remaining: cautious(rest),
		NextCheck: nextEstimate(now, start, rest, observed),
	}
}

// lastProgress returns the time of the newest progress of the operators, and whether there is any. Operators with daemon sets
// flip Progressing at every reboot of a node: when only machine-config is left, the time when it started is used.
func lastProgress(operators Operators, start, now time.Time) (time.Time, bool) {
	if !operators.OnlyMachineConfigSince.IsZero() {
		return operators.OnlyMachineConfigSince, true
	}
	if operators.LastTransition.After(start) {
		return operators.LastTransition, true
	}
	return now, false
}

// baseline returns the duration of the cluster's newest completed update. The first item of the history is the running update
// and the last one the installation: both are ignored.
func baseline(history []configv1.UpdateHistory) time.Duration {
	for at := 1; at < len(history)-1; at++ {
		item := history[at]
		if item.State == configv1.CompletedUpdate && !item.StartedTime.IsZero() && item.StartedTime.Before(item.CompletionTime) {
			return item.CompletionTime.Sub(item.StartedTime.Time)
		}
	}
	return defaultBaseline
}

// timeShare returns the share of an update's time that has passed when a share of its operators x is updated: three curves,
// fitted to real updates.
func timeShare(x float64) float64 {
	switch {
	case x < 0.25:
		return -0.03078788 + 2.62886*x - 3.823954*x*x
	case x < 0.9:
		return 0.1851215 + 1.64994*x - 4.676898*x*x + 5.451824*x*x*x - 2.125286*x*x*x*x
	default:
		return 25053.32 - 107394.3*x + 172527.2*x*x - 123107*x*x*x + 32921.81*x*x*x*x
	}
}

func cautious(rest time.Duration) time.Duration {
	if rest > 0 {
		return time.Duration(float64(rest) * caution)
	}
	return time.Duration(float64(rest) / caution)
}

// nextEstimate returns when the estimate, or the assessment by it, changes without an event: when the pace starts to be used,
// when the estimate passes, when it has passed by stalledAfter, and in between whenever it has drifted. It is zero after that.
func nextEstimate(now, start time.Time, rest time.Duration, observed bool) time.Time {
	stalled := time.Duration(float64(stalledAfter) * caution)
	if rest < -stalled {
		return time.Time{}
	}
	next := assess.Earliest(now.Add(estimateRefresh), now.Add(rest+stalled+assess.Tick))
	if rest >= 0 {
		next = assess.Earliest(next, now.Add(rest+assess.Tick))
	}
	if usesPace := start.Add(minimumObservation + assess.Tick); !observed && usesPace.After(now) {
		next = assess.Earliest(next, usesPace)
	}
	return next
}
