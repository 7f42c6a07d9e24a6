package drain

import (
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
)

// TrimPod returns the fields of a pod that an explanation reads: the ones to keep in memory, and to compare when the pod is
// read again.
func TrimPod(full *corev1.Pod) *corev1.Pod {
	trimmed := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name:                       full.Name,
		Namespace:                  full.Namespace,
		ResourceVersion:            full.ResourceVersion,
		Labels:                     full.Labels,
		OwnerReferences:            full.OwnerReferences,
		Finalizers:                 full.Finalizers,
		DeletionTimestamp:          full.DeletionTimestamp,
		DeletionGracePeriodSeconds: full.DeletionGracePeriodSeconds,
	}}
	if static, found := full.Annotations[corev1.MirrorPodAnnotationKey]; found {
		trimmed.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: static}
	}
	trimmed.Spec.NodeName = full.Spec.NodeName
	trimmed.Status.Phase = full.Status.Phase
	for _, condition := range full.Status.Conditions {
		if condition.Type == corev1.PodReady {
			trimmed.Status.Conditions = append(trimmed.Status.Conditions, corev1.PodCondition{
				Type: condition.Type, Status: condition.Status,
			})
		}
	}
	return trimmed
}

// TrimBudget returns the fields of a PodDisruptionBudget that an explanation reads.
func TrimBudget(full *policyv1.PodDisruptionBudget) *policyv1.PodDisruptionBudget {
	trimmed := &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: full.Name, Namespace: full.Namespace, ResourceVersion: full.ResourceVersion},
		Spec:       full.Spec, Status: full.Status,
	}
	// It changes with every eviction, and is not read.
	trimmed.Status.DisruptedPods = nil
	return trimmed
}

// TrimMachineConfigNode returns the fields of a MachineConfigNode that an explanation reads.
func TrimMachineConfigNode(full *machineconfigv1.MachineConfigNode) *machineconfigv1.MachineConfigNode {
	trimmed := &machineconfigv1.MachineConfigNode{
		ObjectMeta: metav1.ObjectMeta{Name: full.Name, ResourceVersion: full.ResourceVersion},
	}
	trimmed.Spec.ConfigVersion = full.Spec.ConfigVersion
	for _, condition := range full.Status.Conditions {
		if condition.Type == string(machineconfigv1.MachineConfigNodeUpdateDrained) {
			trimmed.Status.Conditions = append(trimmed.Status.Conditions, condition)
		}
	}
	return trimmed
}
