package hosted

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
)

// rolloutThresholds are beyond what the slowest component takes: etcd, one member after the other; and those of an operator that stalls.
var rolloutThresholds = assess.Thresholds{Warning: 20 * time.Minute, Failure: 2 * time.Hour}

// componentChecks are those of a ControlPlaneComponent.
var componentChecks = []assess.Check[ComponentInput]{
	{Find: componentUnavailable, HealthCheck: assess.HealthCheck{
		Name: "component-unavailable", Then: assess.ThenHyperShift, Subject: componentNoun,
		Texts:  assess.Texts{assess.NoCase: {One: "is unavailable{reason}", Many: "are unavailable{reason}", Description: assess.Message}},
		Impact: updatev1alpha1.ImpactAPIAvailability, Causality: assess.CauseAndEffect, Thresholds: controlplane.UnavailableThresholds,
		Appears:   "Available of a component of a hosted control plane has been False for more than 5 minutes",
		Response:  "The message says what is unavailable; check the pods of the component.",
		NextSteps: assess.ReadOnly(describeComponent, controlPlanePods),
	}},
	{Find: unfinishedRollout(reasonReconciliationError), HealthCheck: assess.HealthCheck{
		Name: "component-not-reconciled", Then: assess.ThenHyperShift, Subject: componentNoun,
		Texts:  assess.Texts{assess.NoCase: {One: "can't be reconciled{reason}", Many: "can't be reconciled{reason}", Description: assess.Message}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect,
		Thresholds: controlplane.DegradedThresholds,
		Appears:    "a component of a hosted control plane has had a ReconciliationError for more than 5 minutes",
		Response:   "The description has the error. The control plane operator retries.",
		NextSteps:  assess.ReadOnly(describeComponent, controlPlanePods),
	}},
	{Find: unfinishedRollout(reasonWaitingForRollout, reasonWaitingForOperands), HealthCheck: assess.HealthCheck{
		Name: "component-slow", Then: assess.ThenHyperShift, Subject: componentNoun,
		Texts:  assess.Texts{assess.NoCase: {One: "is taking long to roll out{reason}", Many: "are taking long to roll out{reason}", Description: assess.Message}},
		Impact: updatev1alpha1.ImpactUpdateSpeed, FailureImpact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Effect,
		Thresholds: rolloutThresholds,
		Appears:    "the rollout of a component of a hosted control plane, or of what the component deploys, has taken more than 20 minutes",
		Response: "Check its pods: usually one can't be scheduled, or is not ready. The impact of an Error is Update Stalled, because " +
			"what waits for the component can't continue.",
		NextSteps: assess.ReadOnly(describeComponent, controlPlanePods),
	}},
}

// componentNoun is a component of a hosted control plane.
var componentNoun = assess.Noun{One: "Control plane component", Many: "control plane components"}

func componentUnavailable(in ComponentInput) *assess.Finding {
	available := meta.FindStatusCondition(in.Component.Status.Conditions, conditionComponentAvailable)
	if available == nil || available.Status != metav1.ConditionFalse {
		return nil
	}
	return conditionFinding(*available)
}

// unfinishedRollout returns a check for a rollout that is not complete for one of some reasons.
func unfinishedRollout(reasons ...string) func(ComponentInput) *assess.Finding {
	return func(in ComponentInput) *assess.Finding {
		rollout := meta.FindStatusCondition(in.Component.Status.Conditions, conditionRolloutComplete)
		if rollout == nil || rollout.Status != metav1.ConditionFalse || !slices.Contains(reasons, rollout.Reason) {
			return nil
		}
		found := conditionFinding(*rollout)
		found.Since = in.rolledOutSince()
		return found
	}
}
