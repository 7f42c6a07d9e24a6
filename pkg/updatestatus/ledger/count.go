package ledger

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Counts are numbers of insights, by source and type.
type Counts map[insight.Source]map[updatev1alpha1.InsightType]int

// Count counts the insights of the sources that have been complete: of others a part is missing. Every type of a standalone cluster is
// in it.
func (v View) Count() Counts {
	counts := Counts{}
	for name, source := range v {
		if !source.Complete {
			continue
		}
		counts[name] = map[updatev1alpha1.InsightType]int{}
		for _, kind := range insight.KindsOf(insight.Standalone) {
			counts[name][kind.Type] = 0
		}
		for _, one := range source.Insights {
			counts[name][one.Insight.Type]++
		}
	}
	return counts
}
