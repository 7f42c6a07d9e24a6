package causes

import (
	"fmt"
	"slices"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// groupKey is what the members of a group have in common.
type groupKey struct {
	check, which, level, reason, message, others string
}

// keyOf: drains that the same PodDisruptionBudgets block have one cause, though other pods are on each node. Without such, what is reported
// must be the same but for the name of the object.
func keyOf(p *problem) groupKey {
	if _, isKnown := p.check.Texts[p.Health.Case]; !isKnown {
		return groupKey{check: p.UID} // of another version: nothing is known about its texts
	}
	reported := p.reported()
	key := groupKey{check: p.check.Name, which: p.Health.Case, level: string(p.Health.Impact.Level), reason: reported.Reason}
	if isDrain := p.check.Subject == assess.NodeNoun && len(p.objects) > 1; isDrain {
		key.others = fmt.Sprint(p.objects[1:])
		return key
	}
	key.message = withoutName(reported.Message, p.object.Name)
	if resources := p.Health.Scope.Resources; len(resources) > 1 {
		key.others = fmt.Sprint(resources[1:])
	}
	return key
}

// anyName stands for the name of a node, or of another object, in what is reported about several.
const anyName = "<node>"

// withoutName replaces the name of an object, where it is a word of its own.
func withoutName(text, name string) string {
	if name == "" {
		return text
	}
	var result strings.Builder
	for {
		before, after, found := strings.Cut(text, name)
		result.WriteString(before)
		if !found {
			return result.String()
		}
		if isInName(before, after) {
			result.WriteString(name)
		} else {
			result.WriteString(anyName)
		}
		text = after
	}
}

// isInName returns whether what is between two texts is a part of a longer name.
func isInName(before, after string) bool {
	const nameCharacters = "-abcdefghijklmnopqrstuvwxyz0123456789"
	after = strings.TrimLeft(after, ".")
	return before != "" && strings.ContainsAny(before[len(before)-1:], nameCharacters+".") ||
		after != "" && strings.ContainsAny(after[:1], nameCharacters)
}

// namedInGroup is how many names of objects the summary of a group has.
const namedInGroup = 2

// Summary returns the group in one line: that of its member, or "7 nodes are degraded: worker-1, worker-2 and 5 more: …".
func (g Group) Summary() string {
	first := newProblem(g.Members[0])
	summary := first.Health.Impact.Summary
	if len(g.Members) == 1 {
		return summary
	}
	names := g.names()
	several := first.check.Several(first.Health, len(names), listNames(names), withoutName(first.reported().Message, first.object.Name))
	switch {
	case len(names) == 1:
		summary = fmt.Sprintf("%s (%d times)", summary, len(g.Members))
	case several == "":
		summary = fmt.Sprintf("%s, and %d more: %s", summary, len(names)-1, listNames(names[1:]))
	default:
		summary = several
	}
	return insight.Shorten(insight.OneLine(summary), updatev1alpha1.SummaryMaxLength)
}

// names returns the names of the objects, each once.
func (g Group) names() []string {
	var names []string
	for _, member := range g.Members {
		names = append(names, newProblem(member).object.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// listNames writes names: "a, b and 5 more".
func listNames(names []string) string {
	if more := len(names) - namedInGroup; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:namedInGroup], ", "), more)
	}
	return strings.Join(names, " and ")
}

// Resources returns the resources that the members are about, and then those that the first names besides.
func (g Group) Resources() []updatev1alpha1.HealthResource {
	var resources, others []updatev1alpha1.HealthResource
	for _, member := range g.Members {
		if named := member.Health.Scope.Resources; len(named) > 0 {
			resources = append(resources, named[0])
			others = append(others, named[1:]...)
		}
	}
	var all []updatev1alpha1.HealthResource
	for _, one := range append(resources, others...) {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// Descriptions returns the descriptions of the members, those that differ only in the name of their object once.
func (g Group) Descriptions() []string {
	var descriptions []string
	told := map[string]bool{}
	for _, member := range g.Members {
		p := newProblem(member)
		key := fmt.Sprint(withoutName(p.reported().Message, p.object.Name), p.Health.Scope.Resources[min(1, len(p.Health.Scope.Resources)):])
		if !told[key] {
			told[key] = true
			descriptions = append(descriptions, p.Health.Impact.Description)
		}
	}
	return descriptions
}
