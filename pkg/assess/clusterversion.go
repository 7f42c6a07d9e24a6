package assess

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// ClusterVersionInput is what the control plane as a whole is assessed from.
type ClusterVersionInput struct {
	// ClusterVersion is the cluster's ClusterVersion, nil if there is none.
	ClusterVersion *configv1.ClusterVersion
	// ClusterOperators are all of the cluster; those outside the payload are ignored.
	ClusterOperators []*configv1.ClusterOperator
	// MachineConfigOperator is the Deployment of that name, nil if it is unknown.
	MachineConfigOperator *appsv1.Deployment
	// Files is set if the objects come from files, which may lack some.
	Files bool
}

// ClusterVersion assesses the control plane as a whole. The result changes without an event when the estimate passes, and again
// when it has passed by stalledAfter.
func ClusterVersion(in ClusterVersionInput, now time.Time) Result {
	report := insight.Report{Subject: ClusterVersionSubject()}
	version := in.ClusterVersion
	if version == nil {
		return Result{Report: report}
	}
	version = withKnownTimes(version, clusterVersionTimes, now)

	operators := operatorsOf(in, now)
	estimate := estimateCompletion(version.Status.History, operators, now)
	updating := clusterVersionUpdating(version, operators)
	ref := updatev1alpha1.ResourceRef{Group: configv1.GroupName, Resource: "clusterversions", Name: version.Name}

	clusterVersion := &updatev1alpha1.ClusterVersionInsight{
		Resource:   ref,
		Conditions: []metav1.Condition{updating},
		Versions:   versionsOf(version.Status.History),
		Completion: operators.completion(),
		Assessment: assessControlPlane(version.Status.History, operators, estimate),
	}
	if history := version.Status.History; len(history) > 0 {
		clusterVersion.StartedAt = optionalTime(history[0].StartedTime.Time)
		if history[0].State == configv1.CompletedUpdate {
			clusterVersion.CompletedAt = optionalTime(timeOf(history[0].CompletionTime))
		}
		if !migrating(history) {
			clusterVersion.EstimatedCompletedAt = estimate.completedAt()
		}
	}
	report.Insights = []insight.ScopedInsight{{Part: insight.ControlPlane, Insight: updatev1alpha1.Insight{
		UID:            insight.UID("cv", version.Name),
		Type:           updatev1alpha1.InsightClusterVersion,
		ClusterVersion: clusterVersion,
	}}}
	health, nextCheck := checkHealth(versionChecks, checkedVersion{version, operators}, subject{resource: ref, part: insight.ControlPlane}, now)
	report.Insights = append(report.Insights, health...)
	return Result{Report: report, NextCheck: earliest(estimate.nextCheck, nextCheck)}
}

// operators counts the cluster operators of the payload.
type operators struct {
	total   int
	updated int
	// lastTransition is the newest transition time of their Progressing conditions.
	lastTransition time.Time
	// onlyMachineConfigSince is when machine-config started to progress, if it is the only one that is not updated.
	onlyMachineConfigSince time.Time
	// isUnfinished is set while the ClusterVersion has not completed the update. The operators are updated some seconds earlier, and
	// a manifest may fail after them: the Cluster Version Operator completes an update when it has applied all of them
	// (openshift/cluster-version-operator, pkg/cvo/sync_worker.go and pkg/cvo/status.go).
	isUnfinished bool
}

func operatorsOf(in ClusterVersionInput, now time.Time) operators {
	var counted operators
	var machineConfigSince time.Time
	for _, operator := range in.ClusterOperators {
		if !InPayload(operator) {
			continue
		}
		operator = withKnownTimes(operator, clusterOperatorTimes, now)
		counted.total++
		progressing := findCondition(operator.Status.Conditions, configv1.OperatorProgressing)
		if progressing != nil && progressing.LastTransitionTime.After(counted.lastTransition) {
			counted.lastTransition = progressing.LastTransitionTime.Time
		}
		if operatorUpdated(ClusterOperatorInput{Operator: operator, ClusterVersion: in.ClusterVersion, MachineConfigOperator: in.MachineConfigOperator}) {
			counted.updated++
			continue
		}
		if operator.Name == MachineConfigOperator && isTrue(progressing) {
			machineConfigSince = progressing.LastTransitionTime.Time
		}
	}
	if in.Files && counted.total > 0 {
		counted.total += len(missingOperators(in.ClusterVersion, in.ClusterOperators))
	}
	counted.isUnfinished = isUnfinished(in)
	if counted.total-counted.updated == 1 {
		counted.onlyMachineConfigSince = machineConfigSince
	}
	return counted
}

// isUnfinished returns whether the newest update of a ClusterVersion is not complete. Files in which it progresses may be older than
// its history.
func isUnfinished(in ClusterVersionInput) bool {
	status := in.ClusterVersion.Status
	return len(status.History) > 0 && status.History[0].State != configv1.CompletedUpdate ||
		in.Files && isTrue(findCondition(status.Conditions, configv1.OperatorProgressing))
}

// allUpdated returns whether every operator is updated.
func (o operators) allUpdated() bool {
	return o.total > 0 && o.updated == o.total
}

// areComplete returns whether the update of the control plane is complete.
func (o operators) areComplete() bool {
	return o.allUpdated() && !o.isUnfinished
}

// share returns the share of updated operators, between 0 and 1.
func (o operators) share() float64 {
	if o.total == 0 {
		return 0
	}
	return float64(o.updated) / float64(o.total)
}

// completion returns the share in percent, rounded half to even; 100 only if the update is complete.
func (o operators) completion() int32 {
	if o.areComplete() {
		return 100
	}
	return int32(min(99, math.RoundToEven(100*o.share())))
}

func clusterVersionUpdating(version *configv1.ClusterVersion, operators operators) metav1.Condition {
	unknown := func(message string) metav1.Condition {
		return condition(updatev1alpha1.ConditionUpdating, metav1.ConditionUnknown,
			updatev1alpha1.ReasonCannotDetermineUpdating, message, time.Time{})
	}
	progressing := findCondition(version.Status.Conditions, configv1.OperatorProgressing)
	history := version.Status.History
	switch {
	case progressing == nil:
		return unknown("The ClusterVersion has no Progressing condition")
	case len(history) == 0:
		return unknown("The history of the ClusterVersion is empty")
	case operators.total == 0:
		return unknown("No ClusterOperator belongs to the release payload")
	}
	newest := history[0]
	release := cmp.Or(newest.Version, "a release of unknown version")
	switch {
	case progressing.Status == configv1.ConditionTrue && newest.State == configv1.PartialUpdate:
		return condition(updatev1alpha1.ConditionUpdating, metav1.ConditionTrue,
			updatev1alpha1.ReasonClusterVersionProgressing,
			progressMessage(release, operators, progressing), newest.StartedTime.Time)
	case progressing.Status == configv1.ConditionFalse && newest.State == configv1.CompletedUpdate:
		return condition(updatev1alpha1.ConditionUpdating, metav1.ConditionFalse,
			updatev1alpha1.ReasonClusterVersionNotProgressing,
			"The ClusterVersion has completed "+release, timeOf(newest.CompletionTime))
	default:
		return unknown(fmt.Sprintf("The ClusterVersion has Progressing=%s while its newest update is %s",
			progressing.Status, newest.State))
	}
}

// OperatorsUpdatedMessage is how the message of Updating starts while the operators are updated and the update is not complete. What
// the ClusterVersion says follows.
const OperatorsUpdatedMessage = "All cluster operators are updated: "

// progressMessage is what the ClusterVersion waits for once all operators are updated. Before that its message changes with each
// manifest, and the operators tell what the update waits for.
func progressMessage(release string, operators operators, progressing *configv1.ClusterOperatorStatusCondition) string {
	message := "The ClusterVersion is progressing to " + release
	if !operators.allUpdated() || progressing.Message == "" {
		return message
	}
	return insight.Shorten(OperatorsUpdatedMessage+insight.OneLine(progressing.Message), updatev1alpha1.NodeMessageMaxLength)
}

// assessControlPlane uses the count of operators first, then the estimate. An update that the ClusterVersion has completed
// stays completed whatever its operators report later.
func assessControlPlane(history []configv1.UpdateHistory, operators operators, estimate estimate) updatev1alpha1.Assessment {
	switch {
	case len(history) == 0 || operators.total == 0:
		return updatev1alpha1.AssessmentUnknown
	case operators.areComplete() || history[0].State == configv1.CompletedUpdate && !operators.isUnfinished:
		return updatev1alpha1.AssessmentCompleted
	case estimate.remaining < -stalledAfter:
		return updatev1alpha1.AssessmentStalled
	case estimate.remaining < 0:
		return updatev1alpha1.AssessmentProgressingSlow
	default:
		return updatev1alpha1.AssessmentProgressing
	}
}

// multiArchitecture is the architecture of the release image for all architectures.
const multiArchitecture = "Multi"

func versionsOf(history []configv1.UpdateHistory) updatev1alpha1.ControlPlaneVersions {
	var versions updatev1alpha1.ControlPlaneVersions
	if len(history) == 0 {
		return versions
	}
	versions.Target = versionOf(history[0].Version)
	if len(history) == 1 {
		addMetadata(versions.Target, updatev1alpha1.VersionMetadata{Key: updatev1alpha1.VersionInstallation, Boolean: ptr(true)})
		return versions
	}
	versions.Previous = versionOf(history[1].Version)
	if history[1].State == configv1.PartialUpdate {
		addMetadata(versions.Previous, updatev1alpha1.VersionMetadata{Key: updatev1alpha1.VersionPartial, Boolean: ptr(true)})
	}
	if migrating(history) {
		addMetadata(versions.Target, updatev1alpha1.VersionMetadata{Key: updatev1alpha1.VersionArchitecture, String: ptr(multiArchitecture)})
	}
	return versions
}

var versionPattern = regexp.MustCompile(updatev1alpha1.VersionPattern)

// versionOf returns nil if the version is not semantic: an update by image has none until its payload is loaded.
func versionOf(version string) *updatev1alpha1.Version {
	if fit := fitVersion(version); fit != "" {
		return &updatev1alpha1.Version{Version: fit}
	}
	return nil
}

// fitVersion returns the version if it is valid in the API, empty otherwise.
func fitVersion(version string) string {
	if len(version) > updatev1alpha1.VersionMaxLength || !versionPattern.MatchString(version) {
		return ""
	}
	return version
}

func addMetadata(version *updatev1alpha1.Version, metadata updatev1alpha1.VersionMetadata) {
	if version != nil {
		version.Metadata = append(version.Metadata, metadata)
	}
}

// migrating returns whether the newest update of a history is a migration to the multi-architecture release: it changes the
// images but not the version.
func migrating(history []configv1.UpdateHistory) bool {
	return len(history) > 1 && history[0].Version == history[1].Version && history[0].Image != history[1].Image
}
