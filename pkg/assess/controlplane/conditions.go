package controlplane

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// FindCondition returns the first condition of a type, nil if there is none.
func FindCondition(conditions []configv1.ClusterOperatorStatusCondition, kind configv1.ClusterStatusConditionType) *configv1.ClusterOperatorStatusCondition {
	for at := range conditions {
		if conditions[at].Type == kind {
			return &conditions[at]
		}
	}
	return nil
}

// IsTrue returns whether there is a condition and it is True.
func IsTrue(condition *configv1.ClusterOperatorStatusCondition) bool {
	return condition != nil && condition.Status == configv1.ConditionTrue
}

// ConditionTimes returns the times of conditions.
func ConditionTimes(conditions []configv1.ClusterOperatorStatusCondition) []*metav1.Time {
	times := make([]*metav1.Time, 0, len(conditions))
	for at := range conditions {
		times = append(times, &conditions[at].LastTransitionTime)
	}
	return times
}

// WithKnownTimes returns a ClusterOperator whose times that are not known are zero.
func WithKnownTimes(operator *configv1.ClusterOperator, now time.Time) *configv1.ClusterOperator {
	return assess.WithKnownTimes(operator, func(one *configv1.ClusterOperator) []*metav1.Time { return ConditionTimes(one.Status.Conditions) }, now)
}
