package invariants

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Insights returns all insights of a status. They are those of the status, not copies.
func Insights(status *updatev1alpha1.UpdateStatusStatus) []*updatev1alpha1.Insight {
	var informers []updatev1alpha1.Informer
	if status.ControlPlane != nil {
		informers = append(informers, status.ControlPlane.Informers...)
	}
	for _, pool := range status.WorkerPools {
		informers = append(informers, pool.Informers...)
	}
	var all []*updatev1alpha1.Insight
	for _, informer := range informers {
		for at := range informer.Insights {
			all = append(all, &informer.Insights[at])
		}
	}
	return all
}

// IsAvailable is whether every source reports.
func IsAvailable(us *updatev1alpha1.UpdateStatus) bool {
	return meta.IsStatusConditionTrue(us.Status.Conditions, updatev1alpha1.ConditionAvailable)
}

func updatingOf(conditions []metav1.Condition) (metav1.ConditionStatus, string) {
	if updating := meta.FindStatusCondition(conditions, updatev1alpha1.ConditionUpdating); updating != nil {
		return updating.Status, updating.Reason
	}
	return "", ""
}

// conditionsOf returns all lists of conditions of a status.
func conditionsOf(status *updatev1alpha1.UpdateStatusStatus) [][]metav1.Condition {
	all := [][]metav1.Condition{status.Conditions}
	if status.ControlPlane != nil {
		all = append(all, status.ControlPlane.Conditions)
	}
	for _, pool := range status.WorkerPools {
		all = append(all, pool.Conditions)
	}
	for _, one := range Insights(status) {
		all = append(all, insight.Conditions(one))
	}
	return all
}
