package nodestate

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// degradedReasons are the reasons of Degraded by the state of the daemon.
var degradedReasons = map[string]string{
	stateDegraded:       updatev1alpha1.ReasonNodeDegraded,
	stateUnreconcilable: updatev1alpha1.ReasonNodeUnreconcilable,
}

// HasFailed returns whether the daemon of a node has failed.
func HasFailed(node *corev1.Node) bool {
	return degradedReasons[node.Annotations[StateAnnotation]] != ""
}

// Degraded returns the condition of a node whose daemon may have failed.
func Degraded(node *corev1.Node) metav1.Condition {
	if node.Annotations[DesiredConfigAnnotation] == "" || !HasFailed(node) {
		return assess.Condition(updatev1alpha1.ConditionDegraded, metav1.ConditionFalse, updatev1alpha1.ReasonAsExpected, "", time.Time{})
	}
	reason := degradedReasons[node.Annotations[StateAnnotation]]
	message := insight.Shorten(node.Annotations[ReasonAnnotation], updatev1alpha1.NodeMessageMaxLength)
	return assess.Condition(updatev1alpha1.ConditionDegraded, metav1.ConditionTrue, reason, message, time.Time{})
}

// Finish sets what follows from the conditions of a node: how long its phase takes, and why it is degraded or not available. It
// returns its state.
func Finish(node *updatev1alpha1.NodeInsight, unavailable, degraded string) insight.NodeState {
	state := insight.StateOf(node)
	node.EstimatedSeconds, node.Message = estimate(state), messageOf(state, unavailable, degraded)
	return state
}

// estimate returns how long the phase of a node takes by the rule of thumb, nil if that is not known. Once nodes of its
// pool are done, the status has what these took.
func estimate(state insight.NodeState) *int32 {
	switch {
	case state.Phase == insight.PhaseCompleted:
		return insight.Seconds(0)
	case state.Degraded || !state.Available && !state.Updating:
		return nil
	case state.Updating:
		return insight.Seconds(state.Phase.RuleOfThumb())
	case state.Phase == insight.PhasePaused:
		return insight.Seconds(0)
	default:
		return nil
	}
}

// messageOf returns why a node is degraded, or not available without being updated, empty if neither.
func messageOf(state insight.NodeState, unavailable, degraded string) string {
	message := ""
	switch {
	case state.Degraded && degraded != "":
		message = degraded
	case !state.Available && !state.Updating:
		message = unavailable
	}
	return insight.Shorten(insight.OneLine(message), updatev1alpha1.NodeMessageMaxLength)
}

// Cordoned returns when a node was last cordoned, zero if its taints do not include the time.
func Cordoned(node *corev1.Node) time.Time {
	for _, taint := range node.Spec.Taints {
		if taint.Key == corev1.TaintNodeUnschedulable && taint.TimeAdded != nil {
			return taint.TimeAdded.Time
		}
	}
	return time.Time{}
}

// DrainThresholds follows the Machine Config Operator: it retries an eviction every minute, after ten minutes every five, and
// after an hour it reports the drain as failed.
var DrainThresholds = assess.Thresholds{Warning: 10 * time.Minute, Failure: time.Hour}

// DrainTimes tell when a drain started. Each is zero if it is not known.
type DrainTimes struct {
	// Observed is when the node was first observed draining.
	Observed time.Time
	// UpdateStarted is when the update started, which is not after the drain. It is used where the drain was not observed.
	UpdateStarted time.Time
	// Cordoned is when the node was cordoned, and Reported when the Machine Config Operator says that it cordoned it for its drain.
	Cordoned, Reported time.Time
}

// Start returns when a drain started, zero if that is unknown. A start that was observed may be that of the previous drain, and a
// cordon may have been set by an administrator long before: the later of both counts. An earlier start that the Machine Config
// Operator reports takes precedence; a later one does not, since the operator cordons the node again after a restart.
func (d DrainTimes) Start() time.Time {
	var start time.Time
	switch {
	case !d.Observed.IsZero():
		start = assess.Earliest(assess.Later(d.Observed, d.Cordoned), d.Reported)
	case !d.Reported.IsZero():
		start = d.Reported
	case !d.Cordoned.IsZero():
		start = assess.Later(d.Cordoned, d.UpdateStarted)
	}
	return assess.WholeSecond(start)
}
