package assess

import (
	"cmp"
	"fmt"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Pages about the conditions of the control plane.
const (
	runbookOperatorDown     = "https://github.com/openshift/runbooks/blob/master/alerts/cluster-monitoring-operator/ClusterOperatorDown.md"
	runbookOperatorDegraded = "https://github.com/openshift/runbooks/blob/master/alerts/cluster-monitoring-operator/ClusterOperatorDegraded.md"
	docsVersionHistory      = "https://docs.openshift.com/container-platform/latest/updating/troubleshooting_updates/gathering-data-cluster-update.html#gathering-clusterversion-history-cli_troubleshooting_updates"
)

// An operator may be unavailable or degraded for a while when it is updated itself.
var (
	unavailableThresholds = thresholds{warning: 5 * time.Minute, failure: 20 * time.Minute}
	degradedThresholds    = thresholds{warning: 5 * time.Minute, failure: 40 * time.Minute}
)

// clusterVersionFailing is the type of the condition in which the Cluster Version Operator reports that it cannot proceed.
const clusterVersionFailing = "Failing"

// checkedVersion is a ClusterVersion, and how far its operators are.
type checkedVersion struct {
	*configv1.ClusterVersion
	operators operators
}

// versionChecks are those of a ClusterVersion.
var versionChecks = []check[checkedVersion]{
	{failingUnknown, HealthCheck{
		Name: "cluster-version-failing-unknown", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: NeitherCauseNorEffect,
		Reads:     Reads{Conditions: []string{clusterVersionFailing}},
		Appears:   "the ClusterVersion has no `Failing` condition",
		Response:  "Check whether the Cluster Version Operator is running: `oc get pods -n openshift-cluster-version`.",
		NextSteps: []string{"oc describe clusterversion version", "oc get clusteroperators"},
	}},
	{failing, HealthCheck{
		Name: "cluster-version-failing", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: Effect,
		Reads:     Reads{Conditions: []string{clusterVersionFailing}},
		Appears:   "`Failing` of the ClusterVersion is True or Unknown",
		Response:  "Check what the message names, most often an operator: `oc get clusteroperator NAME -o yaml`.",
		NextSteps: []string{"oc describe clusterversion version", "oc get clusteroperators"},
	}},
	{previousIncomplete, HealthCheck{
		Name: "previous-update-incomplete", Impact: updatev1alpha1.ImpactNone, Causality: NeitherCauseNorEffect,
		Appears:   "the update started while the previous one was incomplete, until its control plane is complete",
		Response:  "No action required; components may come from more than two versions. Let the update complete.",
		NextSteps: []string{"oc adm upgrade"},
	}},
}

// operatorChecks are those of a ClusterOperator of the payload.
var operatorChecks = []check[*configv1.ClusterOperator]{
	{operatorCondition(configv1.OperatorAvailable, configv1.ConditionFalse, "unavailable", runbookOperatorDown), HealthCheck{
		Name: "cluster-operator-unavailable", Impact: updatev1alpha1.ImpactAPIAvailability, Causality: CauseAndEffect,
		thresholds: unavailableThresholds,
		Reads:      Reads{Conditions: []string{string(configv1.OperatorAvailable)}},
		Appears:    "Available of an operator of the payload has been False for more than 5 minutes",
		Response:   "Follow the runbook; the operator's message says what is unavailable.",
		NextSteps:  []string{"oc describe clusteroperator OPERATOR", "oc adm inspect clusteroperator/OPERATOR"},
	}},
	{operatorCondition(configv1.OperatorDegraded, configv1.ConditionTrue, "degraded", runbookOperatorDegraded), HealthCheck{
		Name: "cluster-operator-degraded", Impact: updatev1alpha1.ImpactAPIAvailability, Causality: CauseAndEffect, thresholds: degradedThresholds,
		Reads:     Reads{Conditions: []string{string(configv1.OperatorDegraded)}},
		Appears:   "Degraded of an operator of the payload has been True for more than 5 minutes",
		Response:  "Follow the runbook; the operator's message says what is wrong.",
		NextSteps: []string{"oc describe clusteroperator OPERATOR", "oc adm inspect clusteroperator/OPERATOR"},
	}},
}

func failingUnknown(version checkedVersion) *finding {
	if findCondition(version.Status.Conditions, clusterVersionFailing) != nil {
		return nil
	}
	return &finding{
		summary:     fmt.Sprintf("Cluster Version %s has no Failing condition", version.Name),
		description: "The Cluster Version Operator does not report whether it can proceed with the update.",
		reference:   runbookOperatorDegraded,
	}
}

func failing(version checkedVersion) *finding {
	condition := findCondition(version.Status.Conditions, clusterVersionFailing)
	if condition == nil || condition.Status == configv1.ConditionFalse {
		return nil
	}
	verb := "is"
	if condition.Status != configv1.ConditionTrue {
		verb = "may be"
	}
	return &finding{
		since: condition.LastTransitionTime.Time,
		summary: fmt.Sprintf("Cluster Version %s %s failing to proceed with the update%s",
			version.Name, verb, because(condition.Reason)),
		description: cmp.Or(condition.Message, noMessage),
		reference:   runbookOperatorDegraded,
	}
}

func previousIncomplete(version checkedVersion) *finding {
	return supersededUpdate(version.Status.History, version.operators, docsVersionHistory)
}

func supersededUpdate(history []configv1.UpdateHistory, operators operators, reference string) *finding {
	if len(history) < 2 || history[1].State != configv1.PartialUpdate ||
		history[0].State == configv1.CompletedUpdate || operators.areComplete() {
		return nil
	}
	previous := cmp.Or(history[1].Version, unknownVersion)
	return &finding{
		since: history[0].StartedTime.Time,
		summary: fmt.Sprintf("Previous update to %s never completed, last complete update was %s",
			previous, lastCompleted(history[2:])),
		description: fmt.Sprintf("Current update to %s was initiated while the previous update to version %s was still in progress",
			cmp.Or(history[0].Version, unknownVersion), previous),
		reference: reference,
	}
}

const unknownVersion = "unknown"

func lastCompleted(history []configv1.UpdateHistory) string {
	for _, item := range history {
		if item.State == configv1.CompletedUpdate {
			return cmp.Or(item.Version, unknownVersion)
		}
	}
	return unknownVersion
}

// operatorCondition returns a check for a condition of a ClusterOperator that has the bad status.
func operatorCondition(kind configv1.ClusterStatusConditionType, bad configv1.ConditionStatus, word, reference string) func(*configv1.ClusterOperator) *finding {
	return func(operator *configv1.ClusterOperator) *finding {
		condition := findCondition(operator.Status.Conditions, kind)
		if condition == nil || condition.Status != bad {
			return nil
		}
		return &finding{
			since:       condition.LastTransitionTime.Time,
			summary:     fmt.Sprintf("Cluster Operator %s is %s%s", operator.Name, word, because(condition.Reason)),
			description: cmp.Or(condition.Message, noMessage),
			reference:   reference,
		}
	}
}
