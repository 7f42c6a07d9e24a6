package nodestate

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// Unavailability is one reason why a node can't run workloads.
type Unavailability struct {
	Reason  string
	Message string
	// Since is when it started, zero if the node does not report it.
	Since time.Time
}

// nodeConditionChecks are the conditions that make a node unavailable unless they have the good status.
var nodeConditionChecks = map[corev1.NodeConditionType]struct {
	good            corev1.ConditionStatus
	reason, message string
}{
	corev1.NodeReady:              {corev1.ConditionTrue, updatev1alpha1.ReasonNotReady, "Not ready"},
	corev1.NodeDiskPressure:       {corev1.ConditionFalse, updatev1alpha1.ReasonDiskPressure, "Disk pressure"},
	corev1.NodeNetworkUnavailable: {corev1.ConditionFalse, updatev1alpha1.ReasonNetworkUnavailable, "Network unavailable"},
}

// Unavailabilities returns why a node can't run workloads by itself: its bad conditions in the node's order, then the cordon.
func Unavailabilities(node *corev1.Node) []Unavailability {
	var reasons []Unavailability
	for at := range node.Status.Conditions {
		condition := &node.Status.Conditions[at]
		if isBad(node, condition) {
			check := nodeConditionChecks[condition.Type]
			reasons = append(reasons, Unavailability{check.reason, check.message, condition.LastTransitionTime.Time})
		}
	}
	if node.Spec.Unschedulable {
		reasons = append(reasons, Unavailability{
			Reason: updatev1alpha1.ReasonUnschedulable, Message: "Node is marked unschedulable", Since: Cordoned(node),
		})
	}
	return reasons
}

// isBad returns whether a condition makes its node unavailable. When a kubelet stops reporting, the node lifecycle controller
// sets all conditions of the kubelet to Unknown. Only Ready counts then: DiskPressure=Unknown does not mean that the disk is
// full.
func isBad(node *corev1.Node, condition *corev1.NodeCondition) bool {
	check, checked := nodeConditionChecks[condition.Type]
	if !checked || condition.Status == check.good {
		return false
	}
	return condition.Type != corev1.NodeDiskPressure || condition.Status != corev1.ConditionUnknown || !IsUnreachable(node)
}

// NotReadySince returns when a node that is not ready was last seen to be, zero if that is not known.
func NotReadySince(node *corev1.Node) time.Time {
	var since time.Time
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			since = condition.LastTransitionTime.Time
		}
	}
	for _, taint := range node.Spec.Taints {
		if since.IsZero() && taint.TimeAdded != nil && (taint.Key == corev1.TaintNodeNotReady || taint.Key == corev1.TaintNodeUnreachable) {
			since = taint.TimeAdded.Time
		}
	}
	return since
}

// IsUnreachable returns whether the kubelet has stopped reporting.
func IsUnreachable(node *corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionUnknown
		}
	}
	return false
}

// Available returns the condition of a node: it is available unless there are reasons why it is not.
func Available(reasons []Unavailability) metav1.Condition {
	if len(reasons) == 0 {
		return assess.Condition(updatev1alpha1.ConditionAvailable, metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected, "", time.Time{})
	}
	reason := reasons[0].Reason
	if len(reasons) > 1 {
		reason = updatev1alpha1.ReasonMultipleReasons
	}
	messages := make([]string, 0, len(reasons))
	var since time.Time
	for _, one := range reasons {
		messages = append(messages, one.Message)
		since = assess.Earliest(since, one.Since)
	}
	return assess.Condition(updatev1alpha1.ConditionAvailable, metav1.ConditionFalse, reason, strings.Join(messages, " | "), since)
}
