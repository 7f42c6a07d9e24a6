package controlplane

import (
	"cmp"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// The cases of an operator that does not report how it is.
const (
	caseAvailableUnknown = "AvailableUnknown"
	caseDegradedUnknown  = "DegradedUnknown"
)

func unknownText(what string) assess.Text {
	return assess.Text{
		One: "does not report whether it is " + what, Many: "do not report whether they are " + what,
		Description: "The update waits until it reports Available=True and Degraded=False. It reports: " + assess.Message,
	}
}

// UpdateChecks are those of a ClusterOperator of the payload during an update. The Cluster Version Operator waits for one that does not report how it is,
// as for one that is down: it creates those of a new release without conditions (openshift/cluster-version-operator,
// pkg/cvo/internal/operatorstatus.go, checkOperatorHealth; lib/resourcebuilder, for the creation).
var UpdateChecks = []assess.Check[OperatorInput]{
	{Find: unknown, HealthCheck: assess.HealthCheck{
		Name: "cluster-operator-unknown", Then: assess.ThenOperator, Subject: assess.OperatorNoun,
		Texts:  assess.Texts{caseAvailableUnknown: unknownText("available"), caseDegradedUnknown: unknownText("degraded")},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.CauseAndEffect,
		Thresholds: assess.Thresholds{Warning: 10 * time.Minute, Failure: 40 * time.Minute},
		Reads:      assess.Reads{Conditions: []string{string(configv1.OperatorAvailable), string(configv1.OperatorDegraded)}},
		Appears: "during an update, Available or Degraded of an operator of the payload has been Unknown or absent for more than 10 minutes, and neither " +
			"is bad",
		Response:  "Check the pods of the operator: it has not started, or has stopped, to report how it is.",
		NextSteps: assess.ReadOnly("oc describe clusteroperator OPERATOR", "oc adm inspect clusteroperator/OPERATOR"),
	}},
}

// unknown returns that an operator does not report how it is. One that is down or degraded has an insight about that. A condition that is absent counts
// from the start of the update, or the creation of the operator.
func unknown(in OperatorInput) *assess.Finding {
	available := FindCondition(in.Operator.Status.Conditions, configv1.OperatorAvailable)
	degraded := FindCondition(in.Operator.Status.Conditions, configv1.OperatorDegraded)
	isBad := available != nil && available.Status == configv1.ConditionFalse || IsTrue(degraded)
	if in.Started.IsZero() || isBad || IsHealthy(in.Operator) {
		return nil
	}
	which, condition := caseDegradedUnknown, degraded
	if !IsTrue(available) {
		which, condition = caseAvailableUnknown, available
	}
	condition = cmp.Or(condition, &configv1.ClusterOperatorStatusCondition{})
	return &assess.Finding{
		Since: assess.Later(assess.Later(in.Started, in.Operator.CreationTimestamp.Time), condition.LastTransitionTime.Time), Case: which,
		Reported: Reported(in.Operator.Name, condition), Reference: reference.OperatorDegraded,
	}
}
