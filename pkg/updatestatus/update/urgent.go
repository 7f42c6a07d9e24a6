package update

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// IsUrgent returns whether the difference between two statuses matters so much that it is written on credit: the controller can
// read the cluster, or can't any more; an update, or that of a part, started, ended or completed; a health insight of level Error or
// Critical appeared or went.
func IsUrgent(before, after *Update) bool {
	return !slices.Equal(before.urgentFacts(), after.urgentFacts())
}

func (u *Update) urgentFacts() []string {
	facts := []string{conditionText(u.Conditions, updatev1alpha1.ConditionAvailable)}
	if version := u.ControlPlane.Version; version != nil {
		facts = append(facts, timeText(version.StartedAt), timeText(version.CompletedAt))
	}
	facts = append(facts, conditionText(u.ControlPlane.Conditions, updatev1alpha1.ConditionUpdating))
	for _, pool := range u.Pools {
		facts = append(facts, pool.Name, conditionText(pool.Conditions, updatev1alpha1.ConditionUpdating))
	}
	return slices.Concat(facts, slices.Sorted(maps.Keys(u.severe())))
}

func conditionText(conditions []metav1.Condition, kind string) string {
	if found := meta.FindStatusCondition(conditions, kind); found != nil {
		return string(found.Status) + " " + found.Reason
	}
	return ""
}

func timeText(at *metav1.Time) string {
	if at == nil {
		return ""
	}
	return at.UTC().String()
}
