package drain_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestPredictionsComeTrue plays the drain of each node that waits, in clusters with any PodDisruptionBudgets: those that do not end
// are those that were predicted. The played disruption controller, evictions and controllers of workloads follow the documentation of
// Kubernetes, and share no code with the rule.
func TestPredictionsComeTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		waiting := map[string]string{}
		for _, node := range c.nodes {
			waiting[node] = "worker"
		}
		c.observe()
		var predicted []string
		for _, one := range drain.Ahead(drain.AheadInput{Budgets: slices.Collect(maps.Values(c.budgets)), Pods: c.pods(), Replicas: c.replicas(), Waiting: waiting}) {
			predicted = append(predicted, one.Nodes...)
		}
		var stuck []string
		for _, node := range c.nodes {
			if !c.copy().drains(node) {
				stuck = append(stuck, node)
			}
		}
		if !slices.Equal(predicted, stuck) {
			t.Errorf("predicted %v, and %v do not drain: %s", predicted, stuck, c)
		}
	})
}

// cluster has workloads with at most one budget each.
type cluster struct {
	nodes     []string
	workloads []workload
	budgets   map[int]*policyv1.PodDisruptionBudget
}

// workload is a StatefulSet.
type workload struct {
	replicas int
	// on is the node of each pod that exists. All of them are ready.
	on []string
}

func drawCluster(t *rapid.T) *cluster {
	c := &cluster{nodes: []string{"a", "b", "c"}, budgets: map[int]*policyv1.PodDisruptionBudget{}}
	numbers := []intstr.IntOrString{
		intstr.FromInt32(0), intstr.FromInt32(1), intstr.FromInt32(2), intstr.FromInt32(3), intstr.FromString("0%"), intstr.FromString("34%"),
		intstr.FromString("50%"), intstr.FromString("100%"),
	}
	for at := range rapid.IntRange(1, 3).Draw(t, "workloads") {
		one := workload{replicas: rapid.IntRange(1, 3).Draw(t, "replicas")}
		for range rapid.IntRange(1, one.replicas).Draw(t, "pods") {
			one.on = append(one.on, rapid.SampledFrom(append(c.nodes, "elsewhere")).Draw(t, "node"))
		}
		c.workloads = append(c.workloads, one)
		number := rapid.SampledFrom(numbers).Draw(t, "number")
		kind := rapid.SampledFrom([]func(intstr.IntOrString) builders.BudgetOption{nil, builders.MaxUnavailablePods, builders.MinAvailablePods}).Draw(t, "kind")
		if kind != nil {
			c.budgets[at] = builders.Budget("shop", fmt.Sprint("budget-", at), map[string]string{"app": fmt.Sprint(at)}, kind(number))
		}
	}
	return c
}

func (c *cluster) String() string {
	text := ""
	for at, one := range c.workloads {
		text += fmt.Sprintf("\n%d of %d pods on %v", len(one.on), one.replicas, one.on)
		if budget := c.budgets[at]; budget != nil {
			text += fmt.Sprintf(", max unavailable %v, min available %v, status %+v", budget.Spec.MaxUnavailable, budget.Spec.MinAvailable, budget.Status)
		}
	}
	return text
}

func (c *cluster) copy() *cluster {
	same := &cluster{nodes: c.nodes, budgets: map[int]*policyv1.PodDisruptionBudget{}}
	for at, one := range c.workloads {
		same.workloads = append(same.workloads, workload{one.replicas, slices.Clone(one.on)})
		if budget := c.budgets[at]; budget != nil {
			same.budgets[at] = budget.DeepCopy()
		}
	}
	return same
}

func (c *cluster) pods() []*corev1.Pod {
	var pods []*corev1.Pod
	for at, one := range c.workloads {
		for number, node := range one.on {
			pods = append(pods, builders.Pod("shop", fmt.Sprintf("%d-%d", at, number), builders.OnNode(node), builders.PodLabel("app", fmt.Sprint(at)),
				builders.OwnedBy("apps/v1", "StatefulSet", fmt.Sprint("set-", at))))
		}
	}
	return pods
}

func (c *cluster) replicas() map[drain.Workload]int32 {
	replicas := map[drain.Workload]int32{}
	for at, one := range c.workloads {
		replicas[drain.Workload{Namespace: "shop", Kind: "StatefulSet", Name: fmt.Sprint("set-", at)}] = int32(one.replicas)
	}
	return replicas
}

// observe is what the disruption controller does: a number as minAvailable is compared with the pods that exist, all else with the
// replicas of the workload. Percentages are rounded up.
func (c *cluster) observe() {
	for at, budget := range c.budgets {
		exist, wanted := len(c.workloads[at].on), c.workloads[at].replicas
		expected := wanted
		var desired int
		switch least := budget.Spec.MinAvailable; {
		case least != nil && least.Type == intstr.Int:
			expected, desired = exist, least.IntValue()
		case least != nil:
			desired, _ = intstr.GetScaledValueFromIntOrPercent(least, wanted, true)
		default:
			most, _ := intstr.GetScaledValueFromIntOrPercent(budget.Spec.MaxUnavailable, wanted, true)
			desired = max(wanted-most, 0)
		}
		allowed := max(exist-desired, 0)
		if expected == 0 {
			allowed = 0
		}
		builders.Disruptions(int32(allowed), int32(desired), int32(exist), int32(expected))(budget)
	}
}

// drains plays a drain, and returns whether it ends: pods are evicted where that is allowed, and run elsewhere then.
func (c *cluster) drains(node string) bool {
	for range 20 {
		left := 0
		for at := range c.workloads {
			one := &c.workloads[at]
			for len(one.on) < one.replicas {
				one.on = append(one.on, "elsewhere")
			}
			c.observe()
			place := slices.Index(one.on, node)
			if place < 0 {
				continue
			}
			left++
			if budget := c.budgets[at]; budget == nil || budget.Status.DisruptionsAllowed > 0 {
				one.on = slices.Delete(one.on, place, place+1)
			}
		}
		if left == 0 {
			return true
		}
	}
	return false
}
