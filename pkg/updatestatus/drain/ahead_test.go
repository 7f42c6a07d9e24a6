package drain_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

func ofCart(options ...builders.PodOption) *corev1.Pod {
	return builders.Pod("shop", "cart-0", append([]builders.PodOption{builders.OnNode("w-1"), builders.PodLabel("app", "cart"), builders.OwnedBy("apps/v1", "StatefulSet", "cart")}, options...)...)
}

func cartBudget(options ...builders.BudgetOption) *policyv1.PodDisruptionBudget {
	return builders.Budget("shop", "cart", map[string]string{"app": "cart"}, options...)
}

// TestAhead checks each half of each rule: which pods a budget never lets go.
func TestAhead(t *testing.T) {
	cart := drain.Workload{Namespace: "shop", Kind: "StatefulSet", Name: "cart"}
	all := intstr.FromString("100%")
	one, none := intstr.FromInt32(1), intstr.FromInt32(0)
	needsOne := builders.Disruptions(0, 1, 1, 1)
	stale := cartBudget(builders.MaxUnavailablePods(none), needsOne)
	stale.Generation, stale.Status.ObservedGeneration = 2, 1
	wrongSelector := cartBudget(builders.MaxUnavailablePods(none), needsOne)
	wrongSelector.Spec.Selector.MatchLabels = map[string]string{"app": "not a label!"}
	for name, test := range map[string]struct {
		budget   *policyv1.PodDisruptionBudget
		pod      *corev1.Pod
		replicas map[drain.Workload]int32
		waiting  map[string]string
		blocks   bool
	}{
		"none may be unavailable":              {budget: cartBudget(builders.MaxUnavailablePods(none), needsOne), blocks: true},
		"one may be":                           {budget: cartBudget(builders.MaxUnavailablePods(one), builders.Disruptions(0, 1, 1, 2))},
		"all must be available":                {budget: cartBudget(builders.MinAvailablePods(all), builders.Disruptions(0, 3, 3, 3)), blocks: true},
		"neither is set":                       {budget: cartBudget(builders.Disruptions(0, 0, 1, 0)), blocks: true},
		"no pods are expected":                 {budget: cartBudget(builders.MaxUnavailablePods(none))},
		"as many as there are replicas":        {budget: cartBudget(builders.MinAvailablePods(one), needsOne), replicas: map[drain.Workload]int32{cart: 1}, blocks: true},
		"fewer than replicas, one is missing":  {budget: cartBudget(builders.MinAvailablePods(one), needsOne), replicas: map[drain.Workload]int32{cart: 2}},
		"the replicas are not known":           {budget: cartBudget(builders.MinAvailablePods(one), needsOne)},
		"no replicas are wanted":               {budget: cartBudget(builders.MinAvailablePods(one), needsOne), replicas: map[drain.Workload]int32{cart: 0}},
		"a Deployment":                         {budget: cartBudget(builders.MinAvailablePods(one), needsOne), pod: ofCart(builders.OwnedBy("apps/v1", "ReplicaSet", "cart-5d9"), builders.PodLabel("pod-template-hash", "5d9")), replicas: map[drain.Workload]int32{{Namespace: "shop", Kind: "Deployment", Name: "cart"}: 1}, blocks: true},
		"a budget that was changed just now":   {budget: stale},
		"a selector that is not valid":         {budget: wrongSelector},
		"other pods":                           {budget: builders.Budget("shop", "pay", map[string]string{"app": "pay"}, builders.MaxUnavailablePods(none), needsOne)},
		"another namespace":                    {budget: builders.Budget("test", "cart", map[string]string{"app": "cart"}, builders.MaxUnavailablePods(none), needsOne)},
		"a node that does not wait":            {budget: cartBudget(builders.MaxUnavailablePods(none), needsOne), waiting: map[string]string{"w-2": "worker"}},
		"a pod that is not ready":              {budget: cartBudget(builders.MaxUnavailablePods(none), needsOne), pod: ofCart(builders.PodReady(corev1.ConditionFalse))},
		"a pod that has not started":           {budget: cartBudget(builders.MaxUnavailablePods(none), needsOne), pod: ofCart(builders.PodPhase(corev1.PodPending))},
		"a pod that is being deleted":          {budget: cartBudget(builders.MaxUnavailablePods(none), needsOne), pod: ofCart(builders.Deleted(time.Unix(1, 0), time.Minute))},
		"a pod of another kind of DaemonSet":   {budget: cartBudget(builders.MaxUnavailablePods(none), needsOne), pod: ofCart(builders.OwnedBy("apps.kruise.io/v1alpha1", "DaemonSet", "cart")), blocks: true},
		"a pod of a DaemonSet":                 {budget: cartBudget(builders.MaxUnavailablePods(none), needsOne), pod: ofCart(builders.OwnedBy("apps/v1", "DaemonSet", "cart"))},
		"a virtual machine, which can migrate": {budget: cartBudget(builders.MaxUnavailablePods(none), needsOne), pod: ofCart(builders.PodLabel("kubevirt.io", "virt-launcher"))},
	} {
		t.Run(name, func(t *testing.T) {
			if test.pod == nil {
				test.pod = ofCart()
			}
			if test.waiting == nil {
				test.waiting = map[string]string{"w-1": "worker"}
			}
			found := drain.Ahead(drain.AheadInput{
				Budgets: []*policyv1.PodDisruptionBudget{test.budget}, Pods: []*corev1.Pod{test.pod}, Replicas: test.replicas, Waiting: test.waiting,
			})
			if blocks := len(found) > 0; blocks != test.blocks {
				t.Errorf("got %v", found)
			}
		})
	}
}

// TestAheadCounts checks the numbers, and which budgets and nodes are named.
func TestAheadCounts(t *testing.T) {
	none := intstr.FromInt32(0)
	of := func(namespace, app, node string, at int) *corev1.Pod {
		return builders.Pod(namespace, fmt.Sprintf("%s-%d", app, at), builders.OnNode(node), builders.PodLabel("app", app))
	}
	budget := func(namespace, app string) *policyv1.PodDisruptionBudget {
		return builders.Budget(namespace, app, map[string]string{"app": app}, builders.MaxUnavailablePods(none), builders.Disruptions(0, 3, 3, 3))
	}
	found := drain.Ahead(drain.AheadInput{
		Budgets: []*policyv1.PodDisruptionBudget{budget("shop", "pay"), budget("shop", "cart"), budget("a", "db")},
		Pods: []*corev1.Pod{
			of("shop", "cart", "w-3", 0), of("shop", "cart", "w-1", 1), of("shop", "cart", "i-1", 2), of("shop", "pay", "w-1", 0), of("a", "db", "w-9", 0),
		},
		Waiting: map[string]string{"w-1": "worker", "w-2": "worker", "w-3": "worker", "i-1": "infra", "m-1": "master"},
	})
	var lines []string
	for _, one := range found {
		var budgets []string
		for _, budget := range one.Budgets {
			budgets = append(budgets, budget.Namespace+"/"+budget.Name)
		}
		lines = append(lines, fmt.Sprintf("%s: %d of %d, %s: %s", one.Pool, len(one.Nodes), one.Waiting, strings.Join(one.Nodes, " "), strings.Join(budgets, " ")))
	}
	want := []string{"infra: 1 of 1, i-1: shop/cart", "worker: 2 of 3, w-1 w-3: shop/cart shop/pay"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAheadLarge: with 5,000 nodes and 2,000 budgets in 200 namespaces, each node has a pod, and each tenth budget never lets its pods go.
func TestAheadLarge(t *testing.T) {
	const nodes, namespaces, apps = 5_000, 200, 10
	in := drain.AheadInput{Waiting: map[string]string{}}
	for at := range namespaces * apps {
		app := at / namespaces
		unavailable := int32(min(app, 1))
		one := builders.Budget(fmt.Sprint("shop-", at%namespaces), fmt.Sprint("budget-", app), map[string]string{"app": fmt.Sprint(app)},
			builders.MaxUnavailablePods(intstr.FromInt32(unavailable)), builders.Disruptions(unavailable, 3-unavailable, 3, 3))
		in.Budgets = append(in.Budgets, one)
	}
	for at := range nodes {
		node := fmt.Sprintf("w-%04d", at)
		in.Waiting[node] = "worker"
		in.Pods = append(in.Pods, builders.Pod(fmt.Sprint("shop-", at%namespaces), "pod-"+node, builders.OnNode(node), builders.PodLabel("app", fmt.Sprint(at/namespaces%apps))))
	}
	found := drain.Ahead(in)
	// 5,000 pods are 25 in each namespace: three of the first five apps, two of the others.
	if len(found) != 1 || found[0].Waiting != nodes || len(found[0].Nodes) != 3*namespaces || len(found[0].Budgets) != namespaces {
		t.Fatalf("%d predictions, the first of %d waiting: %d nodes, %d budgets", len(found), found[0].Waiting, len(found[0].Nodes), len(found[0].Budgets))
	}
	if got := len(drain.MayNeverAllow(in.Budgets)); got != namespaces {
		t.Errorf("%d namespaces are to be read", got)
	}
}

// TestMayNeverAllow: pods are read only where it matters.
func TestMayNeverAllow(t *testing.T) {
	allows := cartBudget(builders.MaxUnavailablePods(intstr.FromInt32(1)), builders.Disruptions(1, 1, 2, 2))
	momentary := builders.Budget("b", "b", nil, builders.MaxUnavailablePods(intstr.FromInt32(1)), builders.Disruptions(0, 2, 1, 3))
	changed := builders.Budget("c", "c", nil, builders.Disruptions(0, 1, 1, 1))
	changed.Generation, changed.Status.ObservedGeneration = 2, 1
	looked := builders.Budget("d", "d", nil, builders.Disruptions(0, 0, 1, 0))
	looked.Generation, looked.Status.ObservedGeneration = 2, 2
	number, percent := builders.MinAvailablePods(intstr.FromInt32(2)), builders.MinAvailablePods(intstr.FromString("100%"))
	got := drain.MayNeverAllow([]*policyv1.PodDisruptionBudget{
		looked, allows, momentary, changed,
		builders.Budget("a", "a", nil, number, builders.Disruptions(0, 2, 2, 2)), builders.Budget("a", "b", nil, percent, builders.Disruptions(0, 2, 2, 2)),
		builders.Budget("e", "e", nil, percent, builders.Disruptions(0, 2, 2, 2)),
	})
	if diff := cmp.Diff(map[string]bool{"a": true, "d": false, "e": false}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
