package drain_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestWaitsFor checks which pods a drain waits for: it evicts a finished pod too, whatever its PodDisruptionBudget, and then
// waits for its finalizers.
func TestWaitsFor(t *testing.T) {
	with := func(change func(*corev1.Pod), options ...builders.PodOption) *corev1.Pod {
		pod := builders.Pod("shop", "db-0", options...)
		change(pod)
		return pod
	}
	phase := func(phase corev1.PodPhase) func(*corev1.Pod) {
		return func(pod *corev1.Pod) { pod.Status.Phase = phase }
	}
	deleted := func(phase corev1.PodPhase) func(*corev1.Pod) {
		return func(pod *corev1.Pod) {
			pod.Status.Phase, pod.DeletionTimestamp = phase, &metav1.Time{Time: time.Unix(1, 0)}
		}
	}
	for name, tc := range map[string]struct {
		pod  *corev1.Pod
		want bool
	}{
		"running":           {with(phase(corev1.PodRunning)), true},
		"pending":           {with(phase(corev1.PodPending)), true},
		"succeeded":         {with(phase(corev1.PodSucceeded)), false},
		"failed":            {with(phase(corev1.PodFailed)), false},
		"running, deleted":  {with(deleted(corev1.PodRunning)), true},
		"finished, deleted": {with(deleted(corev1.PodSucceeded)), true},
		"static":            {with(func(pod *corev1.Pod) { pod.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: ""} }), false},
		"of OpenKruise":     {with(phase(corev1.PodRunning), builders.OwnedBy("apps.kruise.io/v1alpha1", "DaemonSet", "dns")), true},
		"of a DaemonSet":    {with(phase(corev1.PodRunning), builders.OwnedBy("apps/v1", "DaemonSet", "dns")), false},
		"of a StatefulSet":  {with(phase(corev1.PodRunning), builders.OwnedBy("apps/v1", "StatefulSet", "db")), true},
	} {
		if got := drain.WaitsFor(tc.pod); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
