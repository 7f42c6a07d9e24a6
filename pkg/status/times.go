package status

import (
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// estimateTolerance is by how much an estimate must move to be worth a write.
const estimateTolerance = 30 * time.Second

// moment is when a status is made.
type moment struct {
	metav1.Time

	// observing is Input.Observing.
	observing bool
}

// keepTimes gives an insight the times that the assessment left open. Before is the insight with the same uid in the
// previous status, an empty one if there was none.
func keepTimes(made, before *updatev1alpha1.Insight, clock moment) {
	conditionsBefore := conditionsOf(before)
	conditions := conditionsOf(made)
	for at := range conditions {
		conditions[at] = keepTime(conditions[at], conditionsBefore, clock)
	}
	if made.ClusterVersion != nil && before.ClusterVersion != nil {
		keepControlPlaneEstimate(made.ClusterVersion, before.ClusterVersion)
	}
	if made.Node != nil {
		keepPhases(made.Node, before.Node, clock)
	}
	if made.Health != nil {
		keepStart(made.Health, before.Health, clock)
	}
}

// acquire gives an insight that is complete the time at which its content was first seen.
func acquire(made, before *updatev1alpha1.Insight, clock moment) {
	made.AcquiredAt = before.AcquiredAt
	if !equality.Semantic.DeepEqual(made, before) && !isCut(before, made) {
		made.AcquiredAt = clock.Time
	}
}

// isCut is whether an insight is what the bounds of the object left of another one: that is found after a restart.
func isCut(short, whole *updatev1alpha1.Insight) bool {
	// Nothing is cut of an insight without long texts: it is compared once only.
	if size := sizeOf(whole); !size.long() {
		return false
	}
	for _, limit := range textLimits[1:] {
		found := shortened(whole, limit)
		if equality.Semantic.DeepEqual(&found, short) {
			return true
		}
	}
	return false
}

func conditionsOf(one *updatev1alpha1.Insight) []metav1.Condition {
	switch {
	case one.ClusterVersion != nil:
		return one.ClusterVersion.Conditions
	case one.ClusterOperator != nil:
		return one.ClusterOperator.Conditions
	case one.MachineConfigPool != nil:
		return one.MachineConfigPool.Conditions
	case one.Node != nil:
		return one.Node.Conditions
	default:
		return nil
	}
}

// keepTime gives a condition of which no real time is known the time of its last change of status.
func keepTime(made metav1.Condition, before []metav1.Condition, clock moment) metav1.Condition {
	if !made.LastTransitionTime.IsZero() {
		return made
	}
	made.LastTransitionTime = clock.Time
	last := meta.FindStatusCondition(before, made.Type)
	if last != nil && last.Status == made.Status && !last.LastTransitionTime.IsZero() {
		made.LastTransitionTime = last.LastTransitionTime
	}
	return made
}

// keepStart gives a condition of which no object tells when it began the time at which it was first seen.
func keepStart(made, before *updatev1alpha1.HealthInsight, clock moment) {
	switch {
	case made.StartedAt != nil:
	case before != nil && before.StartedAt != nil:
		made.StartedAt = before.StartedAt.DeepCopy()
	case clock.observing:
		made.StartedAt = clock.Time.DeepCopy()
	}
}

// keepControlPlaneEstimate keeps the estimate of an update that is stalled and has not got on since: what comes out with
// every look is another one, and says nothing any more.
func keepControlPlaneEstimate(made, before *updatev1alpha1.ClusterVersionInsight) {
	stalled := made.Assessment == updatev1alpha1.AssessmentStalled && before.Assessment == updatev1alpha1.AssessmentStalled
	same := made.StartedAt.Equal(before.StartedAt) && made.Completion == before.Completion
	if stalled && same && before.EstimatedCompletedAt != nil {
		made.EstimatedCompletedAt = before.EstimatedCompletedAt.DeepCopy()
		return
	}
	keepEstimate(&made.EstimatedCompletedAt, before.EstimatedCompletedAt, estimateTolerance)
}

func keepEstimate(made **metav1.Time, before *metav1.Time, tolerance time.Duration) {
	if *made == nil || before == nil {
		return
	}
	if (*made).Sub(before.Time).Abs() < tolerance {
		*made = before.DeepCopy()
	}
}
