package controlplane

import (
	"cmp"
	"strings"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// An operator may be unavailable or degraded for a while when it is updated itself.
var (
	UnavailableThresholds = assess.Thresholds{Warning: 5 * time.Minute, Failure: 20 * time.Minute}
	DegradedThresholds    = assess.Thresholds{Warning: 5 * time.Minute, Failure: 40 * time.Minute}
	// revisionThresholds are those of an operator of static pods, each of which is away for some minutes when it gets a revision.
	revisionThresholds = assess.Thresholds{Warning: 10 * time.Minute, Failure: DegradedThresholds.Failure}
)

// nodeInstaller is in the reason of Progressing while an operator of static pods rolls out a revision (openshift/library-go,
// pkg/operator/staticpod/controller/installer/installer_controller.go).
const nodeInstaller = "NodeInstaller"

// OperatorChecks are those of a ClusterOperator of the payload.
var OperatorChecks = []assess.Check[*configv1.ClusterOperator]{
	{Find: hasCondition(configv1.OperatorAvailable, configv1.ConditionFalse, reference.OperatorDown), HealthCheck: assess.HealthCheck{
		Name: "cluster-operator-unavailable", Then: assess.ThenOperator, Subject: assess.OperatorNoun,
		Texts:  assess.Texts{assess.NoCase: {One: "is unavailable{reason}", Many: "are unavailable{reason}", Description: assess.Message}},
		Impact: updatev1alpha1.ImpactAPIAvailability, Causality: assess.CauseAndEffect,
		Thresholds: UnavailableThresholds,
		Reads:      assess.Reads{Conditions: []string{string(configv1.OperatorAvailable)}},
		Appears:    "Available of an operator of the payload has been False for more than 5 minutes",
		Response:   "Follow the runbook; the operator's message says what is unavailable.",
		NextSteps:  assess.ReadOnly("oc describe clusteroperator OPERATOR", "oc adm inspect clusteroperator/OPERATOR"),
	}},
	{Find: isDegraded, HealthCheck: assess.HealthCheck{
		Name: "cluster-operator-degraded", Then: assess.ThenOperator, Subject: assess.OperatorNoun,
		Texts: assess.Texts{
			assess.NoCase: {One: "is degraded{reason}", Many: "are degraded{reason}", Description: assess.Message},
			caseTimedOut: {
				One: "waits longer than 10 minutes a node for pool {pool}{progress}", Many: "wait longer than 10 minutes a node for pool {pool}",
				Description: "Nothing else is reported to be wrong: it counts ten minutes for each machine of the pools that it requires. It reports: " + assess.Message,
			},
		},
		Impact: updatev1alpha1.ImpactAPIAvailability, Causality: assess.CauseAndEffect, Thresholds: DegradedThresholds,
		Reads: assess.Reads{Conditions: []string{string(configv1.OperatorDegraded)}},
		Appears: "Degraded of an operator of the payload has been True for more than 5 minutes, for more than 10 while it rolls out a revision of static pods. Info while it names nothing but nodes that reboot within " +
			"their usual time, or counts pods on as many. machine-config that is degraded because its required pools take more than 10 minutes a node: a " +
			"Warning of impact Update Speed; Info while a node of the pool is being updated or has been updated within an hour, or twice what nine of " +
			"ten of them take",
		Response:  "Follow the runbook; the operator's message says what is wrong.",
		NextSteps: assess.ReadOnly("oc describe clusteroperator OPERATOR", "oc adm inspect clusteroperator/OPERATOR"),
	}},
}

// hasCondition returns a check for a condition of a ClusterOperator that has the bad status.
func hasCondition(kind configv1.ClusterStatusConditionType, bad configv1.ConditionStatus, reference string) func(*configv1.ClusterOperator) *assess.Finding {
	return func(operator *configv1.ClusterOperator) *assess.Finding {
		condition := FindCondition(operator.Status.Conditions, kind)
		if condition == nil || condition.Status != bad {
			return nil
		}
		return &assess.Finding{
			Since:     condition.LastTransitionTime.Time,
			Reported:  Reported(operator.Name, withMessage(operator, condition)),
			Reference: reference,
		}
	}
}

// caseTimedOut is that of machine-config that has waited for its pools for longer than it does.
const caseTimedOut = "PoolsTimedOut"

// isDegraded returns that an operator is degraded. machine-config is, with nothing wrong, once its pools take longer than it waits.
func isDegraded(operator *configv1.ClusterOperator) *assess.Finding {
	found := hasCondition(configv1.OperatorDegraded, configv1.ConditionTrue, reference.OperatorDegraded)(operator)
	if found == nil {
		return nil
	}
	progressing := FindCondition(operator.Status.Conditions, configv1.OperatorProgressing)
	if IsTrue(progressing) && strings.Contains(progressing.Reason, nodeInstaller) {
		found.Thresholds = &revisionThresholds
	}
	if operator.Name != MachineConfigOperator || found.Reported.Reason != RequiredPoolsFailed {
		return found
	}
	if pool, isTimeout := TimedOutPool(found.Reported.Message); isTimeout {
		found.Case, found.Impact, found.Thresholds = caseTimedOut, updatev1alpha1.ImpactUpdateSpeed, &assess.Thresholds{Warning: DegradedThresholds.Warning}
		found.Words = assess.Words{"pool": pool.Name, "progress": pool.progress()}
	}
	return found
}

// withMessage returns a condition, with the message of Degraded if it has none itself, and with that of Progressing if a rollout hangs.
func withMessage(operator *configv1.ClusterOperator, condition *configv1.ClusterOperatorStatusCondition) *configv1.ClusterOperatorStatusCondition {
	degraded := FindCondition(operator.Status.Conditions, configv1.OperatorDegraded)
	progressing := FindCondition(operator.Status.Conditions, configv1.OperatorProgressing)
	explained := *condition
	switch {
	case condition.Reason == rolloutHung && IsTrue(progressing):
		explained.Message += "\n" + progressing.Message
	case condition.Message == "" && IsTrue(degraded):
		explained.Message = degraded.Message
	}
	return &explained
}

// rolloutHung is the reason with which the network operator reports a DaemonSet whose rollout hangs. On how many nodes its pods are missing is only said
// while it progresses (openshift/cluster-network-operator, pkg/controller/statusmanager/pod_status.go).
const rolloutHung = "RolloutHung"

// Reported returns what a component reports in a condition.
func Reported(component string, condition *configv1.ClusterOperatorStatusCondition) *updatev1alpha1.ComponentReport {
	return &updatev1alpha1.ComponentReport{Component: component, Reason: condition.Reason, Message: condition.Message}
}

// SupersededText describes an update that started before the previous one was complete.
var SupersededText = assess.Text{
	Sentence:    "Previous update to {previous} never completed, last complete update was {completed}",
	Description: "Current update to {version} was initiated while the previous update to version {previous} was still in progress",
}

// Superseded returns what is reported of an update that started while the previous one was incomplete, until the control plane is complete.
func Superseded(history []configv1.UpdateHistory, operators Operators, reference string) *assess.Finding {
	if len(history) < 2 || history[1].State != configv1.PartialUpdate ||
		history[0].State == configv1.CompletedUpdate || operators.AreComplete() {
		return nil
	}
	return &assess.Finding{
		Since: history[0].StartedTime.Time,
		Level: updatev1alpha1.LevelInfo,
		Words: assess.Words{
			"previous": cmp.Or(history[1].Version, unknownVersion), "completed": lastCompleted(history[2:]),
			"version": cmp.Or(history[0].Version, unknownVersion),
		},
		Reference: reference,
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
