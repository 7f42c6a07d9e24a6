package assess

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// unavailability is one reason why a node can't run workloads.
type unavailability struct {
	reason  string
	message string
	// since is when it started, zero if the node does not report it.
	since time.Time
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

// unavailabilities returns why a node can't run workloads. The Machine Config Daemon is the reason only if there is no other.
func unavailabilities(facts nodeFacts) []unavailability {
	reasons := facts.unavailabilities()
	if len(reasons) == 0 && daemonProcessing(facts) {
		reasons = append(reasons, unavailability{
			reason:  updatev1alpha1.ReasonMachineConfigDaemonProcessing,
			message: "Machine Config Daemon is processing the node",
		})
	}
	return reasons
}

// unavailabilities returns why a node can't run workloads by itself: its bad conditions in the node's order, then the cordon.
func (f nodeFacts) unavailabilities() []unavailability {
	var reasons []unavailability
	for at := range f.node.Status.Conditions {
		condition := &f.node.Status.Conditions[at]
		if isBad(f.node, condition) {
			check := nodeConditionChecks[condition.Type]
			reasons = append(reasons, unavailability{check.reason, check.message, condition.LastTransitionTime.Time})
		}
	}
	if f.node.Spec.Unschedulable {
		reasons = append(reasons, unavailability{
			reason: updatev1alpha1.ReasonUnschedulable, message: "Node is marked unschedulable", since: f.cordoned(),
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
	return condition.Type != corev1.NodeDiskPressure || condition.Status != corev1.ConditionUnknown || !isUnreachable(node)
}

// isUnreachable returns whether the kubelet has stopped reporting.
func isUnreachable(node *corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionUnknown
		}
	}
	return false
}

// daemonProcessing returns whether the daemon is neither done nor failed. Nodes in image mode are done when their images are
// equal as well.
func daemonProcessing(facts nodeFacts) bool {
	if _, failed := degradedReasons[facts.state]; failed {
		return false
	}
	annotations := facts.node.Annotations
	done := facts.state == stateDone &&
		facts.currentConfig != "" && facts.currentConfig == facts.desiredConfig &&
		annotations[CurrentImageAnnotation] == annotations[DesiredImageAnnotation]
	return !done
}

func nodeAvailable(facts nodeFacts) metav1.Condition {
	return availableUnless(unavailabilities(facts))
}

func availableUnless(reasons []unavailability) metav1.Condition {
	if len(reasons) == 0 {
		return condition(updatev1alpha1.ConditionAvailable, metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected, "", time.Time{})
	}
	reason := reasons[0].reason
	if len(reasons) > 1 {
		reason = updatev1alpha1.ReasonMultipleReasons
	}
	messages := make([]string, 0, len(reasons))
	var since time.Time
	for _, one := range reasons {
		messages = append(messages, one.message)
		since = earliest(since, one.since)
	}
	return condition(updatev1alpha1.ConditionAvailable, metav1.ConditionFalse, reason, strings.Join(messages, " | "), since)
}
