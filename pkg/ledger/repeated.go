package ledger

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// withoutRepeated leaves out the alerts about PodDisruptionBudgets that an explained drain names: its insight says the same,
// with the pods that it is about and what to do. A more serious alert says more, and stays.
func (v View) withoutRepeated() {
	said := v[insight.AlertInformer]
	none := updatev1alpha1.ResourceRef{}
	if !slices.ContainsFunc(said.Insights, func(placed *insight.ScopedInsight) bool { return placed.Budget != none }) {
		return
	}
	explained := map[updatev1alpha1.ResourceRef]int{}
	for _, placed := range v[insight.NodeInformer].Insights {
		for _, budget := range insight.BudgetsOf(&placed.Insight) {
			level, found := explained[budget]
			if !found || rank(placed) > level {
				explained[budget] = rank(placed)
			}
		}
	}
	said.Insights = slices.DeleteFunc(said.Insights, func(placed *insight.ScopedInsight) bool {
		level, found := explained[placed.Budget]
		return found && rank(placed) <= level
	})
	v[insight.AlertInformer] = said
}

// rank is how serious a health insight is.
func rank(placed *insight.ScopedInsight) int {
	return slices.Index(insight.Levels(), placed.Insight.Health.Impact.Level)
}
