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
	unavailablePatience = patience{warning: 5 * time.Minute, failure: 20 * time.Minute}
	degradedPatience    = patience{warning: 5 * time.Minute, failure: 40 * time.Minute}
)

// clusterVersionFailing is the type of the condition in which the Cluster Version Operator reports that it cannot proceed.
const clusterVersionFailing configv1.ClusterStatusConditionType = "Failing"

func failingUnknown(facts healthFacts) *finding {
	version := facts.clusterVersion
	if findCondition(version.Status.Conditions, clusterVersionFailing) != nil {
		return nil
	}
	return &finding{
		level:       updatev1alpha1.LevelWarning,
		impact:      updatev1alpha1.ImpactUpdateStalled,
		summary:     fmt.Sprintf("Cluster Version %s has no Failing condition", version.Name),
		description: "The Cluster Version Operator does not report whether it can proceed with the update.",
		reference:   runbookOperatorDegraded,
	}
}

func failing(facts healthFacts) *finding {
	condition := findCondition(facts.clusterVersion.Status.Conditions, clusterVersionFailing)
	if condition == nil || condition.Status == configv1.ConditionFalse {
		return nil
	}
	verb := "is"
	if condition.Status != configv1.ConditionTrue {
		verb = "may be"
	}
	return &finding{
		since:  condition.LastTransitionTime.Time,
		level:  updatev1alpha1.LevelWarning,
		impact: updatev1alpha1.ImpactUpdateStalled,
		summary: fmt.Sprintf("Cluster Version %s %s failing to proceed with the update%s",
			facts.clusterVersion.Name, verb, because(condition.Reason)),
		description: cmp.Or(condition.Message, noMessage),
		reference:   runbookOperatorDegraded,
	}
}

func previousIncomplete(facts healthFacts) *finding {
	history := facts.history
	if len(history) < 2 || history[1].State != configv1.PartialUpdate ||
		history[0].State == configv1.CompletedUpdate || facts.operators.areComplete() {
		return nil
	}
	previous, reference := cmp.Or(history[1].Version, unknownVersion), docsVersionHistory
	if facts.hosted != nil {
		reference = docsHostedUpdating
	}
	return &finding{
		since:  history[0].StartedTime.Time,
		level:  updatev1alpha1.LevelWarning,
		impact: updatev1alpha1.ImpactNone,
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

func operatorUnavailable(facts healthFacts) *finding {
	return operatorFinding(facts, operatorProblem{
		configv1.OperatorAvailable, configv1.ConditionFalse, "unavailable", unavailablePatience, runbookOperatorDown,
	})
}

func operatorDegraded(facts healthFacts) *finding {
	return operatorFinding(facts, operatorProblem{
		configv1.OperatorDegraded, configv1.ConditionTrue, "degraded", degradedPatience, runbookOperatorDegraded,
	})
}

// operatorProblem is a condition that has the bad status.
type operatorProblem struct {
	condition configv1.ClusterStatusConditionType
	bad       configv1.ConditionStatus
	word      string
	patience  patience
	reference string
}

func operatorFinding(facts healthFacts, problem operatorProblem) *finding {
	condition := findCondition(facts.clusterOperator.Status.Conditions, problem.condition)
	if condition == nil || condition.Status != problem.bad {
		return nil
	}
	since := condition.LastTransitionTime.Time
	level, nextCheck := problem.patience.judge(since, facts.now)
	return &finding{
		since:  since,
		level:  level,
		impact: updatev1alpha1.ImpactAPIAvailability,
		summary: fmt.Sprintf("Cluster Operator %s is %s%s",
			facts.clusterOperator.Name, problem.word, because(condition.Reason)),
		description: cmp.Or(condition.Message, noMessage),
		reference:   problem.reference,
		nextCheck:   nextCheck,
	}
}
