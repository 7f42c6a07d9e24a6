package status

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
func IsUrgent(before, after *updatev1alpha1.UpdateStatusStatus) bool {
	return !slices.Equal(urgentFacts(before), urgentFacts(after))
}

// urgentFacts returns what is urgent of a status.
func urgentFacts(status *updatev1alpha1.UpdateStatusStatus) []string {
	facts := []string{conditionText(status.Conditions, updatev1alpha1.ConditionAvailable)}
	if version := clusterVersionOf(status); version != nil {
		facts = append(facts, timeText(version.StartedAt), timeText(version.CompletedAt))
	}
	if status.ControlPlane != nil {
		facts = append(facts, conditionText(status.ControlPlane.Conditions, updatev1alpha1.ConditionUpdating))
	}
	for _, pool := range status.WorkerPools {
		facts = append(facts, pool.Name, conditionText(pool.Conditions, updatev1alpha1.ConditionUpdating))
	}
	return slices.Concat(facts, slices.Sorted(maps.Keys(severeInsights(status))))
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
