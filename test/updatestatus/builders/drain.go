package builders

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
)

// PodOption changes a Pod.
type PodOption = func(*corev1.Pod)

// Pod returns a pod that is ready, of no workload and on no node.
func Pod(namespace, name string, options ...PodOption) *corev1.Pod {
	pod := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, Labels: map[string]string{}, Annotations: map[string]string{},
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "registry.example.com/main"}}},
	}
	PodPhase(corev1.PodRunning)(pod)
	PodReady(corev1.ConditionTrue)(pod)
	for _, option := range options {
		option(pod)
	}
	return pod
}

// OnNode binds the pod to a node.
func OnNode(name string) PodOption {
	return func(pod *corev1.Pod) {
		pod.Spec.NodeName = name
	}
}

// OwnedBy makes an object the controller of the pod.
func OwnedBy(apiVersion, kind, name string) PodOption {
	controller := true
	return func(pod *corev1.Pod) {
		pod.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: apiVersion, Kind: kind, Name: name, UID: "of-the-owner", Controller: &controller,
		}}
	}
}

// PodLabel gives the pod a label.
func PodLabel(key, value string) PodOption {
	return func(pod *corev1.Pod) {
		pod.Labels[key] = value
	}
}

// PodAnnotation gives the pod an annotation.
func PodAnnotation(key, value string) PodOption {
	return func(pod *corev1.Pod) {
		pod.Annotations[key] = value
	}
}

// PodPhase sets the phase of the pod.
func PodPhase(phase corev1.PodPhase) PodOption {
	return func(pod *corev1.Pod) {
		pod.Status.Phase = phase
	}
}

// PodReady sets whether the pod is ready.
func PodReady(status corev1.ConditionStatus) PodOption {
	return func(pod *corev1.Pod) {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status}}
	}
}

// Finalizers keep the pod when it is deleted.
func Finalizers(names ...string) PodOption {
	return func(pod *corev1.Pod) {
		pod.Finalizers = names
	}
}

// Deleted makes the pod one that was deleted and is to be gone by a time, after a grace period.
func Deleted(by time.Time, grace time.Duration, finalizers ...string) PodOption {
	at, seconds := metav1.NewTime(by), int64(grace.Seconds())
	return func(pod *corev1.Pod) {
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &at, &seconds
		Finalizers(finalizers...)(pod)
	}
}

// BudgetOption changes a PodDisruptionBudget.
type BudgetOption func(*policyv1.PodDisruptionBudget)

// Budget returns a PodDisruptionBudget of the pods with some labels. Without options it has no status yet.
func Budget(namespace, name string, selector map[string]string, options ...BudgetOption) *policyv1.PodDisruptionBudget {
	budget := &policyv1.PodDisruptionBudget{
		TypeMeta:   metav1.TypeMeta{APIVersion: policyv1.SchemeGroupVersion.String(), Kind: "PodDisruptionBudget"},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: selector}},
	}
	for _, option := range options {
		option(budget)
	}
	return budget
}

// MaxUnavailablePods sets how many pods may be unavailable.
func MaxUnavailablePods(pods intstr.IntOrString) BudgetOption {
	return func(budget *policyv1.PodDisruptionBudget) {
		budget.Spec.MaxUnavailable = &pods
	}
}

// MinAvailablePods sets how many pods must be available.
func MinAvailablePods(pods intstr.IntOrString) BudgetOption {
	return func(budget *policyv1.PodDisruptionBudget) {
		budget.Spec.MinAvailable = &pods
	}
}

// UnhealthyPods sets when pods that are not ready may be evicted.
func UnhealthyPods(policy policyv1.UnhealthyPodEvictionPolicyType) BudgetOption {
	return func(budget *policyv1.PodDisruptionBudget) {
		budget.Spec.UnhealthyPodEvictionPolicy = &policy
	}
}

// Disruptions sets what the disruption controller has counted.
func Disruptions(allowed, desiredHealthy, currentHealthy, expectedPods int32) BudgetOption {
	return func(budget *policyv1.PodDisruptionBudget) {
		budget.Status.DisruptionsAllowed = allowed
		budget.Status.DesiredHealthy = desiredHealthy
		budget.Status.CurrentHealthy = currentHealthy
		budget.Status.ExpectedPods = expectedPods
	}
}

// Observed sets the generation that the disruption controller has looked at.
func Observed(generation int64) BudgetOption {
	return func(budget *policyv1.PodDisruptionBudget) {
		budget.Status.ObservedGeneration = generation
	}
}

// BudgetFails makes the budget one that the disruption controller could not compute.
func BudgetFails(message string) BudgetOption {
	return func(budget *policyv1.PodDisruptionBudget) {
		budget.Status.Conditions = []metav1.Condition{{
			Type: policyv1.DisruptionAllowedCondition, Status: metav1.ConditionFalse,
			Reason: policyv1.SyncFailedReason, Message: message,
		}}
	}
}

// CordonedSince cordons the node as the Machine Config Controller does, at a time.
func CordonedSince(at time.Time) NodeOption {
	since := metav1.NewTime(at)
	return func(node *corev1.Node) {
		Unschedulable()(node)
		node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{
			Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule, TimeAdded: &since,
		})
	}
}

// MachineConfigNodeOption changes a MachineConfigNode.
type MachineConfigNodeOption func(*machineconfigv1.MachineConfigNode)

// MachineConfigNode returns that of a node of the worker pool which is to have a configuration.
func MachineConfigNode(node, config string, options ...MachineConfigNodeOption) *machineconfigv1.MachineConfigNode {
	made := &machineconfigv1.MachineConfigNode{
		TypeMeta:   metav1.TypeMeta{APIVersion: machineconfigv1.GroupVersion.String(), Kind: "MachineConfigNode"},
		ObjectMeta: metav1.ObjectMeta{Name: node},
		Spec: machineconfigv1.MachineConfigNodeSpec{
			Node:          machineconfigv1.MCOObjectReference{Name: node},
			Pool:          machineconfigv1.MCOObjectReference{Name: "worker"},
			ConfigVersion: machineconfigv1.MachineConfigNodeSpecMachineConfigVersion{Desired: config},
		},
	}
	for _, option := range options {
		option(made)
	}
	return made
}

// Step sets a condition of a MachineConfigNode, which is named by a step of the node's update.
func Step(step machineconfigv1.StateProgress, status metav1.ConditionStatus, written time.Time, message string) MachineConfigNodeOption {
	return func(made *machineconfigv1.MachineConfigNode) {
		meta.SetStatusCondition(&made.Status.Conditions, metav1.Condition{
			Type: string(step), Status: status, LastTransitionTime: metav1.NewTime(written), Reason: string(step), Message: message,
		})
	}
}

// Drained sets what the MachineConfigNode says of the drain: Unknown while it goes on.
func Drained(status metav1.ConditionStatus, written time.Time, message string) MachineConfigNodeOption {
	return Step(machineconfigv1.MachineConfigNodeUpdateDrained, status, written, message)
}
