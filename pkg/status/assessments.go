package status

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// AssessmentChange is a change of the assessment of a part of the cluster.
type AssessmentChange struct {
	// Part is "control plane", or "pool" and the name of a pool.
	Part string
	// Before and After are assessments. Before is empty for a part that is new.
	Before, After updatev1alpha1.Assessment
}

// AssessmentChanges returns the parts whose assessment differs between two statuses, in a fixed order, without those that
// are gone.
func AssessmentChanges(before, after *updatev1alpha1.UpdateStatusStatus) []AssessmentChange {
	was, is := assessmentsOf(before), assessmentsOf(after)
	var changes []AssessmentChange
	for _, part := range sortedKeys(is) {
		if was[part] != is[part] {
			changes = append(changes, AssessmentChange{Part: part, Before: was[part], After: is[part]})
		}
	}
	return changes
}

// assessmentsOf returns the assessment of each part, as the sources of this controller reported it.
func assessmentsOf(status *updatev1alpha1.UpdateStatusStatus) map[string]updatev1alpha1.Assessment {
	assessments := map[string]updatev1alpha1.Assessment{}
	if version := clusterVersionOf(status); version != nil {
		assessments["control plane"] = version.Assessment
	}
	for _, informers := range informersOf(status) {
		for _, informer := range informers {
			if insight.Source(informer.Name) != insight.NodeInformer {
				continue
			}
			for at := range informer.Insights {
				if pool := insight.PoolOf(&informer.Insights[at]); pool != nil {
					assessments["pool "+pool.Name] = pool.Assessment
				}
			}
		}
	}
	return assessments
}
