package drain

import (
	"cmp"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// cause is why a pod is still on the node.
type cause int

// The causes in the order of their precedence: of several the first is reported. Those that only an administrator can
// resolve come before those that may resolve themselves.
const (
	causeUnreachable cause = iota
	causeSeveralBudgets
	causeNeverAllowed
	causeAllNeeded
	causeUnhealthy
	causeVirtualMachine
	causeTerminating
	causeNotAllowed
	causeUnknown
	// causeUnread is the cause of a drain whose pods are unknown.
	causeUnread
)

const (
	// terminatingPatience is how long after its deletion time a pod may still exist: the kubelet needs a moment.
	terminatingPatience = time.Minute
	// longGracePeriod is a grace period that alone makes a drain long.
	longGracePeriod = 10 * time.Minute
	// longestGracePeriod bounds a grace period, which may be any number.
	longestGracePeriod = 365 * 24 * 60 * 60
)

// The label and the owner of the pods that run virtual machines of KubeVirt (kubevirt.io/api).
const (
	virtLauncherLabel = "kubevirt.io"
	virtLauncher      = "virt-launcher"
	kindInstance      = "VirtualMachineInstance"
)

// blockingPod is a pod that a drain waits for.
type blockingPod struct {
	pod   *corev1.Pod
	cause cause
	// budgets are the PodDisruptionBudgets that select the pod.
	budgets []*policyv1.PodDisruptionBudget
	owner   workload
}

// blockingPods returns the pods that the drain waits for, those of the first cause first.
func blockingPods(in Input, now time.Time) []blockingPod {
	var pods []blockingPod
	for _, pod := range in.Blockers.Pods {
		if !in.waitsFor(pod) {
			continue
		}
		one := blockingPod{pod: pod, budgets: budgetsOf(pod, in.Blockers.Budgets), owner: workloadOf(pod)}
		one.cause = causeOf(one, now)
		if in.Unreachable && !in.Drainer.isOfHosted() {
			one.cause = causeUnreachable
		}
		pods = append(pods, one)
	}
	slices.SortFunc(pods, func(a, b blockingPod) int {
		return cmp.Or(
			cmp.Compare(a.cause, b.cause),
			cmp.Compare(a.pod.Namespace, b.pod.Namespace),
			cmp.Compare(a.pod.Name, b.pod.Name),
		)
	})
	return pods
}

// WaitsFor returns whether a drain by the Machine Config Operator waits until a pod is gone. It does not wait for pods of
// DaemonSets, static pods and finished pods.
func WaitsFor(pod *corev1.Pod) bool {
	if _, static := pod.Annotations[corev1.MirrorPodAnnotationKey]; static {
		return false
	}
	if isOfDaemonSet(pod) {
		return false
	}
	finished := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	return pod.DeletionTimestamp != nil || !finished
}

// isOfDaemonSet returns whether a drain leaves a pod to its DaemonSet. Pods of other kinds of this name, such as that of OpenKruise, are
// evicted (k8s.io/kubectl, pkg/drain/filters.go).
func isOfDaemonSet(pod *corev1.Pod) bool {
	owner := metav1.GetControllerOfNoCopy(pod)
	return owner != nil && owner.Kind == "DaemonSet" && owner.APIVersion == appsv1.SchemeGroupVersion.String()
}

// causeOf returns why a pod is still on a reachable node.
func causeOf(one blockingPod, now time.Time) cause {
	switch {
	case one.pod.DeletionTimestamp != nil:
		return causeOfDeleted(one.pod, now)
	case isVirtualMachine(one.pod):
		return causeVirtualMachine
	case one.pod.Status.Phase == corev1.PodPending, len(one.budgets) == 0:
		// The API server evicts pending pods whatever the budget.
		return causeUnknown
	case len(one.budgets) > 1:
		return causeSeveralBudgets
	default:
		return causeOfBudget(one.pod, one.budgets[0])
	}
}

// causeOfDeleted gives a pod its usual time to terminate.
func causeOfDeleted(pod *corev1.Pod, now time.Time) cause {
	if late := lateFrom(pod); gracePeriod(pod) > longGracePeriod || !late.IsZero() && !now.Before(late) {
		return causeTerminating
	}
	return causeUnknown
}

// lateFrom returns when a pod should have terminated, zero if it is not deleted or that is not known.
func lateFrom(pod *corev1.Pod) time.Time {
	if pod.DeletionTimestamp.IsZero() {
		return time.Time{}
	}
	return pod.DeletionTimestamp.Add(terminatingPatience)
}

func gracePeriod(pod *corev1.Pod) time.Duration {
	if pod.DeletionGracePeriodSeconds == nil {
		return 0
	}
	return time.Duration(min(max(*pod.DeletionGracePeriodSeconds, 0), longestGracePeriod)) * time.Second
}

func isVirtualMachine(pod *corev1.Pod) bool {
	owner := metav1.GetControllerOfNoCopy(pod)
	return pod.Labels[virtLauncherLabel] == virtLauncher || owner != nil && owner.Kind == kindInstance
}

// causeOfBudget follows the checks of the API server when a pod is to be evicted.
func causeOfBudget(pod *corev1.Pod, budget *policyv1.PodDisruptionBudget) cause {
	ready, status := isReady(pod), budget.Status
	switch {
	case !ready && alwaysAllowsUnhealthy(budget),
		!ready && status.DesiredHealthy > 0 && status.CurrentHealthy >= status.DesiredHealthy,
		status.DisruptionsAllowed > 0:
		return causeUnknown
	case !ready:
		return causeUnhealthy
	case neverAllows(budget):
		return causeNeverAllowed
	case needsAll(budget):
		return causeAllNeeded
	default:
		return causeNotAllowed
	}
}

func isReady(pod *corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}

func alwaysAllowsUnhealthy(budget *policyv1.PodDisruptionBudget) bool {
	policy := budget.Spec.UnhealthyPodEvictionPolicy
	return policy != nil && *policy == policyv1.AlwaysAllow
}

// needsAll returns whether a budget requires at least as many healthy pods as are expected.
func needsAll(budget *policyv1.PodDisruptionBudget) bool {
	return budget.Status.ExpectedPods > 0 && budget.Status.DesiredHealthy >= budget.Status.ExpectedPods
}

// neverAllows returns whether a budget allows no disruption even when all pods of the workload exist and are healthy.
func neverAllows(budget *policyv1.PodDisruptionBudget) bool {
	return hasNoLimit(budget) || needsAll(budget) && expectsReplicas(budget)
}

// hasNoLimit returns whether a budget sets neither minAvailable nor maxUnavailable. The disruption controller then expects no pods, and
// allows no disruption where none are expected (kubernetes/kubernetes, pkg/controller/disruption/disruption.go, getExpectedPodCount and
// updatePdbStatus).
func hasNoLimit(budget *policyv1.PodDisruptionBudget) bool {
	return budget.Spec.MaxUnavailable == nil && budget.Spec.MinAvailable == nil
}

// expectsReplicas returns whether the expected pods are the desired replicas of the workload. For a minAvailable that is a
// number the disruption controller counts the existing pods instead, of which some may be missing.
func expectsReplicas(budget *policyv1.PodDisruptionBudget) bool {
	spec := budget.Spec
	return spec.MaxUnavailable != nil || spec.MinAvailable != nil && spec.MinAvailable.Type == intstr.String
}

// budgetsOf returns the budgets that select a pod, sorted by name.
func budgetsOf(pod *corev1.Pod, budgets []*policyv1.PodDisruptionBudget) []*policyv1.PodDisruptionBudget {
	var selecting []*policyv1.PodDisruptionBudget
	for _, budget := range budgets {
		if budget.Namespace != pod.Namespace {
			continue
		}
		selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
		if err == nil && selector.Matches(labels.Set(pod.Labels)) {
			selecting = append(selecting, budget)
		}
	}
	slices.SortFunc(selecting, func(a, b *policyv1.PodDisruptionBudget) int { return cmp.Compare(a.Name, b.Name) })
	return selecting
}
