package causes

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Found is what is found about a health insight.
type Found struct {
	// CausedBy are its causes, at most MaxCauses, the worst first.
	CausedBy []updatev1alpha1.HealthCause
	// Level is the level of the insight, or that of the worst of its consequences: a cause is as serious as what it causes. What passes by itself is
	// Info.
	Level updatev1alpha1.HealthLevel
}

// Find returns what causes the health insights of a cluster, by insight. All other insights are the evidence. The result does not
// depend on the order of the insights.
func Find(all []Insight) map[updatev1alpha1.HealthCause]Found {
	f := newFacts(all)
	for _, p := range f.problems {
		p.add(f.kept(p))
	}
	for _, edge := range slices.Concat(edges, hostedEdges) {
		for _, effect := range f.problems {
			if slices.Contains(edge.Effects.Checks, effect.check.Name) {
				effect.add(edge.find(f, effect))
			}
		}
	}
	f.setPassing()
	levels := map[*problem]int{}
	for _, p := range f.problems {
		p.raise(p.ownLevel(), levels)
	}
	found := map[updatev1alpha1.HealthCause]Found{}
	for _, p := range f.problems {
		one := Found{Level: insight.Levels()[levels[p]]}
		slices.SortFunc(p.causes, compareProblems)
		for _, cause := range p.causes[:min(len(p.causes), updatev1alpha1.MaxCauses)] {
			one.CausedBy = append(one.CausedBy, cause.Ref())
		}
		found[p.Ref()] = one
	}
	return found
}

// kept returns the causes of a problem that were found before.
func (f *facts) kept(p *problem) []*problem {
	if len(p.Kept) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(f.problems), func(cause *problem) bool { return !slices.Contains(p.Kept, cause.Ref()) })
}

// add adds causes, but for those that this problem causes itself.
func (p *problem) add(causes []*problem) {
	for _, cause := range causes {
		if !slices.Contains(p.causes, cause) && !cause.isCausedBy(p) {
			p.causes = append(p.causes, cause)
		}
	}
}

// ownLevel returns the level of a problem, without what it causes.
func (p *problem) ownLevel() int {
	if p.passes {
		return insight.LevelRank(updatev1alpha1.LevelInfo)
	}
	if p.check.IsWarningIfCaused && len(p.causes) > 0 {
		return insight.LevelRank(updatev1alpha1.LevelWarning)
	}
	return p.level()
}

// raise raises a problem and all of its causes to a level.
func (p *problem) raise(level int, levels map[*problem]int) {
	if before, known := levels[p]; known && before >= level {
		return
	}
	levels[p] = level
	for _, cause := range p.causes {
		cause.raise(max(level, cause.ownLevel()), levels)
	}
}
