package drainreader

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

const allBudgets = "/apis/policy/v1/poddisruptionbudgets"

// TestReadAhead checks what is read: pods only where a budget may never allow a disruption, and replicas only where they decide.
func TestReadAhead(t *testing.T) {
	b := newBench(t)
	two := int32(2)
	deployments := &appsv1.DeploymentList{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DeploymentList"},
		Items:    []appsv1.Deployment{{ObjectMeta: metav1.ObjectMeta{Name: "cart"}, Spec: appsv1.DeploymentSpec{Replicas: &two}}},
	}
	sets := &appsv1.StatefulSetList{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSetList"},
		Items:    []appsv1.StatefulSet{{ObjectMeta: metav1.ObjectMeta{Name: "db"}}},
	}
	b.answer(allBudgets, budgetList(
		builders.Budget("shop", "cart", nil, builders.MinAvailablePods(intstr.FromInt32(1)), builders.Disruptions(0, 1, 1, 1)),
		builders.Budget("bank", "pay", nil, builders.MaxUnavailablePods(intstr.FromInt32(0)), builders.Disruptions(0, 1, 1, 1)),
		builders.Budget("free", "any", nil, builders.MaxUnavailablePods(intstr.FromInt32(1)), builders.Disruptions(1, 1, 2, 2)),
	))
	static := builders.Pod("shop", "static", builders.PodAnnotation(corev1.MirrorPodAnnotationKey, "hash"))
	b.answer("/api/v1/namespaces/shop/pods", podList(builders.Pod("shop", "cart-0", builders.OnNode("a")), static))
	b.answer("/api/v1/namespaces/bank/pods", podList(builders.Pod("bank", "pay-0", builders.OnNode("a"))))
	b.answer("/apis/apps/v1/namespaces/shop/deployments", deployments)
	b.answer("/apis/apps/v1/namespaces/shop/statefulsets", sets)
	read, err := b.Ahead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var pods []string
	for _, pod := range read.Pods {
		pods = append(pods, pod.Namespace+"/"+pod.Name+" on "+pod.Spec.NodeName)
	}
	if diff := cmp.Diff([]string{"bank/pay-0 on a", "shop/cart-0 on a"}, pods); diff != "" {
		t.Errorf("pods (-want +got):\n%s", diff)
	}
	want := map[drain.Workload]int32{{Namespace: "shop", Kind: "Deployment", Name: "cart"}: 2, {Namespace: "shop", Kind: "StatefulSet", Name: "db"}: 1}
	if diff := cmp.Diff(want, read.Replicas); diff != "" || len(read.Budgets) != 3 {
		t.Errorf("%d budgets, replicas (-want +got):\n%s", len(read.Budgets), diff)
	}
	if got := len(b.requests()); got != 5 {
		t.Errorf("asked for %v", b.requests())
	}
	for _, query := range b.queries {
		if query != "resourceVersion=0" {
			t.Errorf("asked with %q: not what is in the API server's cache", query)
		}
	}
}

// TestReadAheadFails: each list that fails is named, since a part of the truth is none.
func TestReadAheadFails(t *testing.T) {
	for _, path := range []string{allBudgets, "/api/v1/namespaces/shop/pods", "/apis/apps/v1/namespaces/shop/deployments", "/apis/apps/v1/namespaces/shop/statefulsets"} {
		b := newBench(t)
		b.answer(allBudgets, budgetList(builders.Budget("shop", "cart", nil, builders.MinAvailablePods(intstr.FromInt32(1)), builders.Disruptions(0, 1, 1, 1))))
		b.answer("/api/v1/namespaces/shop/pods", podList())
		b.answer("/apis/apps/v1/namespaces/shop/deployments", &appsv1.DeploymentList{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DeploymentList"}})
		b.answer("/apis/apps/v1/namespaces/shop/statefulsets", &appsv1.StatefulSetList{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSetList"}})
		b.answer(path, http.StatusForbidden)
		resource := path[strings.LastIndex(path, "/")+1:]
		if _, err := b.Ahead(t.Context()); err == nil || !strings.Contains(strings.ToLower(err.Error()), resource) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestReadAheadBound: of 2,000 namespaces with a budget that never allows a disruption the pods of 256 are read, one list each.
func TestReadAheadBound(t *testing.T) {
	const namespaces = 2_000
	b := newBench(t)
	var budgets []*policyv1.PodDisruptionBudget
	for at := range namespaces {
		namespace := fmt.Sprintf("shop-%04d", at)
		budgets = append(budgets, builders.Budget(namespace, "cart", nil, builders.MaxUnavailablePods(intstr.FromInt32(0)), builders.Disruptions(0, 1, 1, 1)))
		b.answer("/api/v1/namespaces/"+namespace+"/pods", podList(builders.Pod(namespace, "cart-0", builders.OnNode("a"))))
	}
	b.answer(allBudgets, budgetList(budgets...))
	read, err := b.Ahead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Budgets) != namespaces || len(read.Pods) != maxAheadNamespaces || len(b.requests()) != 1+maxAheadNamespaces {
		t.Errorf("%d budgets, %d pods, %d requests", len(read.Budgets), len(read.Pods), len(b.requests()))
	}
}

func budgetList(budgets ...*policyv1.PodDisruptionBudget) *policyv1.PodDisruptionBudgetList {
	list := &policyv1.PodDisruptionBudgetList{TypeMeta: metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudgetList"}}
	for _, budget := range budgets {
		list.Items = append(list.Items, *budget)
	}
	return list
}

func podList(pods ...*corev1.Pod) *corev1.PodList {
	list := &corev1.PodList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"}}
	for _, pod := range pods {
		list.Items = append(list.Items, *pod)
	}
	return list
}
