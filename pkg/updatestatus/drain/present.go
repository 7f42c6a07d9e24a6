package drain

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
)

// This file looks ahead at drains with the pods as they are now, for an update that may start now.

// AllowNoneNow returns the namespaces with PodDisruptionBudgets that allow no disruption now, and those that MayNeverAllow returns.
func AllowNoneNow(budgets []*policyv1.PodDisruptionBudget) (namespaces map[string]bool) {
	namespaces = MayNeverAllow(budgets)
	for _, budget := range budgets {
		if _, isKnown := namespaces[budget.Namespace]; !isKnown && budget.Status.DisruptionsAllowed == 0 && budget.Status.ExpectedPods > 0 {
			namespaces[budget.Namespace] = false // replicas decide nothing
		}
	}
	return namespaces
}

// AtPresent returns which of the nodes that wait would not drain as the pods are now, by pool, besides those that never do: their pods can't be
// evicted by what Explain finds of a drain that takes long, but for what ends by itself.
func AtPresent(in AheadInput, never []Prediction, now time.Time) []Prediction {
	predictions, known := byPool(in.Waiting), map[string]bool{}
	for _, one := range never {
		for _, node := range one.Nodes {
			known[node] = true
		}
	}
	for _, pod := range in.Pods {
		pool, waits := in.Waiting[pod.Spec.NodeName]
		if !waits || known[pod.Spec.NodeName] || !WaitsFor(pod) {
			continue
		}
		one := blockingPod{pod: pod, budgets: budgetsOf(pod, in.Budgets)}
		if cause := causeOf(one, now); len(one.budgets) == 0 || !slices.Contains(presentCauses, cause) {
			continue
		}
		predictions[pool].Nodes = append(predictions[pool].Nodes, pod.Spec.NodeName)
		predictions[pool].Budgets = append(predictions[pool].Budgets, one.budgets...)
	}
	return blocked(predictions)
}

// presentCauses are those of drains that stay blocked while everything is as it is now.
var presentCauses = []cause{causeSeveralBudgets, causeNeverAllowed, causeAllNeeded, causeUnhealthy, causeNotAllowed}

// Singles returns the workloads of users with a single replica, which the drain of its node interrupts. Where the replicas are not known, the pods
// are counted. One whose pod is on no node that waits is none.
func Singles(in AheadInput) []Workload {
	count, stays := map[Workload]int32{}, map[Workload]bool{}
	for _, pod := range in.Pods {
		owner := workloadOf(pod)
		if (owner.kind != "Deployment" && owner.kind != "StatefulSet") || pod.Status.Phase != corev1.PodRunning {
			continue
		}
		workload := Workload{pod.Namespace, owner.kind, owner.name}
		count[workload]++
		_, isWaiting := in.Waiting[pod.Spec.NodeName]
		stays[workload] = !isWaiting
	}
	maps.Copy(count, in.Replicas)
	var singles []Workload
	for workload, replicas := range count {
		if replicas == 1 && !stays[workload] && !isOfPlatform(workload.Namespace) {
			singles = append(singles, workload)
		}
	}
	slices.SortFunc(singles, func(a, b Workload) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return singles
}

// isOfPlatform returns whether a namespace is one of the cluster itself, whose operators run a single replica on purpose.
func isOfPlatform(namespace string) bool {
	return strings.HasPrefix(namespace, "openshift-") || strings.HasPrefix(namespace, "kube-")
}
