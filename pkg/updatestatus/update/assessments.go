package update

import (
	"maps"
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
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
func AssessmentChanges(before, after *Update) []AssessmentChange {
	was, is := before.assessments(), after.assessments()
	var changes []AssessmentChange
	for _, part := range slices.Sorted(maps.Keys(is)) {
		if was[part] != is[part] {
			changes = append(changes, AssessmentChange{Part: part, Before: was[part], After: is[part]})
		}
	}
	return changes
}

func (u *Update) assessments() map[string]updatev1alpha1.Assessment {
	assessments := map[string]updatev1alpha1.Assessment{}
	if version := u.ControlPlane.Version; version != nil {
		assessments["control plane"] = version.Assessment
	}
	for _, pool := range u.PoolInsights {
		assessments["pool "+pool.Name] = pool.Assessment
	}
	return assessments
}
