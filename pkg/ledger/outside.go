package ledger

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// isIdle returns whether no update is in progress or stuck half-way: the control plane is known not to be updating, and no pool
// has nodes that are behind, not even because it is paused.
func (v View) isIdle() bool {
	idle := false
	for _, source := range v {
		for _, one := range source.Insights {
			if one.Unfinished {
				return false
			}
			if version := insight.VersionOf(&one.Insight); version != nil {
				idle = meta.IsStatusConditionFalse(version.Conditions, updatev1alpha1.ConditionUpdating)
			}
		}
	}
	return idle
}

// dropHealth drops the health insights. They are about an update; without one, other parts of the platform report what is
// degraded.
func (v View) dropHealth() {
	for name, source := range v {
		source.Insights = slices.DeleteFunc(source.Insights, func(one *insight.ScopedInsight) bool { return one.Insight.Health != nil })
		v[name] = source
	}
}
