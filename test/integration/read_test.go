package integration_test

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// insightsOf returns all insights of an UpdateStatus.
func insightsOf(us *updatev1alpha1.UpdateStatus) []updatev1alpha1.Insight {
	var all []updatev1alpha1.Insight
	if us.Status.ControlPlane != nil {
		for _, informer := range us.Status.ControlPlane.Informers {
			all = append(all, informer.Insights...)
		}
	}
	for _, pool := range us.Status.WorkerPools {
		for _, informer := range pool.Informers {
			all = append(all, informer.Insights...)
		}
	}
	return all
}

// find returns the insight with a uid, nil if there is none.
func find(us *updatev1alpha1.UpdateStatus, uid string) *updatev1alpha1.Insight {
	for _, one := range insightsOf(us) {
		if one.UID == uid {
			return &one
		}
	}
	return nil
}

// healthOf returns the health insight with a summary, nil if there is none.
func healthOf(us *updatev1alpha1.UpdateStatus, summary string) *updatev1alpha1.Insight {
	for _, one := range insightsOf(us) {
		if one.Health != nil && one.Health.Impact.Summary == summary {
			return &one
		}
	}
	return nil
}

func isAvailable(us *updatev1alpha1.UpdateStatus) bool {
	return meta.IsStatusConditionTrue(us.Status.Conditions, updatev1alpha1.ConditionAvailable)
}

// reasonOf returns the reason of Available.
func reasonOf(us *updatev1alpha1.UpdateStatus) string {
	if available := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionAvailable); available != nil {
		return available.Reason
	}
	return ""
}

func updatingOf(conditions []metav1.Condition) (metav1.ConditionStatus, string) {
	if updating := meta.FindStatusCondition(conditions, updatev1alpha1.ConditionUpdating); updating != nil {
		return updating.Status, updating.Reason
	}
	return "", ""
}

// everythingUpdated is whether the control plane and all pools are complete.
func everythingUpdated(us *updatev1alpha1.UpdateStatus) bool {
	return stageOf(us) == stageEverything
}
