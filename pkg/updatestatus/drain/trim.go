package drain

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
