package causes

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Once returns a tree in which what several causes lead to is below the first of them only, with the others in AlsoCausedBy. Below the
// others it is counted in Above.
func Once(tree []Group) []Group {
	o := once{summaries: map[updatev1alpha1.HealthCause]string{}, listed: map[updatev1alpha1.HealthCause]bool{}}
	o.addSummaries(tree)
	roots := make([]Group, 0, len(tree))
	for _, root := range tree {
		below := once{summaries: map[updatev1alpha1.HealthCause]string{}}
		below.addSummaries([]Group{root})
		roots = append(roots, o.group(root, below.summaries))
	}
	return roots
}

// once is a tree of which a part is listed.
type once struct {
	// summaries are those of the groups that the insights are in.
	summaries map[updatev1alpha1.HealthCause]string
	listed    map[updatev1alpha1.HealthCause]bool
}

func (o once) addSummaries(tree []Group) {
	for _, group := range tree {
		for _, member := range group.Members {
			o.summaries[member.Ref()] = group.Summary()
		}
		o.addSummaries(group.Consequences)
	}
}

// group returns a group with those of its consequences that are not listed yet. Known are the insights below the same root.
func (o once) group(g Group, known map[updatev1alpha1.HealthCause]string) Group {
	for _, member := range g.Members {
		o.listed[member.Ref()] = true
	}
	var consequences []Group
	for _, below := range g.Consequences {
		isListed := func(member Insight) bool { return o.listed[member.Ref()] }
		if !slices.ContainsFunc(below.Members, func(member Insight) bool { return !isListed(member) }) {
			g.Above += len(below.Members) + below.CountConsequences()
			continue
		}
		all := len(below.Members)
		below.Members = slices.DeleteFunc(slices.Clone(below.Members), isListed)
		g.Above += all - len(below.Members)
		below.AlsoCausedBy = o.others(below.Members, known)
		consequences = append(consequences, o.group(below, known))
	}
	g.Consequences = consequences
	return g
}

// others returns the summaries of the causes that are not below the same root.
func (o once) others(members []Insight, known map[updatev1alpha1.HealthCause]string) []string {
	var summaries []string
	for _, member := range members {
		for _, ref := range member.Health.CausedBy {
			_, isKnown := known[ref]
			if summary := o.summaries[ref]; summary != "" && !isKnown && !slices.Contains(summaries, summary) {
				summaries = append(summaries, summary)
			}
		}
	}
	return summaries
}
