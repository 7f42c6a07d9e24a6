package causes

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Causes are what causes a health insight, by the insight.
type Causes map[updatev1alpha1.HealthCause][]updatev1alpha1.HealthCause

// Find returns what causes the health insights of a cluster, at most MaxCauses for each, the worst first. All other insights
// are the evidence. The result does not depend on the order of the insights.
func Find(all []Insight) Causes {
	f := newFacts(all)
	for _, edge := range edges {
		for _, effect := range f.problems {
			if slices.Contains(edge.Effects, effect.check) {
				effect.add(edge.find(f, effect))
			}
		}
	}
	found := Causes{}
	for _, p := range f.problems {
		slices.SortFunc(p.causes, compareProblems)
		for _, cause := range p.causes[:min(len(p.causes), updatev1alpha1.MaxCauses)] {
			found[p.Ref()] = append(found[p.Ref()], cause.Ref())
		}
	}
	return found
}

// add adds causes, but for those of a lower level, and those that this problem causes itself.
func (p *problem) add(causes []*problem) {
	for _, cause := range causes {
		if cause.level() >= p.level() && !slices.Contains(p.causes, cause) && !cause.isCausedBy(p) {
			p.causes = append(p.causes, cause)
		}
	}
}
