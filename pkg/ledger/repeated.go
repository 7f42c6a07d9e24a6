package ledger

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// withoutRepeated leaves out the alerts about PodDisruptionBudgets that an explained drain names: its insight says the same,
// with the pods that it is about and what to do.
func (v View) withoutRepeated() {
	said := v[insight.AlertInformer]
	none := updatev1alpha1.ResourceRef{}
	if !slices.ContainsFunc(said.Insights, func(placed *insight.Placed) bool { return placed.Budget != none }) {
		return
	}
	explained := map[updatev1alpha1.ResourceRef]bool{}
	for _, placed := range v[insight.NodeInformer].Insights {
		for _, budget := range insight.BudgetsOf(&placed.Insight) {
			explained[budget] = true
		}
	}
	said.Insights = slices.DeleteFunc(said.Insights, func(placed *insight.Placed) bool { return explained[placed.Budget] })
	v[insight.AlertInformer] = said
}
