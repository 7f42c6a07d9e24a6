package builders

import (
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
)

// withPods gives a cluster pods on its nodes, which may drain for long, and what protects them.
func withPods(t *rapid.T, in *standalone.Input) {
	if len(in.Nodes) == 0 {
		return
	}
	for _, name := range names(t, "pods", mostPods) {
		in.Pods = append(in.Pods, pod(t, name, rapid.SampledFrom(in.Nodes).Draw(t, "node").Name))
	}
	for _, name := range names(t, "budgets", mostPods) {
		in.PodDisruptionBudgets = append(in.PodDisruptionBudgets, budget(t, name))
	}
	if rapid.Bool().Draw(t, "has MachineConfigNodes") {
		in.MachineConfigNodes = append(in.MachineConfigNodes, machineConfigNode(t, in.Nodes[0].Name))
	}
}

var namespaces = []string{"shop", "openshift-etcd", "a"}

// appLabels are those that pods have and budgets select.
var appLabels = []map[string]string{nil, {}, {"app": "db"}, {"app": "web"}}

func pod(t *rapid.T, name, node string) *corev1.Pod {
	made := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: rapid.SampledFrom(namespaces).Draw(t, "namespace"),
			Labels: rapid.SampledFrom(appLabels).Draw(t, "labels"),
		},
		Spec: corev1.PodSpec{NodeName: node},
		Status: corev1.PodStatus{
			Phase: corev1.PodPhase(rapid.SampledFrom([]string{"Running", "Succeeded", "Failed", "Pending", ""}).Draw(t, "phase")),
		},
	}
	if rapid.Bool().Draw(t, "is deleted") {
		deleted := AnyTime().Draw(t, "deleted")
		grace := int64(number(t, "grace"))
		made.DeletionTimestamp, made.DeletionGracePeriodSeconds = &deleted, &grace
		made.Finalizers = rapid.SliceOfN(AnyText(), 0, 3).Draw(t, "finalizers")
	}
	for range count(t, "owners", 3) {
		made.OwnerReferences = append(made.OwnerReferences, metav1.OwnerReference{
			APIVersion: rapid.OneOf(rapid.SampledFrom([]string{"apps/v1", "kubevirt.io/v1", "v1"}), AnyText()).Draw(t, "owner's version"),
			Kind:       rapid.OneOf(rapid.SampledFrom([]string{"ReplicaSet", "DaemonSet", "VirtualMachineInstance"}), AnyText()).Draw(t, "owner's kind"),
			Name:       AnyName().Draw(t, "owner"), Controller: rapid.Ptr(rapid.Bool(), true).Draw(t, "is controller"),
		})
	}
	for range count(t, "conditions", 4) {
		made.Status.Conditions = append(made.Status.Conditions, corev1.PodCondition{
			Type: corev1.PodConditionType(rapid.SampledFrom([]string{"Ready", "Odd"}).Draw(t, "type")), Status: corev1.ConditionStatus(conditionStatus(t)),
		})
	}
	return made
}

func budget(t *rapid.T, name string) *policyv1.PodDisruptionBudget {
	made := &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: rapid.SampledFrom(namespaces).Draw(t, "namespace")},
		Status: policyv1.PodDisruptionBudgetStatus{
			DisruptionsAllowed: number(t, "allowed"), CurrentHealthy: number(t, "healthy"),
			DesiredHealthy: number(t, "desired"), ExpectedPods: number(t, "expected"),
		},
	}
	made.Spec.Selector = rapid.OneOf(rapid.Map(rapid.SampledFrom(appLabels), func(labels map[string]string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchLabels: labels}
	}), rapid.Custom(selector)).Draw(t, "selector")
	several := intstr.FromInt32(number(t, "several"))
	if rapid.Bool().Draw(t, "as text") {
		several = intstr.FromString(AnyText().Draw(t, "several"))
	}
	if rapid.Bool().Draw(t, "is of those that are left") {
		made.Spec.MinAvailable = &several
	} else {
		made.Spec.MaxUnavailable = &several
	}
	if rapid.Bool().Draw(t, "has a policy") {
		policy := policyv1.UnhealthyPodEvictionPolicyType(rapid.OneOf(rapid.Just("AlwaysAllow"), AnyText()).Draw(t, "policy"))
		made.Spec.UnhealthyPodEvictionPolicy = &policy
	}
	return made
}

func machineConfigNode(t *rapid.T, name string) *machineconfigv1.MachineConfigNode {
	made := &machineconfigv1.MachineConfigNode{ObjectMeta: metav1.ObjectMeta{Name: name}}
	made.Spec.ConfigVersion.Desired = rapid.OneOf(rapid.Just(newConfig), AnyName()).Draw(t, "desired")
	for range count(t, "conditions", 4) {
		made.Status.Conditions = append(made.Status.Conditions, metav1.Condition{
			Type: rapid.SampledFrom([]string{
				string(machineconfigv1.MachineConfigNodeUpdateDrained), string(machineconfigv1.MachineConfigNodeUpdateCordoned),
				string(machineconfigv1.MachineConfigNodeUpdateRebooted), string(machineconfigv1.MachineConfigNodeUpdateFilesAndOS), "Odd",
			}).Draw(t, "type"),
			Status: metav1.ConditionStatus(conditionStatus(t)), LastTransitionTime: AnyTime().Draw(t, "since"),
			Reason: AnyText().Draw(t, "reason"), Message: AnyText().Draw(t, "message"),
		})
	}
	return made
}
