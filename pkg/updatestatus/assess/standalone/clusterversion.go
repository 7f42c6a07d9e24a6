package standalone

import (
	"cmp"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// ClusterVersionInput is what the control plane as a whole is assessed from.
type ClusterVersionInput struct {
	// ClusterVersion is the cluster's ClusterVersion, nil if there is none.
	ClusterVersion *configv1.ClusterVersion
	// ClusterOperators are all of the cluster; those outside the payload are ignored.
	ClusterOperators []*configv1.ClusterOperator
	// MachineConfigOperator is the Deployment of that name, nil if it is unknown.
	MachineConfigOperator *appsv1.Deployment
	// Lease is that of the Cluster Version Operator, nil if it is unknown. Without an update or a request nothing reads it.
	Lease *coordinationv1.Lease
	// LeaseReadAt is when the Lease was read at the earliest, zero if it is as it is now.
	LeaseReadAt time.Time
	// Observed is what was observed of the ClusterVersion at the assessment before.
	Observed VersionObserved
	// Pods are those of what fails, by the name of the operator (podstate.Wanted).
	Pods map[string]*assess.Pods
	// Partial is whether some objects may be missing: they come from files, or were read once with the permissions of a user. Snapshot
	// is whether the objects are those of a moment: nothing was observed over time.
	Partial, Snapshot bool
}

// ClusterVersionName is the name of the one ClusterVersion of a cluster.
const ClusterVersionName = "version"

// ClusterVersionSubject is the subject of reports about the control plane as a whole.
func ClusterVersionSubject() insight.Subject {
	return insight.Subject{Kind: "ClusterVersion", Name: ClusterVersionName}
}

// ClusterVersion assesses the control plane as a whole. The result changes without an event when the estimate passes, and again
// when it has passed by ten minutes.
func ClusterVersion(in ClusterVersionInput, now time.Time) assess.Result {
	result, _ := clusterVersion(in, now)
	return result
}

// clusterVersion returns also what was observed, for the next time.
func clusterVersion(in ClusterVersionInput, now time.Time) (assess.Result, VersionObserved) {
	report := insight.Report{Subject: ClusterVersionSubject()}
	version := in.ClusterVersion
	if version == nil {
		return assess.Result{Report: report}, VersionObserved{}
	}
	version = assess.WithKnownTimes(version, clusterVersionTimes, now)

	operators := operatorsOf(in, now)
	estimate := controlplane.EstimateCompletion(version.Status.History, operators, now)
	in.ClusterVersion = version
	observed := in.Observed.next(in, operators, now)
	asked := requestOf(version, observed.Requested)
	updating := clusterVersionUpdating(version, operators, asked)
	ref := updatev1alpha1.ResourceRef{Group: configv1.GroupName, Resource: "clusterversions", Name: version.Name}

	clusterVersion := &updatev1alpha1.ClusterVersionInsight{
		Resource:     ref,
		Conditions:   []metav1.Condition{updating},
		Versions:     controlplane.VersionsOf(version.Status.History),
		Requested:    observed.Requested,
		Completion:   operators.Completion(),
		Assessment:   operators.Assess(version.Status.History, estimate),
		Reported:     reportedProgress(version, operators, updating),
		Manifests:    observed.attempts.manifests,
		WaitingOn:    observed.attempts.waitingOn,
		ProgressedAt: assess.OptionalTime(observed.attempts.progressedAt),
	}
	if history := version.Status.History; len(history) > 0 {
		clusterVersion.StartedAt = assess.OptionalTime(history[0].StartedTime.Time)
		if history[0].State == configv1.CompletedUpdate {
			clusterVersion.CompletedAt = assess.OptionalTime(assess.TimeOf(history[0].CompletionTime))
		}
		if !controlplane.IsMigration(history) {
			clusterVersion.EstimatedCompletedAt = estimate.CompletedAt()
		}
	}
	report.Insights = []insight.ScopedInsight{{Part: insight.ControlPlane, Insight: updatev1alpha1.Insight{
		UID:            insight.UID("cv", version.Name),
		Type:           updatev1alpha1.InsightClusterVersion,
		ClusterVersion: clusterVersion,
	}}}
	health, nextCheck := assess.CheckHealth(versionChecks, checkedVersion{version, operators, asked, in.applied(), observed, in.leaseRead(now), now, in.Pods}, assess.Subject{Resource: ref, Part: insight.ControlPlane}, now)
	report.Insights = append(report.Insights, health...)
	next := assess.Earliest(assess.Earliest(estimate.NextCheck, nextCheck), assess.Earliest(observed.attempts.nextCheck(), observed.failure.nextCheck(now)))
	return assess.Result{Report: report, NextCheck: next}, observed
}

// operatorInput returns what a cluster operator is assessed from.
func (in ClusterVersionInput) operatorInput(operator *configv1.ClusterOperator) controlplane.OperatorInput {
	one := controlplane.OperatorInput{Operator: operator, MachineConfigOperator: in.MachineConfigOperator, Pods: in.Pods[operator.Name]}
	if in.ClusterVersion != nil {
		status := in.ClusterVersion.Status
		one.Target = status.Desired.Version
		if in.runsUnseen(operator) {
			one.Target = in.ClusterVersion.Spec.DesiredUpdate.Version
		}
		if isUnfinished(in) {
			one.Started = status.History[0].StartedTime.Time
		}
		one.IsComplete = len(status.History) > 0 && status.History[0].State == configv1.CompletedUpdate && status.History[0].Version == one.Target
	}
	return one
}

func operatorsOf(in ClusterVersionInput, now time.Time) controlplane.Operators {
	var counted controlplane.Operators
	var machineConfigSince time.Time
	for _, operator := range in.ClusterOperators {
		if !controlplane.InPayload(operator) {
			continue
		}
		operator = controlplane.WithKnownTimes(operator, now)
		counted.Total++
		progressing := controlplane.FindCondition(operator.Status.Conditions, configv1.OperatorProgressing)
		if progressing != nil && progressing.LastTransitionTime.After(counted.LastTransition) {
			counted.LastTransition = progressing.LastTransitionTime.Time
		}
		for _, kind := range []configv1.ClusterStatusConditionType{configv1.OperatorAvailable, configv1.OperatorProgressing, configv1.OperatorDegraded} {
			if condition := controlplane.FindCondition(operator.Status.Conditions, kind); condition != nil {
				counted.LastChange = assess.Later(counted.LastChange, condition.LastTransitionTime.Time)
			}
		}
		if in.operatorInput(operator).IsUpdated() {
			counted.Updated++
			continue
		}
		if operator.Name == controlplane.MachineConfigOperator && controlplane.IsTrue(progressing) {
			machineConfigSince = progressing.LastTransitionTime.Time
		}
	}
	if in.Partial && counted.Total > 0 {
		counted.Total += len(missingOperators(in.ClusterVersion, in.ClusterOperators))
	}
	counted.IsUnfinished = isUnfinished(in)
	if counted.Total-counted.Updated == 1 {
		counted.OnlyMachineConfigSince = machineConfigSince
	}
	return counted
}

// isUnfinished returns whether the newest update of a ClusterVersion is not complete.
func isUnfinished(in ClusterVersionInput) bool {
	history := in.ClusterVersion.Status.History
	return len(history) > 0 && history[0].State != configv1.CompletedUpdate
}

// clusterVersionUpdating returns the condition Updating. A ClusterVersion that progresses with a completed history reconciles, as after
// a change of its overrides, its capabilities or force (openshift/cluster-version-operator, pkg/cvo/sync_worker.go).
func clusterVersionUpdating(version *configv1.ClusterVersion, operators controlplane.Operators, asked request) metav1.Condition {
	unknown := func(message string) metav1.Condition {
		return assess.Condition(updatev1alpha1.ConditionUpdating, metav1.ConditionUnknown,
			updatev1alpha1.ReasonCannotDetermineUpdating, message, time.Time{})
	}
	progressing := controlplane.FindCondition(version.Status.Conditions, configv1.OperatorProgressing)
	history := version.Status.History
	switch {
	case progressing == nil:
		return unknown("The ClusterVersion has no Progressing condition")
	case len(history) == 0:
		return unknown("The history of the ClusterVersion is empty")
	case operators.Total == 0:
		return unknown("No ClusterOperator belongs to the release payload")
	}
	newest := history[0]
	release := cmp.Or(newest.Version, "a release of unknown version")
	switch {
	case progressing.Status == configv1.ConditionTrue && newest.State == configv1.PartialUpdate:
		return assess.Condition(updatev1alpha1.ConditionUpdating, metav1.ConditionTrue,
			updatev1alpha1.ReasonClusterVersionProgressing,
			progressMessage(release, operators, progressing), newest.StartedTime.Time)
	case newest.State == configv1.CompletedUpdate && asked.RequestedUpdate != nil && progressing.Status != configv1.ConditionUnknown:
		return asked.condition()
	case newest.State == configv1.CompletedUpdate && progressing.Status != configv1.ConditionUnknown:
		return assess.Condition(updatev1alpha1.ConditionUpdating, metav1.ConditionFalse,
			updatev1alpha1.ReasonClusterVersionNotProgressing,
			"The ClusterVersion has completed "+release, assess.TimeOf(newest.CompletionTime))
	default:
		return unknown(fmt.Sprintf("The ClusterVersion has Progressing=%s while its newest update is %s",
			progressing.Status, newest.State))
	}
}

// reportedProgress is what the ClusterVersion waits for once all operators are updated, nil before that: its message then changes with each
// manifest, and the operators tell what the update waits for.
func reportedProgress(version *configv1.ClusterVersion, operators controlplane.Operators, updating metav1.Condition) *updatev1alpha1.ComponentReport {
	progressing := controlplane.FindCondition(version.Status.Conditions, configv1.OperatorProgressing)
	if updating.Reason != updatev1alpha1.ReasonClusterVersionProgressing || !operators.AllUpdated() || progressing.Message == "" {
		return nil
	}
	return &updatev1alpha1.ComponentReport{
		Component: updatev1alpha1.ComponentClusterVersionOperator,
		Message:   insight.Shorten(insight.OneLine(progressing.Message), updatev1alpha1.NodeMessageMaxLength),
	}
}

// progressMessage says what the ClusterVersion waits for, see reportedProgress.
func progressMessage(release string, operators controlplane.Operators, progressing *configv1.ClusterOperatorStatusCondition) string {
	if !operators.AllUpdated() || progressing.Message == "" {
		return "The ClusterVersion is progressing to " + release
	}
	return insight.Shorten("All cluster operators are updated: "+insight.OneLine(progressing.Message), updatev1alpha1.NodeMessageMaxLength)
}

func clusterVersionTimes(version *configv1.ClusterVersion) []*metav1.Time {
	times := controlplane.ConditionTimes(version.Status.Conditions)
	for at := range version.Status.History {
		item := &version.Status.History[at]
		times = append(times, &item.StartedTime, item.CompletionTime)
	}
	return times
}
