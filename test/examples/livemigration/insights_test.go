package livemigration_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	updateac "github.com/openshift/cluster-version-operator/pkg/generated/applyconfigurations/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/examples/livemigration"
	"github.com/openshift/cluster-version-operator/test/examples/updateinformer"
)

const (
	worker = "worker-3.example.com"
	id     = "worker-3-example-com-5f2a8d04"
)

type change = func(*livemigration.State)

// cordon is a drain of the node.
func cordon(state *livemigration.State) {
	state.Nodes = append(state.Nodes, corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: worker}, Spec: corev1.NodeSpec{Unschedulable: true}})
}

// vm is a machine on the node that is evicted from a node, or from none, with its PodDisruptionBudget.
func vm(name, evacuated string, conditions ...livemigration.MachineCondition) change {
	return func(state *livemigration.State) {
		one := livemigration.Machine{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
		one.Status.NodeName, one.Status.EvacuationNodeName, one.Status.Conditions = worker, evacuated, conditions
		state.Machines = append(state.Machines, one)
		state.Budgets = append(state.Budgets, policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "kubevirt-disruption-budget-" + name,
			OwnerReferences: []metav1.OwnerReference{{Kind: "VirtualMachineInstance", Name: name, Controller: ptr.To(true)}},
		}})
	}
}

// unprotected takes the PodDisruptionBudgets away.
func unprotected(state *livemigration.State) {
	state.Budgets = nil
}

// migration is a migration of a machine off a node.
func migration(namespace, name, phase, source string) change {
	return func(state *livemigration.State) {
		one := livemigration.Migration{ObjectMeta: metav1.ObjectMeta{Namespace: namespace}}
		one.Spec.VMIName, one.Status.Phase, one.Status.MigrationState.SourceNode = name, phase, source
		state.Migrations = append(state.Migrations, one)
	}
}

// resources names the node and the PodDisruptionBudgets of machines.
func resources(insight *updateinformer.Insight, machines ...string) *updateinformer.Insight {
	insight.WithResources(updateac.ResourceRef().WithResource("nodes").WithName(worker))
	for _, name := range machines {
		insight.WithResources(updateac.ResourceRef().WithGroup("policy").WithResource("poddisruptionbudgets").
			WithNamespace("shop").WithName("kubevirt-disruption-budget-" + name))
	}
	return insight
}

func leaving(summary, description string) *updateinformer.Insight {
	return updateac.InformerInsight().WithName("migrating-" + id).WithReason("VirtualMachinesMigrating").WithLevel("Info").WithImpact("UpdateSpeed").
		WithSummary(summary).WithDescription(description)
}

func stuck(summary, description string) *updateinformer.Insight {
	return updateac.InformerInsight().WithName("not-migratable-" + id).WithReason("VirtualMachineNotMigratable").WithLevel("Warning").
		WithImpact("UpdateStalled").WithSummary(summary).WithDescription(description)
}

func TestInsights(t *testing.T) {
	cannot := livemigration.MachineCondition{Type: "LiveMigratable", Status: "False", Message: "it uses a host disk"}
	can := livemigration.MachineCondition{Type: "LiveMigratable", Status: "True"}
	for name, test := range map[string]struct {
		with []change
		want []*updateinformer.Insight
	}{
		"no machine":              {with: []change{cordon}},
		"not evicted yet":         {with: []change{cordon, vm("db", "")}},
		"has left another node":   {with: []change{vm("db", "worker-2.example.com")}},
		"can't migrate, no drain": {with: []change{vm("db", "", cannot)}},
		"the budget of another machine": {
			with: []change{cordon, vm("db", "", cannot), func(state *livemigration.State) { state.Budgets[0].Namespace = "bank" }},
		},
		"can't migrate, may be shut down": {with: []change{cordon, vm("db", "", cannot), unprotected}},
		"waits": {
			with: []change{cordon, vm("db", worker, can), migration("shop", "db", "Pending", ""), migration("shop", "db", "Succeeded", "worker-2.example.com")},
			want: []*updateinformer.Insight{
				resources(leaving("1 virtual machine to migrate off node "+worker+", 0 migrating now", "shop/db waits"), "db"),
			},
		},
		"one migrates, others wait": {
			with: []change{
				vm("a", worker), vm("b", worker), vm("c", worker), vm("d", worker), migration("shop", "b", "Running", worker), migration("bank", "c", "Running", worker),
			},
			want: []*updateinformer.Insight{resources(leaving(
				"4 virtual machines to migrate off node "+worker+", 1 migrating now", "shop/a waits; shop/b is migrating; shop/c waits; shop/d waits",
			), "a", "b", "c")},
		},
		"failed before": {
			with: []change{
				vm("db", worker), migration("shop", "db", "Failed", worker), migration("shop", "db", "Failed", worker), migration("shop", "db", "Scheduling", ""),
			},
			want: []*updateinformer.Insight{resources(leaving(
				"1 virtual machine to migrate off node "+worker+", 1 migrating now, 1 failed before", "shop/db is migrating, failed 2 times",
			).WithLevel("Warning"), "db")},
		},
		"failed on another node": {
			with: []change{vm("db", worker), migration("shop", "db", "Failed", "worker-2.example.com")},
			want: []*updateinformer.Insight{
				resources(leaving("1 virtual machine to migrate off node "+worker+", 0 migrating now", "shop/db waits"), "db"),
			},
		},
		"what can't migrate comes first": {
			with: []change{cordon, vm("db", worker), vm("legacy", "", cannot)},
			want: []*updateinformer.Insight{
				resources(stuck(
					"1 virtual machine on node "+worker+" can't migrate, which blocks its drain: shop/legacy",
					"Shut them down, or make them migratable: shop/legacy (it uses a host disk)",
				), "legacy"),
				resources(leaving("1 virtual machine to migrate off node "+worker+", 0 migrating now", "shop/db waits"), "db"),
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var state livemigration.State
			for _, change := range test.with {
				change(&state)
			}
			if diff := cmp.Diff(test.want, livemigration.Insights(state)); diff != "" {
				t.Errorf("insights (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNames checks that insights about nodes with long names have names that the API accepts, and different ones.
func TestNames(t *testing.T) {
	long := strings.Repeat("x", 240) + "."
	var state livemigration.State
	for _, node := range []string{long + "a", long + "b"} {
		vm("db", node)(&state)
		state.Machines[len(state.Machines)-1].Status.NodeName = node
	}
	insights := livemigration.Insights(state)
	if len(insights) != 2 || *insights[0].Name == *insights[1].Name || len(*insights[0].Name) > 63-len("not-migratable")+len("migrating") {
		t.Errorf("insights: %v", insights)
	}
}
