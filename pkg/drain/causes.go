package assess

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// drainCause is why a pod does not leave a node.
type drainCause int

// The causes, in the order in which a drain with several of them is named after one: first what nobody but an administrator
// ends, then what may end by itself.
const (
	causeUnreachable drainCause = iota
	causeSeveralBudgets
	causeNeverAllowed
	causeAllNeeded
	causeUnhealthy
	causeVirtualMachine
	causeTerminating
	causeNotAllowed
	causeUnknown
	// causeUnread is that of a drain whose pods are not known.
	causeUnread
)

const (
	// terminatingPatience is how long after its own deletion time a pod may still be there: the kubelet needs a moment.
	terminatingPatience = time.Minute
	// longGracePeriod is a grace period that alone makes a drain long.
	longGracePeriod = 10 * time.Minute
)

// What KubeVirt says of the pods that run its virtual machines (kubevirt.io/api).
const (
	virtLauncherLabel = "kubevirt.io"
	virtLauncher      = "virt-launcher"
	kindInstance      = "VirtualMachineInstance"
)

// remaining is a pod that a drain waits for.
type remaining struct {
	pod   *corev1.Pod
	cause drainCause
	// budgets are the PodDisruptionBudgets that select the pod.
	budgets []*policyv1.PodDisruptionBudget
	owner   workload
}

// explanation is why a drain takes long.
type explanation struct {
	cause drainCause
	// pods are all that the drain waits for, those of the cause first.
	pods []remaining
	// unread is Blockers.Unread.
	unread string
	// nextCheck is when a pod is past its deletion time, zero if none will be.
	nextCheck time.Time
}

func explainDrain(node *nodeFacts, now time.Time) explanation {
	blockers := node.drain.Blockers
	found := explanation{cause: causeUnknown, unread: blockers.Unread}
	if found.unread != "" {
		found.cause = causeUnread
		return found
	}
	unreachable := isUnreachable(node.node)
	for _, pod := range blockers.Pods {
		if !HoldsDrain(pod) {
			continue
		}
		one := remaining{pod: pod, budgets: budgetsOf(pod, blockers.Budgets), owner: workloadOf(pod)}
		one.cause = causeOf(one, now)
		if unreachable {
			one.cause = causeUnreachable
		}
		if late := lateFrom(pod); late.After(now) {
			found.nextCheck = earliest(found.nextCheck, late)
		}
		found.pods = append(found.pods, one)
	}
	slices.SortFunc(found.pods, compareRemaining)
	if len(found.pods) > 0 {
		found.cause = found.pods[0].cause
	}
	return found
}

func compareRemaining(a, b remaining) int {
	return cmp.Or(
		cmp.Compare(a.cause, b.cause),
		cmp.Compare(a.pod.Namespace, b.pod.Namespace),
		cmp.Compare(a.pod.Name, b.pod.Name),
	)
}

// HoldsDrain is whether a drain waits until a pod is gone, as that of the Machine Config Operator does: not for the pods of
// DaemonSets, nor for static ones, nor for those that have finished.
func HoldsDrain(pod *corev1.Pod) bool {
	if _, static := pod.Annotations[corev1.MirrorPodAnnotationKey]; static {
		return false
	}
	owner := metav1.GetControllerOfNoCopy(pod)
	if owner != nil && owner.Kind == "DaemonSet" {
		return false
	}
	return pod.DeletionTimestamp != nil || !hasFinished(pod)
}

func hasFinished(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// isUnreachable is whether the kubelet is silent: a pod on such a node is not gone before somebody says so.
func isUnreachable(node *corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionUnknown
		}
	}
	return false
}

// causeOf says why one pod of a node that can be reached is still there.
func causeOf(one remaining, now time.Time) drainCause {
	switch {
	case one.pod.DeletionTimestamp != nil:
		return causeOfDeleted(one.pod, now)
	case isVirtualMachine(one.pod):
		return causeVirtualMachine
	case one.pod.Status.Phase == corev1.PodPending, len(one.budgets) == 0:
		// Of pods that do not run yet the API server does not ask whether a budget allows their eviction.
		return causeUnknown
	case len(one.budgets) > 1:
		return causeSeveralBudgets
	default:
		return causeOfBudget(one.pod, one.budgets[0])
	}
}

// causeOfDeleted leaves a pod its usual time to end.
func causeOfDeleted(pod *corev1.Pod, now time.Time) drainCause {
	if gracePeriod(pod) > longGracePeriod || !now.Before(lateFrom(pod)) {
		return causeTerminating
	}
	return causeUnknown
}

// lateFrom is from when on a pod is past its own deletion time, zero if it is not deleted.
func lateFrom(pod *corev1.Pod) time.Time {
	if pod.DeletionTimestamp == nil {
		return time.Time{}
	}
	return pod.DeletionTimestamp.Add(terminatingPatience)
}

func gracePeriod(pod *corev1.Pod) time.Duration {
	if pod.DeletionGracePeriodSeconds == nil {
		return 0
	}
	return time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second
}

func isVirtualMachine(pod *corev1.Pod) bool {
	owner := metav1.GetControllerOfNoCopy(pod)
	return pod.Labels[virtLauncherLabel] == virtLauncher || owner != nil && owner.Kind == kindInstance
}

// causeOfBudget asks what the API server asks of a budget when a pod is to be evicted.
func causeOfBudget(pod *corev1.Pod, budget *policyv1.PodDisruptionBudget) drainCause {
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

// needsAll is whether a budget asks for as many healthy pods as are expected, or more.
func needsAll(budget *policyv1.PodDisruptionBudget) bool {
	return budget.Status.ExpectedPods > 0 && budget.Status.DesiredHealthy >= budget.Status.ExpectedPods
}

// neverAllows is whether a budget allows no disruption even when all pods of the workload are there and healthy.
func neverAllows(budget *policyv1.PodDisruptionBudget) bool {
	return needsAll(budget) && expectsReplicas(budget)
}

// expectsReplicas is whether the pods that are expected are the replicas that the workload is to have. For a minAvailable that
// is a number the disruption controller takes the pods that exist, and some may be missing.
func expectsReplicas(budget *policyv1.PodDisruptionBudget) bool {
	spec := budget.Spec
	return spec.MaxUnavailable != nil || spec.MinAvailable == nil || spec.MinAvailable.Type == intstr.String
}

// budgetsOf returns the budgets that select a pod, by name.
func budgetsOf(pod *corev1.Pod, budgets []*policyv1.PodDisruptionBudget) []*policyv1.PodDisruptionBudget {
	var found []*policyv1.PodDisruptionBudget
	for _, budget := range budgets {
		if budget.Namespace != pod.Namespace {
			continue
		}
		selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
		if err == nil && selector.Matches(labels.Set(pod.Labels)) {
			found = append(found, budget)
		}
	}
	slices.SortFunc(found, func(a, b *policyv1.PodDisruptionBudget) int { return cmp.Compare(a.Name, b.Name) })
	return found
}
