package insight

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// OperatorProgress says in a word, for people, where an operator is in its update.
type OperatorProgress string

// The progress of an operator.
const (
	OperatorUpdated  OperatorProgress = "updated"
	OperatorUpdating OperatorProgress = "updating"
	OperatorWaiting  OperatorProgress = "waiting"
	OperatorUnknown  OperatorProgress = "unknown"
)

// OperatorState is what the conditions of an operator insight say.
type OperatorState struct {
	Progress OperatorProgress
	// Since is when its Updating condition changed, zero without one.
	Since metav1.Time
	// Unhealthy is whether the operator is unavailable or degraded. One without the condition is not known to be.
	Unhealthy bool
}

// OperatorStateOf reads the conditions of an operator insight.
func OperatorStateOf(operator *updatev1alpha1.ClusterOperatorInsight) OperatorState {
	state := OperatorState{
		Progress:  OperatorUnknown,
		Unhealthy: meta.IsStatusConditionFalse(operator.Conditions, updatev1alpha1.ConditionHealthy),
	}
	updating := meta.FindStatusCondition(operator.Conditions, updatev1alpha1.ConditionUpdating)
	if updating == nil {
		return state
	}
	state.Since = updating.LastTransitionTime
	switch {
	case updating.Status == metav1.ConditionTrue:
		state.Progress = OperatorUpdating
	case updating.Status != metav1.ConditionFalse:
	case updating.Reason == updatev1alpha1.ReasonUpdated:
		state.Progress = OperatorUpdated
	default:
		state.Progress = OperatorWaiting
	}
	return state
}
