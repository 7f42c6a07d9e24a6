package builders

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Annotations by which the Machine Config Operator and its daemon on a node talk to each other.
const (
	AnnotationCurrentConfig    = "machineconfiguration.openshift.io/currentConfig"
	AnnotationDesiredConfig    = "machineconfiguration.openshift.io/desiredConfig"
	AnnotationState            = "machineconfiguration.openshift.io/state"
	AnnotationReason           = "machineconfiguration.openshift.io/reason"
	AnnotationDesiredDrain     = "machineconfiguration.openshift.io/desiredDrain"
	AnnotationLastAppliedDrain = "machineconfiguration.openshift.io/lastAppliedDrain"
	AnnotationCurrentImage     = "machineconfiguration.openshift.io/currentImage"
	AnnotationDesiredImage     = "machineconfiguration.openshift.io/desiredImage"
	// AnnotationPostConfigAction is PostConfigActionRebooting while the node reboots, and empty afterwards.
	AnnotationPostConfigAction = "machineconfiguration.openshift.io/post-config-action"
)

// PostConfigActionRebooting is the value of AnnotationPostConfigAction from before the reboot of a node until its daemon has started.
const PostConfigActionRebooting = "Rebooting"

// TaintUpdateInProgress is the key of the taint of nodes that wait for their update.
const TaintUpdateInProgress = "UpdateInProgress"

// States of the Machine Config Daemon.
const (
	StateDone           = "Done"
	StateWorking        = "Working"
	StateRebooting      = "Rebooting"
	StateDegraded       = "Degraded"
	StateUnreconcilable = "Unreconcilable"
)

// LabelOS is the label of a node that names its operating system.
const LabelOS = "kubernetes.io/os"

// NodeOption changes a Node.
type NodeOption func(*corev1.Node)

// Node returns a node that is ready and has no role.
func Node(name string, options ...NodeOption) *corev1.Node {
	node := &corev1.Node{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        name,
			Labels:      map[string]string{LabelOS: "linux"},
			Annotations: map[string]string{},
		},
		Status: corev1.NodeStatus{
			Conditions: []corev1.NodeCondition{{
				Type:    corev1.NodeReady,
				Status:  corev1.ConditionTrue,
				Reason:  "KubeletReady",
				Message: "kubelet is posting ready status",
			}},
		},
	}
	for _, option := range options {
		option(node)
	}
	return node
}

// Role gives the node a role.
func Role(role string) NodeOption {
	return NodeLabel(labelRolePrefix+role, "")
}

// NodeLabel gives the node a label.
func NodeLabel(key, value string) NodeOption {
	return func(node *corev1.Node) {
		node.Labels[key] = value
	}
}

// Annotation gives the node an annotation.
func Annotation(key, value string) NodeOption {
	return func(node *corev1.Node) {
		node.Annotations[key] = value
	}
}

// PostConfigAction sets what the daemon does after it has applied a configuration: Rebooting, or the empty string.
func PostConfigAction(action string) NodeOption {
	return Annotation(AnnotationPostConfigAction, action)
}

// Configs sets the MachineConfigs that the node has and should have, and the state Done: nothing has begun.
func Configs(current, desired string) NodeOption {
	return func(node *corev1.Node) {
		node.Annotations[AnnotationCurrentConfig] = current
		node.Annotations[AnnotationDesiredConfig] = desired
		State(StateDone)(node)
	}
}

// State sets the state of the node's Machine Config Daemon.
func State(state string) NodeOption {
	return Annotation(AnnotationState, state)
}

// DegradedBecause sets the state Degraded and its reason.
func DegradedBecause(reason string) NodeOption {
	return func(node *corev1.Node) {
		State(StateDegraded)(node)
		Annotation(AnnotationReason, reason)(node)
	}
}

// Drain sets what the node's daemon asks of the Machine Config Controller (drain-… or uncordon-…), and what was done last.
func Drain(desired, lastApplied string) NodeOption {
	return func(node *corev1.Node) {
		node.Annotations[AnnotationDesiredDrain] = desired
		node.Annotations[AnnotationLastAppliedDrain] = lastApplied
	}
}

// Images sets the images that a node in image mode has and should have.
func Images(current, desired string) NodeOption {
	return func(node *corev1.Node) {
		node.Annotations[AnnotationCurrentImage] = current
		node.Annotations[AnnotationDesiredImage] = desired
	}
}

// Unschedulable cordons the node.
func Unschedulable() NodeOption {
	return func(node *corev1.Node) {
		node.Spec.Unschedulable = true
	}
}

// NodeCondition sets a condition of the node.
func NodeCondition(
	kind corev1.NodeConditionType, status corev1.ConditionStatus, since time.Time, reason, message string,
) NodeOption {
	condition := corev1.NodeCondition{
		Type:               kind,
		Status:             status,
		LastTransitionTime: metav1.NewTime(since),
		Reason:             reason,
		Message:            message,
	}
	return func(node *corev1.Node) {
		for at := range node.Status.Conditions {
			if node.Status.Conditions[at].Type == kind {
				node.Status.Conditions[at] = condition
				return
			}
		}
		node.Status.Conditions = append(node.Status.Conditions, condition)
	}
}

// NotReady makes the node not ready since a time.
func NotReady(since time.Time) NodeOption {
	return NodeCondition(corev1.NodeReady, corev1.ConditionFalse, since, "KubeletNotReady", "kubelet is not ready")
}
