package livemigration

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateac "github.com/openshift/cluster-version-operator/pkg/generated/applyconfigurations/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/examples/updateinformer"
)

// Machine is what is read of a VirtualMachineInstance. Its fields are those in kubevirt/api, core/v1/types.go.
type Machine struct {
	metav1.ObjectMeta `json:"metadata"`

	Status struct {
		NodeName           string             `json:"nodeName"`
		EvacuationNodeName string             `json:"evacuationNodeName"`
		Conditions         []MachineCondition `json:"conditions"`
	} `json:"status"`
}

// MachineCondition is what is read of a condition of a VirtualMachineInstance.
type MachineCondition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Message string `json:"message"`
}

// Migration is what is read of a VirtualMachineInstanceMigration. Its fields are those in kubevirt/api, core/v1/types.go.
type Migration struct {
	metav1.ObjectMeta `json:"metadata"`

	Spec struct {
		VMIName string `json:"vmiName"`
	} `json:"spec"`
	Status struct {
		Phase          string `json:"phase"`
		MigrationState struct {
			SourceNode string `json:"sourceNode"`
		} `json:"migrationState"`
	} `json:"status"`
}

// State is what the insights are made of.
type State struct {
	Machines   []Machine
	Migrations []Migration
	// Budgets are the PodDisruptionBudgets of virtual machines.
	Budgets []policyv1.PodDisruptionBudget
	Nodes   []corev1.Node
}

const (
	// migratable is the condition that is False if a machine can't migrate.
	migratable = "LiveMigratable"
	// The phases of a migration that waits, and of one that has ended.
	unset     = ""
	pending   = "Pending"
	succeeded = "Succeeded"
	failed    = "Failed"
	// maxNamed is the number of budgets that an insight names, besides the node.
	maxNamed = updatev1alpha1.InformerMaxResources - 1
	// maxNodeName is how much of a node's name is in the name of an insight, which has at most 63 characters.
	maxNodeName = 38
)

// Insights returns the insights about the machines of all nodes that are being drained, the worst first.
func Insights(in State) []*updateinformer.Insight {
	cordoned := map[string]bool{}
	for _, node := range in.Nodes {
		cordoned[node.Name] = node.Spec.Unschedulable
	}
	stuck, leaving := map[string][]machine{}, map[string][]machine{}
	for _, one := range in.Machines {
		node, found := one.Status.NodeName, in.look(one)
		switch {
		case cordoned[node] && !found.canMigrate && len(found.budgets) > 0:
			stuck[node] = append(stuck[node], found)
		case node != "" && one.Status.EvacuationNodeName == node:
			leaving[node] = append(leaving[node], found)
		}
	}
	var insights []*updateinformer.Insight
	for _, node := range slices.Sorted(maps.Keys(stuck)) {
		insights = append(insights, stuckInsight(node, stuck[node]))
	}
	for _, node := range slices.Sorted(maps.Keys(leaving)) {
		insights = append(insights, leavingInsight(node, leaving[node]))
	}
	return insights
}

// machine is a machine with what else is known about it.
type machine struct {
	name       string
	canMigrate bool
	// reason is why it can't migrate.
	reason string
	// isMigrating is whether a migration runs, and failures how many failed to leave its node.
	isMigrating bool
	failures    int
	budgets     []policyv1.PodDisruptionBudget
}

func (in State) look(one Machine) machine {
	found := machine{name: one.Namespace + "/" + one.Name, canMigrate: true}
	for _, condition := range one.Status.Conditions {
		if condition.Type == migratable && condition.Status == string(corev1.ConditionFalse) {
			found.canMigrate, found.reason = false, condition.Message
		}
	}
	for _, migration := range in.Migrations {
		if migration.Namespace != one.Namespace || migration.Spec.VMIName != one.Name {
			continue
		}
		switch migration.Status.Phase {
		case unset, pending, succeeded:
		case failed:
			if migration.Status.MigrationState.SourceNode == one.Status.NodeName {
				found.failures++
			}
		default:
			found.isMigrating = true
		}
	}
	for _, budget := range in.Budgets {
		if owner := metav1.GetControllerOf(&budget); owner != nil && budget.Namespace == one.Namespace && owner.Name == one.Name {
			found.budgets = append(found.budgets, budget)
		}
	}
	return found
}

func stuckInsight(node string, machines []machine) *updateinformer.Insight {
	var names, reasons []string
	for _, one := range machines {
		names = append(names, one.name)
		reasons = append(reasons, one.name+" ("+cmp.Or(one.reason, "reason unknown")+")")
	}
	summary := fmt.Sprintf("%s on node %s can't migrate, which blocks its drain: %s", count(len(machines)), node, strings.Join(names, ", "))
	return withResources(node, machines, updateac.InformerInsight().WithName("not-migratable-"+idOf(node)).WithReason("VirtualMachineNotMigratable").
		WithLevel(updatev1alpha1.InformerWarning).WithImpact(updatev1alpha1.InformerImpactUpdateStalled).
		WithSummary(updateinformer.Summary(summary)).
		WithDescription(updateinformer.Description("Shut them down, or make them migratable: "+strings.Join(reasons, ", "))))
}

func leavingInsight(node string, machines []machine) *updateinformer.Insight {
	level, running, failing := updatev1alpha1.InformerInfo, 0, 0
	var texts []string
	for _, one := range machines {
		text := one.name
		if one.isMigrating {
			running++
			text += " is migrating"
		} else {
			text += " waits"
		}
		if one.failures > 0 {
			failing++
			level = updatev1alpha1.InformerWarning
			text += fmt.Sprintf(", failed %d times", one.failures)
		}
		texts = append(texts, text)
	}
	summary := fmt.Sprintf("%s to migrate off node %s, %d migrating now", count(len(machines)), node, running)
	if failing > 0 {
		summary += fmt.Sprintf(", %d failed before", failing)
	}
	return withResources(node, machines, updateac.InformerInsight().WithName("migrating-"+idOf(node)).WithReason("VirtualMachinesMigrating").
		WithLevel(level).WithImpact(updatev1alpha1.InformerImpactUpdateSpeed).
		WithSummary(updateinformer.Summary(summary)).WithDescription(updateinformer.Description(strings.Join(texts, "; "))))
}

// withResources names the node, and as many budgets of the machines as an insight can name.
func withResources(node string, machines []machine, insight *updateinformer.Insight) *updateinformer.Insight {
	var budgets []policyv1.PodDisruptionBudget
	for _, one := range machines {
		budgets = append(budgets, one.budgets...)
	}
	insight.WithResources(updateac.ResourceRef().WithResource("nodes").WithName(node))
	for _, budget := range budgets[:min(len(budgets), maxNamed)] {
		insight.WithResources(updateac.ResourceRef().WithGroup(policyv1.GroupName).WithResource("poddisruptionbudgets").
			WithNamespace(budget.Namespace).WithName(budget.Name))
	}
	return insight
}

func count(number int) string {
	if number == 1 {
		return "1 virtual machine"
	}
	return fmt.Sprintf("%d virtual machines", number)
}

// idOf returns the part of an insight's name that stands for a node: without dots, short, and with a hash that differs for each node.
func idOf(node string) string {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(node))
	readable := strings.ReplaceAll(node, ".", "-")
	return fmt.Sprintf("%s-%08x", readable[:min(len(readable), maxNodeName)], hash.Sum32())
}
