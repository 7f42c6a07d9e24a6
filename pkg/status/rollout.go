package status

import (
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// rollout is what goes on in a pool.
type rollout struct {
	atOnce                    int
	total, completed, waiting int
	paused, degraded          int
	underway                  []progress
	durations                 nodeDurations
	// newDurations is whether they are others than the status before has.
	newDurations bool
	// typical is how long nodes take from the begin of each phase, zero where that is not known.
	typical [len(updatePhases)]time.Duration
	// last is when a node last began, went on to its next phase or was done.
	last time.Time
}

// count counts a node.
func (r *rollout) count(node progress) {
	r.total++
	switch {
	case node.state.Phase == insight.PhaseCompleted:
		r.completed++
		r.happened(node.since)
	case node.state.Updating:
		r.underway = append(r.underway, node)
		r.happened(node.last())
	case node.state.Phase == insight.PhasePaused:
		r.paused++
	default:
		r.waiting++
	}
	if node.state.Degraded {
		r.degraded++
	}
}

func (r *rollout) happened(at time.Time) {
	if at.After(r.last) {
		r.last = at
	}
}

// settle ends the counting. What nodes took is of one update: none of it is left when no node is done, and nobody needs it
// when all are.
func (r *rollout) settle() {
	if r.completed == 0 || r.completed == r.total {
		r.newDurations = r.newDurations || len(r.durations.list()) > 0
		r.durations = nodeDurations{}
	}
	for at := range r.durations {
		r.typical[at] = typical(&r.durations[at])
	}
}

// isSeen is whether any node has been seen to get on in this update. When nothing has, the cluster has just been seen for
// the first time, and it is not known how long its nodes have been underway.
func (r *rollout) isSeen() bool {
	return len(r.durations.list()) > 0 || slices.ContainsFunc(r.underway, func(node progress) bool { return len(node.phases) > 0 })
}

// outlook is what can be said of when a pool is complete.
type outlook struct {
	// from is the moment as of which it is said, and completedAt when the pool is expected to be complete. Both are zero
	// if that is not known.
	from, completedAt time.Time
	// unknown says why it is not known, for people. It is empty where there is nothing to wait for.
	unknown string
	// unseen is whether nodes are underway of which nothing is known, as after a restart if they were left out of a large
	// object: what was expected before is expected still.
	unseen bool
	// due is when the answer will be another one although nothing happens, zero if never.
	due time.Time
}

// outlookOf looks as of the last thing that happened in the pool, and not as of now: what is expected does not change
// because time passes. Only that a pool is stuck is told by the clock.
func outlookOf(r *rollout, now time.Time) outlook {
	begun := r.completed > 0 || len(r.underway) > 0
	switch {
	case r.completed == r.total:
		return outlook{}
	case r.paused > 0:
		return outlook{unknown: insight.NoEstimate + "the pool is paused"}
	case r.degraded > 0:
		return outlook{unknown: insight.NoEstimate + "the pool has degraded nodes"}
	case !begun:
		return outlook{}
	case !r.isSeen():
		return outlook{unseen: true}
	}
	if r.last.After(now) {
		// A clock was set back: what lies ahead was not later than now.
		r.last = now
	}
	p := paceOf(&r.durations)
	limit := time.Duration(p.limit) * time.Second
	if stuck := r.stuck(limit, now); stuck != "" {
		return outlook{unknown: insight.NoEstimate + stuck}
	}
	q := queueOf(r, p, r.last)
	left := time.Duration(q.left(q.each(r.last, r.underway)) * float64(time.Second))
	return outlook{from: r.last, completedAt: r.last.Add(left.Truncate(time.Second)), due: r.oldest().Add(limit + time.Second)}
}

// oldest is since when the pool has waited the longest: for a node that is underway, or for one to begin.
func (r *rollout) oldest() time.Time {
	oldest := r.last
	for _, node := range r.underway {
		if node.since.Before(oldest) {
			oldest = node.since
		}
	}
	return oldest
}

// stuck says what the pool is stuck with, empty if it is not: a node that takes far longer than the others did, or no node
// at all for as long.
func (r *rollout) stuck(limit time.Duration, now time.Time) string {
	if len(r.underway) == 0 && now.Sub(r.last) > limit {
		return fmt.Sprintf("for more than %s no node has begun, and some wait", insight.Duration(limit))
	}
	var worst *progress
	for at := range r.underway {
		node := &r.underway[at]
		if now.Sub(node.since) > limit && (worst == nil || node.since.Before(worst.since) || node.since.Equal(worst.since) && node.name < worst.name) {
			worst = node
		}
	}
	if worst == nil {
		return ""
	}
	return fmt.Sprintf("node %s has been updating for more than %s, far longer than nodes take", worst.name, insight.Duration(limit))
}

// estimateShare is the share of what is left by which the estimate of a pool must move to be worth a write.
const estimateShare = 0.05

// apply says the outlook in the insight of a pool, of which before is the one in the status before. An estimate that is
// nearly the one before stays.
func (o outlook) apply(made, before *updatev1alpha1.MachineConfigPoolInsight) {
	made.EstimatedCompletedAt = nil
	if o.unseen && before != nil {
		made.EstimatedCompletedAt = before.EstimatedCompletedAt
	}
	if !o.completedAt.IsZero() {
		at := metav1.NewTime(o.completedAt)
		made.EstimatedCompletedAt = &at
		tolerance := max(estimateTolerance, time.Duration(estimateShare*float64(o.completedAt.Sub(o.from))))
		if before != nil {
			keepEstimate(&made.EstimatedCompletedAt, before.EstimatedCompletedAt, tolerance)
		}
	}
	for at := range made.Conditions {
		if one := &made.Conditions[at]; one.Type == updatev1alpha1.ConditionUpdating && one.Message == "" {
			one.Message = o.unknown
		}
	}
}
