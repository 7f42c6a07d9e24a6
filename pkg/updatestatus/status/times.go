package status

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/truncate"
)

// evalTime is when a status is built.
type evalTime struct {
	metav1.Time

	// observing is whether the cluster is watched: a condition whose start no object tells then started when it was first
	// observed. In files it may have started at any time.
	observing bool
}

func newEvalTime(now time.Time) evalTime {
	return evalTime{Time: metav1.NewTime(now.Truncate(time.Second))}
}

// keepTimes gives an insight the times that the assessment left open. before is the last insight with the same uid, an empty
// one if there is none. No time that is not known gets into a status: the API server could refuse it, and with it all others.
func keepTimes(merged, before *updatev1alpha1.Insight, clock evalTime) {
	insight.DropUnknownTimesOf(merged, clock.Time.Time)
	conditionsBefore := insight.Conditions(before)
	if merged.Node != nil && before.Node != nil && estimate.IsNextUpdate(before.Node, merged.Node) {
		// Between its two updates it was not updating, though that was too short to be observed.
		conditionsBefore = without(conditionsBefore, updatev1alpha1.ConditionUpdating)
	}
	conditions := insight.Conditions(merged)
	for at := range conditions {
		conditions[at] = keepTime(conditions[at], conditionsBefore, clock)
	}
	if version, versionBefore := insight.VersionOf(merged), insight.VersionOf(before); version != nil && versionBefore != nil {
		keepControlPlaneEstimate(version, versionBefore)
	}
	if merged.Node != nil {
		estimate.SetPhases(merged.Node, before.Node, clock.Time)
	}
	if merged.Health != nil {
		keepStart(merged.Health, before.Health, clock)
	}
}

// acquire gives an insight that is merged the time at which its content was first observed. After a restart, the one before
// may have been shortened.
func acquire(merged, before *updatev1alpha1.Insight, clock evalTime) {
	merged.AcquiredAt = before.AcquiredAt
	if !equality.Semantic.DeepEqual(merged, before) && !truncate.IsShortened(before, merged) {
		merged.AcquiredAt = clock.Time
	}
}

// keepTime gives a condition that has no time of its own that of its last change of status.
func keepTime(merged metav1.Condition, before []metav1.Condition, clock evalTime) metav1.Condition {
	if !merged.LastTransitionTime.IsZero() {
		return merged
	}
	merged.LastTransitionTime = clock.Time
	last := meta.FindStatusCondition(before, merged.Type)
	if last != nil && last.Status == merged.Status && !last.LastTransitionTime.IsZero() {
		merged.LastTransitionTime = last.LastTransitionTime
	}
	return merged
}

// without returns conditions without those of a type.
func without(conditions []metav1.Condition, kind string) []metav1.Condition {
	return slices.DeleteFunc(slices.Clone(conditions), func(one metav1.Condition) bool { return one.Type == kind })
}

// keepStart gives a health insight whose start no object tells the time at which it was first observed.
func keepStart(merged, before *updatev1alpha1.HealthInsight, clock evalTime) {
	switch {
	case merged.StartedAt != nil:
	case before != nil && before.StartedAt != nil:
		merged.StartedAt = before.StartedAt.DeepCopy()
	case clock.observing:
		merged.StartedAt = clock.Time.DeepCopy()
	}
}

// keepControlPlaneEstimate keeps the estimate of an update that is stalled and has made no progress since: a new one with each
// assessment would say nothing.
func keepControlPlaneEstimate(merged, before *updatev1alpha1.ClusterVersionInsight) {
	stalled := merged.Assessment == updatev1alpha1.AssessmentStalled && before.Assessment == updatev1alpha1.AssessmentStalled
	same := merged.StartedAt.Equal(before.StartedAt) && merged.Completion == before.Completion
	if stalled && same && before.EstimatedCompletedAt != nil {
		merged.EstimatedCompletedAt = before.EstimatedCompletedAt.DeepCopy()
		return
	}
	estimate.Stabilize(&merged.EstimatedCompletedAt, before.EstimatedCompletedAt, estimate.Tolerance)
}

// hasSameState returns whether two insights differ in what was observed over time only: times, durations and estimates.
func hasSameState(a, b *updatev1alpha1.Insight) bool {
	return equality.Semantic.DeepEqual(withoutTimes(a), withoutTimes(b))
}

func withoutTimes(one *updatev1alpha1.Insight) *updatev1alpha1.Insight {
	state := one.DeepCopy()
	state.AcquiredAt = metav1.Time{}
	conditions := insight.Conditions(state)
	for at := range conditions {
		conditions[at].LastTransitionTime = metav1.Time{}
	}
	switch version, pool := insight.VersionOf(state), insight.PoolOf(state); {
	case version != nil:
		version.EstimatedCompletedAt, version.ProgressedAt = nil, nil
		for at := range version.WaitingOn {
			version.WaitingOn[at].Since = nil
		}
		if version.Requested != nil {
			version.Requested.Since = nil
		}
	case pool != nil:
		pool.EstimatedCompletedAt, pool.NodeDurations = nil, nil
	case state.Node != nil:
		state.Node.EstimatedSeconds, state.Node.Phases, state.Node.DrainStartedAt, state.Node.RebootStartedAt = nil, nil, nil, nil
	case state.Health != nil:
		state.Health.StartedAt = nil
	}
	return state
}
