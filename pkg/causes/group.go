package causes

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// groupKey is what the members of a group have in common.
type groupKey struct {
	check, level, summary, more string
}

// keyOf: drains that the same PodDisruptionBudgets block have one cause, though other pods are on each node. Without such, the
// descriptions must be the same but for the name of the object.
func keyOf(p *problem) groupKey {
	impact := p.Health.Impact
	key := groupKey{check: p.check, level: string(impact.Level), summary: withoutName(impact.Summary, p.object.Name)}
	if len(p.objects) > 1 {
		key.more = fmt.Sprint(p.objects[1:])
	} else {
		key.more = withoutName(impact.Description, p.object.Name)
	}
	if p.check == "" {
		key.check = p.UID // of another version: nothing is known about its texts
	}
	return key
}

// anyName stands for the name of an object where a text is about several.
const anyName = "<name>"

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

// subjects are the starts of the summaries about objects, and their plural.
var subjects = map[string]string{
	"Node ": "nodes", "Pool ": "pools", "Cluster Operator ": "cluster operators", "Control plane component ": "control plane components", "Machine ": "Machines",
}

// verbs follow the name in these summaries: of one object, and of several.
var verbs = strings.NewReplacer(" is ", " are ", " has ", " have ", " does ", " do ", " matches ", " match ", " takes ", " take ")

// Summary returns the group in one line: that of its member, or "7 nodes are degraded: worker-1, worker-2 and 5 more: …".
func (g Group) Summary() string {
	first := newProblem(g.Members[0])
	summary := first.Health.Impact.Summary
	if len(g.Members) == 1 {
		return first.withWhy(summary, first.Health.Impact.Description)
	}
	names := g.names()
	before, after, found := strings.Cut(withoutName(summary, first.object.Name), anyName)
	plural, known := subjects[before]
	switch {
	case len(names) == 1:
		summary = fmt.Sprintf("%s (%d times)", summary, len(g.Members))
	case !found || !known || strings.Contains(after, anyName):
		summary = fmt.Sprintf("%s, and %d more: %s", summary, len(names)-1, listNames(names[1:]))
	default:
		verb, rest, _ := strings.Cut(strings.TrimPrefix(after, " "), " ")
		summary = fmt.Sprintf("%d %s%s%s: %s", len(names), plural, verbs.Replace(" "+verb+" "), rest, listNames(names))
	}
	return first.withWhy(summary, strings.ReplaceAll(withoutName(first.Health.Impact.Description, first.object.Name), anyName, "<node>"))
}

// unexplained are the checks whose summary does not say why: that is what the host says.
var unexplained = []string{"node-degraded", "update-not-accepted", "pool-degraded"}

// releaseAsked is the start of what the Cluster Version Operator says of a release that it does not accept, up to the failure: its version
// and image, which the summary has (openshift/cluster-version-operator, pkg/cvo/sync_worker.go, syncPayload).
var releaseAsked = regexp.MustCompile(`^[A-Z][^"]* version="[^"]*" image="[^"]*"(?: failure=|: )`)

// digest is that of an image, which is longer than what a host says besides.
var digest = regexp.MustCompile(`(@sha256:[0-9a-f]{8})[0-9a-f]{56}`)

// withWhy adds to a summary why it is so, if it does not say it itself.
func (p *problem) withWhy(summary, why string) string {
	if slices.Contains(unexplained, p.check) {
		summary += ": " + digest.ReplaceAllString(releaseAsked.ReplaceAllString(why, ""), "$1…")
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
func (g Group) Resources() []updatev1alpha1.ResourceRef {
	var resources, others []updatev1alpha1.ResourceRef
	for _, member := range g.Members {
		if named := member.Health.Scope.Resources; len(named) > 0 {
			resources = append(resources, named[0])
			others = append(others, named[1:]...)
		}
	}
	var all []updatev1alpha1.ResourceRef
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
		if text := withoutName(p.Health.Impact.Description, p.object.Name); !told[text] {
			told[text] = true
			descriptions = append(descriptions, p.Health.Impact.Description)
		}
	}
	return descriptions
}
