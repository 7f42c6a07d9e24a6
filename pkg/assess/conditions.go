package assess

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// condition returns a condition. A zero time is unknown: the primary controller keeps the time of the last change, or sets the
// time at which it first observes the condition.
func condition(kind string, status metav1.ConditionStatus, reason, message string, since time.Time) metav1.Condition {
	return metav1.Condition{
		Type:               kind,
		Status:             status,
		Reason:             reason,
		Message:            insight.Shorten(message, messageMaxLength),
		LastTransitionTime: metav1.NewTime(since),
	}
}

// findCondition returns the first condition of a type, nil if there is none.
func findCondition(conditions []configv1.ClusterOperatorStatusCondition, kind configv1.ClusterStatusConditionType) *configv1.ClusterOperatorStatusCondition {
	for at := range conditions {
		if conditions[at].Type == kind {
			return &conditions[at]
		}
	}
	return nil
}

func isTrue(condition *configv1.ClusterOperatorStatusCondition) bool {
	return condition != nil && condition.Status == configv1.ConditionTrue
}

// optionalTime returns nil for the zero time, which is not valid in the API.
func optionalTime(at time.Time) *metav1.Time {
	if at.IsZero() {
		return nil
	}
	return ptr(metav1.NewTime(at))
}

func timeOf(optional *metav1.Time) time.Time {
	if optional == nil {
		return time.Time{}
	}
	return optional.Time
}

func ptr[T any](value T) *T {
	return &value
}
