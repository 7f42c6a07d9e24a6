package causes

import (
	"cmp"
	"slices"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
)

// ChoosePods returns the operators whose pods are to be read (rootsFirst), and the nodes whose pods don't count, by what the sources report.
func ChoosePods(wanted []podstate.Wanted, view ledger.View) ([]podstate.Wanted, podstate.Away) {
	var all []Insight
	for source, reported := range view {
		for _, one := range reported.Insights {
			all = append(all, Insight{Insight: &one.Insight, Informer: string(source), Labels: one.Labels})
		}
	}
	return rootsFirst(wanted, all), podstate.AwayOf(view[insight.NodeInformer].Insights)
}

// rootsFirst returns the operators whose pods are to be read, at most podstate.MaxOperators: those that nothing else causes to fail first, then
// by level and start. The pods of others than ClusterOperators are read in any case.
func rootsFirst(wanted []podstate.Wanted, all []Insight) []podstate.Wanted {
	found := Find(all)
	worst := map[string]*problem{}
	for _, one := range all {
		if one.Health == nil || len(one.Health.Scope.Resources) == 0 {
			continue
		}
		operator := one.Health.Scope.Resources[0].ResourceRef
		p := newProblem(one)
		if operator == assess.OperatorRef(operator.Name) && (worst[operator.Name] == nil || compareProblems(p, worst[operator.Name]) < 0) {
			worst[operator.Name] = p
		}
	}
	isEffect := func(p *problem) int { return min(1, len(found[p.Ref()].CausedBy)) }
	ordered := slices.Clone(wanted)
	slices.SortStableFunc(ordered, func(a, b podstate.Wanted) int {
		left, right := worst[a.Operator], worst[b.Operator]
		if left == nil || right == nil {
			return cmp.Compare(rankOf(left), rankOf(right))
		}
		return cmp.Or(cmp.Compare(isEffect(left), isEffect(right)), compareProblems(left, right))
	})
	operators := 0
	return slices.DeleteFunc(ordered, func(one podstate.Wanted) bool {
		if one.IsClusterOperator() {
			operators++
		}
		return one.IsClusterOperator() && operators > podstate.MaxOperators
	})
}

// rankOf puts operators of which nothing is reported yet last.
func rankOf(p *problem) int {
	if p == nil {
		return 1
	}
	return 0
}
