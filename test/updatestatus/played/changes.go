package played

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// BlockDrain adds what blocks the drain of a node: a pod, and a budget that allows no disruption.
func BlockDrain(in *standalone.Input, node string) {
	labels := map[string]string{"app": "cart"}
	pod := builders.Pod("shop", "cart-7d9c5b-x2x8k", builders.OnNode(node), builders.PodLabel("app", "cart"), builders.PodReady(corev1.ConditionTrue))
	budget := builders.Budget("shop", "cart", labels, builders.MinAvailablePods(intstr.FromInt32(1)), builders.Disruptions(0, 1, 1, 1))
	in.Pods, in.PodDisruptionBudgets = []*corev1.Pod{pod}, []*policyv1.PodDisruptionBudget{budget}
}

// FailOperator makes the operator image-registry degraded since a moment.
func FailOperator(in *standalone.Input, since, now time.Time) {
	if now.Before(since) {
		return
	}
	in.ClusterOperators = slices.Clone(in.ClusterOperators)
	for at, operator := range in.ClusterOperators {
		if operator.Name != "image-registry" {
			continue
		}
		failing := operator.DeepCopy()
		builders.OperatorCondition(configv1.ClusterOperatorStatusCondition{
			Type: configv1.OperatorDegraded, Status: configv1.ConditionTrue, Reason: "ImagePrunerJobFailed",
		})(failing)
		for i := range failing.Status.Conditions {
			if failing.Status.Conditions[i].Type == configv1.OperatorDegraded {
				failing.Status.Conditions[i].LastTransitionTime.Time = since
			}
		}
		in.ClusterOperators[at] = failing
	}
}
