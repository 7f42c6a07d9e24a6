package podstate

import (
	corev1 "k8s.io/api/core/v1"
)

// AddTo adds to a trimmed pod the fields that this package reads.
func AddTo(trimmed, full *corev1.Pod) {
	trimmed.CreationTimestamp = full.CreationTimestamp
	trimmed.OwnerReferences = full.OwnerReferences
	trimmed.Spec.NodeSelector, trimmed.Spec.Affinity = full.Spec.NodeSelector, full.Spec.Affinity
	trimmed.Status = corev1.PodStatus{
		Phase: full.Status.Phase, Message: full.Status.Message, Conditions: full.Status.Conditions,
		InitContainerStatuses: full.Status.InitContainerStatuses, ContainerStatuses: full.Status.ContainerStatuses,
	}
}
