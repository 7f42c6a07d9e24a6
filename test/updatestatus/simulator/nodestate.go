package simulator

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// How the Machine Config Operator reads a node: openshift/machine-config-operator, pkg/controller/common/layered_node_state.go.

// isDone is IsNodeDone: what the node has is what it should have, and its daemon has said so.
func isDone(node *corev1.Node) bool {
	annotations := node.Annotations
	return annotations[builders.AnnotationCurrentConfig] == annotations[builders.AnnotationDesiredConfig] &&
		annotations[builders.AnnotationCurrentImage] == annotations[builders.AnnotationDesiredImage] &&
		annotations[builders.AnnotationState] == builders.StateDone
}

// isUnavailable is IsUnavailableForUpdate.
func isUnavailable(node *corev1.Node) bool {
	return !isSchedulable(node) || !isDone(node) && !isFailing(node)
}

// isSchedulable is IsNodeReady.
func isSchedulable(node *corev1.Node) bool {
	return !node.Spec.Unschedulable && !slices.ContainsFunc(node.Status.Conditions, func(condition corev1.NodeCondition) bool {
		switch condition.Type {
		case corev1.NodeReady:
			return condition.Status != corev1.ConditionTrue
		case corev1.NodeDiskPressure, corev1.NodeNetworkUnavailable:
			return condition.Status != corev1.ConditionFalse
		default:
			return false
		}
	})
}

// isFailing is IsNodeMCDFailing.
func isFailing(node *corev1.Node) bool {
	annotations := node.Annotations
	return annotations[builders.AnnotationCurrentConfig] != annotations[builders.AnnotationDesiredConfig] && isDegraded(node)
}

// isDegraded is getDegradedMachines of pkg/controller/node/status.go.
func isDegraded(node *corev1.Node) bool {
	state := node.Annotations[builders.AnnotationState]
	return state == builders.StateDegraded || state == builders.StateUnreconcilable
}

func isReady(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(condition corev1.NodeCondition) bool {
		return condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue
	})
}

func hasTaint(node *corev1.Node, key string) bool {
	return slices.ContainsFunc(node.Spec.Taints, func(taint corev1.Taint) bool { return taint.Key == key })
}

func setTaint(node *corev1.Node, taint corev1.Taint, is bool) {
	node.Spec.Taints = slices.DeleteFunc(slices.Clone(node.Spec.Taints), func(other corev1.Taint) bool { return taint.MatchTaint(&other) })
	if is {
		node.Spec.Taints = append(node.Spec.Taints, taint)
	}
	if len(node.Spec.Taints) == 0 {
		node.Spec.Taints = nil
	}
}
