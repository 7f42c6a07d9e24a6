package drain_test

import (
	"reflect"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// web returns a budget over the pods of an app, of which two must be healthy, with its status.
func web(allowed, healthy int32) *policyv1.PodDisruptionBudget {
	return builders.Budget("shop", "web", map[string]string{"app": "web"}, builders.MinAvailablePods(intstr.FromInt32(2)), builders.Disruptions(allowed, 2, healthy, 3))
}

func webPod(node string, options ...builders.PodOption) *corev1.Pod {
	return builders.Pod("shop", "web-"+node, append([]builders.PodOption{builders.OnNode(node), builders.PodLabel("app", "web"), builders.PodReady(corev1.ConditionTrue)}, options...)...)
}

// TestAllowNoneNow returns the namespaces with a budget that allows no disruption now.
func TestAllowNoneNow(t *testing.T) {
	for _, test := range []struct {
		budget *policyv1.PodDisruptionBudget
		want   map[string]bool
	}{
		{web(0, 2), map[string]bool{"shop": false}},
		{web(1, 3), map[string]bool{}},
		{builders.Budget("shop", "empty", nil, builders.MinAvailablePods(intstr.FromInt32(2)), builders.Disruptions(0, 0, 0, 0)), map[string]bool{}},
	} {
		if got := drain.AllowNoneNow([]*policyv1.PodDisruptionBudget{test.budget}); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.budget.Name, got, test.want)
		}
	}
}

// TestAtPresent finds the nodes that would not drain as their pods are.
func TestAtPresent(t *testing.T) {
	second := builders.Budget("shop", "all", map[string]string{"app": "web"}, builders.MinAvailablePods(intstr.FromInt32(1)), builders.Disruptions(2, 1, 3, 3))
	for name, test := range map[string]struct {
		budgets []*policyv1.PodDisruptionBudget
		pods    []*corev1.Pod
		never   []string
		want    []string
	}{
		"no disruption is allowed":  {budgets: []*policyv1.PodDisruptionBudget{web(0, 2)}, pods: []*corev1.Pod{webPod("a"), webPod("b")}, want: []string{"a", "b"}},
		"one is":                    {budgets: []*policyv1.PodDisruptionBudget{web(1, 3)}, pods: []*corev1.Pod{webPod("a"), webPod("b")}},
		"two budgets":               {budgets: []*policyv1.PodDisruptionBudget{web(1, 3), second}, pods: []*corev1.Pod{webPod("a")}, want: []string{"a"}},
		"a node that does not wait": {budgets: []*policyv1.PodDisruptionBudget{web(0, 2)}, pods: []*corev1.Pod{webPod("c")}},
		"a node that never drains":  {budgets: []*policyv1.PodDisruptionBudget{web(0, 2)}, pods: []*corev1.Pod{webPod("a"), webPod("b")}, never: []string{"a"}, want: []string{"b"}},
		"no budget":                 {pods: []*corev1.Pod{webPod("a")}},
		"a pod that is not ready, which others need": {budgets: []*policyv1.PodDisruptionBudget{web(0, 1)}, pods: []*corev1.Pod{webPod("a", builders.PodReady(corev1.ConditionFalse))}, want: []string{"a"}},
	} {
		in := drain.AheadInput{Budgets: test.budgets, Pods: test.pods, Waiting: map[string]string{"a": "worker", "b": "worker"}}
		var got []string
		for _, one := range drain.AtPresent(in, []drain.Prediction{{Pool: "worker", Nodes: test.never}}, time.Now()) {
			if one.Pool != "worker" || one.Waiting != 2 || len(one.Budgets) == 0 {
				t.Errorf("%s: got %+v", name, one)
			}
			got = append(got, one.Nodes...)
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

// TestSingles finds the workloads of users with one replica, by their pods where the replicas are not known.
func TestSingles(t *testing.T) {
	workload := func(namespace, name string) drain.Workload {
		return drain.Workload{Namespace: namespace, Kind: "Deployment", Name: name}
	}
	replicas := map[drain.Workload]int32{workload("shop", "db"): 1, workload("shop", "web"): 2, workload("openshift-dns", "dns"): 1, workload("kube-system", "a"): 1}
	got := drain.Singles(drain.AheadInput{Replicas: replicas})
	if want := []drain.Workload{workload("shop", "db")}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
