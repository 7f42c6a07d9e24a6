package ledger

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// dropExplainedAlerts drops the alerts about PodDisruptionBudgets that the insight of a blocked drain names: it says the same,
// with the pods and what to do. A more serious alert stays.
func (v View) dropExplainedAlerts() {
	alerts := v[insight.AlertInformer]
	none := updatev1alpha1.ResourceRef{}
	if !slices.ContainsFunc(alerts.Insights, func(one *insight.ScopedInsight) bool { return one.Budget != none }) {
		return
	}
	explained := map[updatev1alpha1.ResourceRef]int{}
	for _, one := range v[insight.NodeInformer].Insights {
		for _, budget := range insight.BudgetsOf(&one.Insight) {
			level, found := explained[budget]
			if !found || rank(one) > level {
				explained[budget] = rank(one)
			}
		}
	}
	alerts.Insights = slices.DeleteFunc(alerts.Insights, func(one *insight.ScopedInsight) bool {
		level, found := explained[one.Budget]
		return found && rank(one) <= level
	})
	v[insight.AlertInformer] = alerts
}

// rank is how serious a health insight is.
func rank(one *insight.ScopedInsight) int {
	return slices.Index(insight.Levels(), one.Insight.Health.Impact.Level)
}
