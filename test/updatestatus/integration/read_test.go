package integration_test

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// insightsOf returns all insights of an UpdateStatus.
func insightsOf(us *updatev1alpha1.UpdateStatus) []*updatev1alpha1.Insight {
	return invariants.Insights(&us.Status)
}

// find returns the insight with a uid, nil if there is none.
func find(us *updatev1alpha1.UpdateStatus, uid string) *updatev1alpha1.Insight {
	for _, one := range insightsOf(us) {
		if one.UID == uid {
			return one
		}
	}
	return nil
}

// healthOf returns the health insight with a summary, nil if there is none.
func healthOf(us *updatev1alpha1.UpdateStatus, summary string) *updatev1alpha1.Insight {
	for _, one := range insightsOf(us) {
		// It may end with what a component says.
		if one.Health != nil && (one.Health.Impact.Summary == summary || strings.HasPrefix(one.Health.Impact.Summary, summary+": ")) {
			return one
		}
	}
	return nil
}

func isAvailable(us *updatev1alpha1.UpdateStatus) bool {
	return invariants.IsAvailable(us)
}

// reasonOf returns the reason of Available.
func reasonOf(us *updatev1alpha1.UpdateStatus) string {
	if available := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionAvailable); available != nil {
		return available.Reason
	}
	return ""
}

// isUpdated returns whether an operator is updated.
func isUpdated(us *updatev1alpha1.UpdateStatus, operator string) bool {
	found := find(us, "co-"+operator)
	return found != nil && insight.OperatorStateOf(found.ClusterOperator).Progress == insight.OperatorUpdated
}

// everythingUpdated returns whether the control plane and all pools are complete.
func everythingUpdated(us *updatev1alpha1.UpdateStatus) bool {
	return stageOf(us) == invariants.StageEverything
}
