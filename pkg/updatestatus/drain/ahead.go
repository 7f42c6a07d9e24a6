package drain

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Workload names a workload with a number of replicas: a Deployment or a StatefulSet.
type Workload struct {
	Namespace, Kind, Name string
}

// AheadInput is what is known of drains that have not begun.
type AheadInput struct {
	Budgets []*policyv1.PodDisruptionBudget
	// Pods are those of the namespaces that MayNeverAllow returned, and Replicas the desired replicas of their workloads.
	Pods     []*corev1.Pod
	Replicas map[Workload]int32
	// Waiting are the nodes that wait for their update, with their pools.
	Waiting map[string]string
}

// Prediction is about the nodes of a pool that will not drain.
type Prediction struct {
	Pool string
	// Waiting is how many nodes of the pool wait for their update, and Nodes are those that will not drain, by name.
	Waiting int
	Nodes   []string
	// Budgets are why, by namespace and name.
	Budgets []*policyv1.PodDisruptionBudget
}

// MayNeverAllow returns the namespaces with PodDisruptionBudgets that may never allow a disruption, and whether the replicas of
// workloads decide that. Of the others nothing has to be read. A budget that the disruption controller has not looked at since it was
// changed says nothing yet.
func MayNeverAllow(budgets []*policyv1.PodDisruptionBudget) (namespaces map[string]bool) {
	namespaces = map[string]bool{}
	for _, budget := range budgets {
		if (needsAll(budget) || hasNoLimit(budget)) && budget.Status.ObservedGeneration >= budget.Generation {
			namespaces[budget.Namespace] = namespaces[budget.Namespace] || !neverAllows(budget)
		}
	}
	return namespaces
}

// Ahead returns what will happen when the nodes that wait are drained, by pool: which of them have a pod that can never be evicted,
// by the spec of its PodDisruptionBudget and the replicas of its workload. What may change until then (a pod that is missing or not
// ready, a virtual machine that migrates) is not predicted, nor is a budget with a number as minAvailable over pods of workloads whose
// replicas are not known.
func Ahead(in AheadInput) []Prediction {
	predictions := byPool(in.Waiting)
	byNamespace := map[string][]*corev1.Pod{}
	for _, pod := range in.Pods {
		byNamespace[pod.Namespace] = append(byNamespace[pod.Namespace], pod)
	}
	for _, budget := range in.Budgets {
		for _, node := range nodesBlockedBy(budget, byNamespace[budget.Namespace], in) {
			found := predictions[in.Waiting[node]]
			found.Nodes = append(found.Nodes, node)
			found.Budgets = append(found.Budgets, budget)
		}
	}
	return blocked(predictions)
}

// blocked returns the predictions with nodes, in order.
func blocked(predictions map[string]*Prediction) []Prediction {
	var found []Prediction
	for _, pool := range slices.Sorted(maps.Keys(predictions)) {
		one := predictions[pool]
		slices.Sort(one.Nodes)
		one.Nodes = slices.Compact(one.Nodes)
		slices.SortFunc(one.Budgets, func(a, b *policyv1.PodDisruptionBudget) int {
			return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
		})
		one.Budgets = slices.Compact(one.Budgets)
		if len(one.Nodes) > 0 {
			found = append(found, *one)
		}
	}
	return found
}

// byPool returns predictions without nodes, with how many wait in each pool.
func byPool(waiting map[string]string) map[string]*Prediction {
	predictions := map[string]*Prediction{}
	for _, pool := range waiting {
		if predictions[pool] == nil {
			predictions[pool] = &Prediction{Pool: pool}
		}
		predictions[pool].Waiting++
	}
	return predictions
}

// nodesBlockedBy returns the waiting nodes with a pod that a budget never lets go, those of the same pool together.
func nodesBlockedBy(budget *policyv1.PodDisruptionBudget, pods []*corev1.Pod, in AheadInput) []string {
	selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
	if err != nil || budget.Status.ObservedGeneration < budget.Generation {
		return nil
	}
	selected := slices.DeleteFunc(slices.Clone(pods), func(pod *corev1.Pod) bool { return !selector.Matches(labels.Set(pod.Labels)) })
	if !neverAllowsAny(budget, selected, in.Replicas) {
		return nil
	}
	var nodes []string
	for _, pod := range selected {
		if _, waits := in.Waiting[pod.Spec.NodeName]; waits && staysUnlessEvicted(pod) {
			nodes = append(nodes, pod.Spec.NodeName)
		}
	}
	slices.SortFunc(nodes, func(a, b string) int { return cmp.Or(cmp.Compare(in.Waiting[a], in.Waiting[b]), cmp.Compare(a, b)) })
	return nodes
}

// neverAllowsAny returns whether a budget allows no disruption of its pods even when all replicas exist and are healthy.
func neverAllowsAny(budget *policyv1.PodDisruptionBudget, pods []*corev1.Pod, replicas map[Workload]int32) bool {
	if hasNoLimit(budget) || expectsReplicas(budget) {
		return neverAllows(budget)
	}
	wanted := map[Workload]int32{}
	for _, pod := range pods {
		owner := workloadOf(pod)
		workload := Workload{pod.Namespace, owner.kind, owner.name}
		number, known := replicas[workload]
		if !known {
			return false
		}
		wanted[workload] = number
	}
	var sum int32
	for _, number := range wanted {
		sum += number
	}
	return sum > 0 && budget.Spec.MinAvailable.IntVal >= sum
}

// staysUnlessEvicted returns whether a pod is on its node until an eviction is allowed.
func staysUnlessEvicted(pod *corev1.Pod) bool {
	return WaitsFor(pod) && pod.DeletionTimestamp == nil && pod.Status.Phase == corev1.PodRunning && isReady(pod) && !isVirtualMachine(pod)
}
