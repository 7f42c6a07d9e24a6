package drain

import "github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"

// The cases of a drain that the Cluster API names one pod of.
const (
	caseNamedTerminating = "NamedPodTerminating"
	caseNamedProtected   = "NamedPodProtected"
	caseNamedBudget      = "NamedBudgetProtects"
)

// Texts are those of insights about a drain that takes long.
var Texts = assess.Texts{
	"NodeUnreachable":  doesNotDrain("the node is unreachable", "the node is unreachable"),
	"SeveralBudgets":   doesNotDrain("several PodDisruptionBudgets select the same pod", "several PodDisruptionBudgets select the same pod"),
	"BudgetAllowsNone": doesNotDrain("a PodDisruptionBudget never allows a disruption", "{budget} never allows a disruption"),
	"BudgetNeedsAll":   doesNotDrain("a PodDisruptionBudget requires all existing pods", "{budget} requires all existing pods"),
	"PodsNotReady":     doesNotDrain("a PodDisruptionBudget protects pods that are not ready", "{budget} protects pods that are not ready"),
	"VirtualMachine":   doesNotDrain("a virtual machine does not migrate", "a virtual machine does not migrate"),
	"PodTerminating":   doesNotDrain("a deleted pod is stuck terminating", "{deleted} is stuck terminating"),
	"BudgetUsedUp":     doesNotDrain("a PodDisruptionBudget currently allows no disruption", "{budget} currently allows no disruption"),
	"CauseUnknown":     takesLong(", cause unknown"),
	"PodsUnread":       takesLong(""),

	caseNamedTerminating: takesLong(": pod {named} is terminating"),
	caseNamedProtected:   doesNotDrain("a PodDisruptionBudget protects pod {named}", "a PodDisruptionBudget protects {pod}"),
	caseNamedBudget:      doesNotDrain("PodDisruptionBudget {by} protects pod {named}", "{budget} protects {pod}"),
}

func doesNotDrain(why, blocker string) assess.Text {
	return assess.Text{One: "does not drain: " + why, Many: "do not drain: " + why, Blocker: blocker, Description: "{details}"}
}

func takesLong(why string) assess.Text {
	return assess.Text{One: "is taking long to drain" + why, Many: "are taking long to drain" + why, Description: "{details}"}
}
