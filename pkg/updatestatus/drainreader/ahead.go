package drainreader

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
)

const (
	// aheadTimeout bounds all requests of a look ahead together.
	aheadTimeout = time.Minute
	// maxAheadNamespaces bounds the namespaces whose pods are read. A cluster has few PodDisruptionBudgets that never allow a
	// disruption.
	maxAheadNamespaces = 256
)

// Ahead reads what blocks drains that have not begun: the PodDisruptionBudgets of the cluster, and of the namespaces in which some
// may never allow a disruption the pods and, where these decide, the replicas of workloads. It is as of the API server's cache.
func (r *Reader) Ahead(ctx context.Context) (drain.AheadInput, error) {
	return r.ahead(ctx, drain.MayNeverAllow)
}

// Present reads the same, and what blocks drains as the pods are now.
func (r *Reader) Present(ctx context.Context) (drain.AheadInput, error) {
	return r.ahead(ctx, drain.AllowNoneNow)
}

// ahead reads the namespaces that a function selects, with the replicas of workloads where it says so.
func (r *Reader) ahead(ctx context.Context, selected func([]*policyv1.PodDisruptionBudget) map[string]bool) (drain.AheadInput, error) {
	ctx, cancel := context.WithTimeout(ctx, aheadTimeout)
	defer cancel()
	read := drain.AheadInput{Replicas: map[drain.Workload]int32{}}
	budgets, err := r.listBudgets(ctx, metav1.NamespaceAll)
	if err != nil {
		return read, err
	}
	namespaces := selected(budgets)
	names := slices.Sorted(maps.Keys(namespaces))
	for _, namespace := range names[:min(len(names), maxAheadNamespaces)] {
		pods, err := r.podsIn(ctx, namespace)
		if err != nil {
			return read, err
		}
		read.Pods = append(read.Pods, pods...)
		if !namespaces[namespace] {
			continue
		}
		if err := r.addReplicas(ctx, namespace, read.Replicas); err != nil {
			return read, err
		}
	}
	read.Budgets = budgets
	return read, nil
}

func (r *Reader) podsIn(ctx context.Context, namespace string) ([]*corev1.Pod, error) {
	var list corev1.PodList
	options := metav1.ListOptions{ResourceVersion: "0"}
	if err := fetch(ctx, r.kube.CoreV1().RESTClient(), request{"pods", namespace, options}, &list); err != nil {
		return nil, fmt.Errorf("listing the Pods of Namespace/%s: %w", namespace, err)
	}
	return waitedFor(&list), nil
}

// addReplicas adds the desired replicas of the Deployments and StatefulSets of a namespace.
func (r *Reader) addReplicas(ctx context.Context, namespace string, replicas map[drain.Workload]int32) error {
	options := metav1.ListOptions{ResourceVersion: "0"}
	var deployments appsv1.DeploymentList
	if err := fetch(ctx, r.kube.AppsV1().RESTClient(), request{"deployments", namespace, options}, &deployments); err != nil {
		return fmt.Errorf("listing the Deployments of Namespace/%s: %w", namespace, err)
	}
	for at := range deployments.Items {
		one := &deployments.Items[at]
		replicas[drain.Workload{Namespace: namespace, Kind: "Deployment", Name: one.Name}] = desired(one.Spec.Replicas)
	}
	var sets appsv1.StatefulSetList
	if err := fetch(ctx, r.kube.AppsV1().RESTClient(), request{"statefulsets", namespace, options}, &sets); err != nil {
		return fmt.Errorf("listing the StatefulSets of Namespace/%s: %w", namespace, err)
	}
	for at := range sets.Items {
		one := &sets.Items[at]
		replicas[drain.Workload{Namespace: namespace, Kind: "StatefulSet", Name: one.Name}] = desired(one.Spec.Replicas)
	}
	return nil
}

// desired returns the replicas of a workload, of which the API server sets one by default.
func desired(replicas *int32) int32 {
	if replicas == nil {
		return 1
	}
	return *replicas
}
