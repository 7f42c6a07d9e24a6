package assess

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// withKnownTimes returns an object whose times that are not known (insight.IsKnown) are zero: the object itself, or a copy if it
// has such times. times returns the times that assessments read.
func withKnownTimes[T interface{ DeepCopy() T }](object T, times func(T) []*metav1.Time, now time.Time) T {
	isUnknown := func(at *metav1.Time) bool { return !at.IsZero() && !insight.IsKnown(at.Time, now) }
	if !slices.ContainsFunc(times(object), isUnknown) {
		return object
	}
	object = object.DeepCopy()
	for _, at := range times(object) {
		if isUnknown(at) {
			*at = metav1.Time{}
		}
	}
	return object
}

func clusterVersionTimes(version *configv1.ClusterVersion) []*metav1.Time {
	times := conditionTimes(version.Status.Conditions)
	for at := range version.Status.History {
		item := &version.Status.History[at]
		times = append(times, &item.StartedTime, item.CompletionTime)
	}
	return times
}

func clusterOperatorTimes(operator *configv1.ClusterOperator) []*metav1.Time {
	return conditionTimes(operator.Status.Conditions)
}

func conditionTimes(conditions []configv1.ClusterOperatorStatusCondition) []*metav1.Time {
	times := make([]*metav1.Time, 0, len(conditions))
	for at := range conditions {
		times = append(times, &conditions[at].LastTransitionTime)
	}
	return times
}

func nodeTimes(node *corev1.Node) []*metav1.Time {
	times := make([]*metav1.Time, 0, len(node.Status.Conditions)+len(node.Spec.Taints))
	for at := range node.Status.Conditions {
		times = append(times, &node.Status.Conditions[at].LastTransitionTime)
	}
	for at := range node.Spec.Taints {
		times = append(times, node.Spec.Taints[at].TimeAdded)
	}
	return times
}

func machineConfigNodeTimes(node *machineconfigv1.MachineConfigNode) []*metav1.Time {
	return apiConditionTimes(node.Status.Conditions)
}

func podTimes(pod *corev1.Pod) []*metav1.Time {
	return []*metav1.Time{pod.DeletionTimestamp}
}

// withKnownTimes returns the input with the times that are known.
func (in NodeInput) withKnownTimes(now time.Time) NodeInput {
	in.Node = withKnownTimes(in.Node, nodeTimes, now)
	in.Drain.UpdateStarted = insight.KnownTime(in.Drain.UpdateStarted, now)
	if in.MachineConfigNode != nil {
		in.MachineConfigNode = withKnownTimes(in.MachineConfigNode, machineConfigNodeTimes, now)
	}
	if in.Drain.Blockers == nil {
		return in
	}
	blockers := *in.Drain.Blockers
	blockers.Pods = slices.Clone(blockers.Pods)
	for at, pod := range blockers.Pods {
		blockers.Pods[at] = withKnownTimes(pod, podTimes, now)
	}
	in.Drain.Blockers = &blockers
	return in
}

func hostedClusterTimes(hosted *hypershiftv1beta1.HostedCluster) []*metav1.Time {
	times := apiConditionTimes(hosted.Status.Conditions)
	for _, status := range []*hypershiftv1beta1.VersionStatus{hosted.Status.Version, hosted.Status.ControlPlaneVersion} {
		if status == nil {
			continue
		}
		for at := range status.History {
			times = append(times, &status.History[at].StartedTime, status.History[at].CompletionTime)
		}
	}
	return times
}

func componentTimes(component *hypershiftv1beta1.ControlPlaneComponent) []*metav1.Time {
	return apiConditionTimes(component.Status.Conditions)
}

func nodePoolTimes(pool *hypershiftv1beta1.NodePool) []*metav1.Time {
	return apiConditionTimes(pool.Status.Conditions)
}

func machineTimes(machine *clusterapiv1beta1.Machine) []*metav1.Time {
	return append(apiConditionTimes(machine.Status.Conditions), &machine.CreationTimestamp, machine.DeletionTimestamp)
}

func apiConditionTimes(conditions []metav1.Condition) []*metav1.Time {
	times := make([]*metav1.Time, 0, len(conditions))
	for at := range conditions {
		times = append(times, &conditions[at].LastTransitionTime)
	}
	return times
}
