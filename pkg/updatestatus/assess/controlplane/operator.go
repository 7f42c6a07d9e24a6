package controlplane

import (
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

const (
	// MachineConfigOperatorNamespace is the namespace of the Deployment whose image tells which operating system images the
	// machine-config operator brings.
	MachineConfigOperatorNamespace = "openshift-machine-config-operator"
	// MachineConfigOperatorDeployment is the name of that Deployment.
	MachineConfigOperatorDeployment = "machine-config-operator"

	// MachineConfigOperator is the name of the cluster operator that updates the nodes.
	MachineConfigOperator = "machine-config"
	// machineConfigContainer is the container of its Deployment that runs the operator's image.
	machineConfigContainer = "machine-config-operator"

	// operatorVersion is the version that every operator of the payload reports (openshift/enhancements, ClusterOperator
	// conventions); operatorImage is reported by machine-config alone.
	operatorVersion = "operator"
	operatorImage   = "operator-image"

	// ReasonMaxLength bounds an operator's own reason, in characters: the API's limit.
	ReasonMaxLength = 256
)

// InPayload returns whether an operator belongs to the release payload, by the annotations that the Cluster Version Operator
// sets. All others were installed by users, and are not part of the update.
func InPayload(operator *configv1.ClusterOperator) bool {
	for key := range operator.Annotations {
		if strings.HasPrefix(key, "include.release.openshift.io/") || strings.HasPrefix(key, "exclude.release.openshift.io/") {
			return true
		}
	}
	return false
}

// OperatorInput is what a cluster operator is assessed from.
type OperatorInput struct {
	Operator *configv1.ClusterOperator
	// Target is the version that the operator is updated to, empty if it is unknown.
	Target string
	// IsComplete is whether the update to the target is complete. An operator with another version may be newer than the target, since
	// objects are watched independently: no update is in progress until the ClusterVersion reports it.
	IsComplete bool
	// Started is when the update that is in progress did, zero if none is.
	Started time.Time
	// MachineConfigOperator is the Deployment of that name, nil if it is unknown.
	MachineConfigOperator *appsv1.Deployment
	// Pods are those of its namespaces, nil if they are not known or need not be.
	Pods *assess.Pods
	// Cluster is the cluster that has the operator, if it is that of a hosted cluster.
	Cluster updatev1alpha1.ResourceCluster
}

// Operator assesses a cluster operator. An operator outside the payload has no insight. The result changes without an
// event when the operator has been unavailable or degraded for long enough.
func Operator(in OperatorInput, now time.Time) assess.Result {
	in.Operator = WithKnownTimes(in.Operator, now)
	operator := in.Operator
	report := insight.Report{Subject: assess.OperatorSubject(operator.Name)}
	if !InPayload(operator) {
		return assess.Result{Report: report}
	}
	ref := assess.OperatorRef(operator.Name)
	ref.Cluster = in.Cluster
	updating := operatorUpdating(in)
	clusterOperator := &updatev1alpha1.ClusterOperatorInsight{
		Name:       operator.Name,
		Resource:   ref,
		Conditions: []metav1.Condition{updating, operatorHealthy(operator)},
	}
	if updating.Status == metav1.ConditionTrue {
		progressing := FindCondition(operator.Status.Conditions, configv1.OperatorProgressing)
		clusterOperator.Reason = insight.Shorten(progressing.Reason, ReasonMaxLength)
		clusterOperator.Reported = syncReport(operator)
	}
	report.Insights = []insight.ScopedInsight{{Part: insight.ControlPlane, Insight: updatev1alpha1.Insight{
		UID:             insight.UID("co", operator.Name),
		Type:            updatev1alpha1.InsightClusterOperator,
		ClusterOperator: clusterOperator,
	}}}
	if in.Pods != nil {
		report.Insights[0].Pod, report.Insights[0].PodsUnread = in.Pods.Worst, in.Pods.Unread
	}
	subject := assess.Subject{Resource: ref, Part: insight.ControlPlane, Pods: in.Pods}
	health, nextCheck := assess.CheckHealth(OperatorChecks, operator, subject, now)
	unknown, next := assess.CheckHealth(UpdateChecks, in, subject, now)
	report.Insights = append(append(report.Insights, health...), unknown...)
	return assess.Result{Report: report, NextCheck: assess.Earliest(nextCheck, next)}
}

// IsUpdated returns whether the operator runs the target version, and machine-config also the target image: a migration
// to multi-architecture changes only images.
func (in OperatorInput) IsUpdated() bool {
	if in.Target == "" || OperatorVersion(in.Operator) != in.Target {
		return false
	}
	if in.Operator.Name != MachineConfigOperator {
		return true
	}
	image, reported := operandVersion(in.Operator, operatorImage)
	wanted, known := machineConfigImage(in.MachineConfigOperator)
	return !reported || !known || image == wanted
}

// OperatorVersion returns the version of an operator, empty if it reports none.
func OperatorVersion(operator *configv1.ClusterOperator) string {
	version, _ := operandVersion(operator, operatorVersion)
	return version
}

func operandVersion(operator *configv1.ClusterOperator, name string) (string, bool) {
	for _, operand := range operator.Status.Versions {
		if operand.Name == name {
			return operand.Version, true
		}
	}
	return "", false
}

func machineConfigImage(deployment *appsv1.Deployment) (string, bool) {
	if deployment == nil {
		return "", false
	}
	for _, container := range deployment.Spec.Template.Spec.Containers {
		if container.Name == machineConfigContainer {
			return container.Image, true
		}
	}
	return "", false
}

func operatorUpdating(in OperatorInput) metav1.Condition {
	const kind = updatev1alpha1.ConditionUpdating
	progressing := FindCondition(in.Operator.Status.Conditions, configv1.OperatorProgressing)
	switch {
	case in.IsUpdated():
		return assess.Condition(kind, metav1.ConditionFalse, updatev1alpha1.ReasonUpdated, "", time.Time{})
	case progressing == nil:
		return assess.Condition(kind, metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine,
			"The operator has no Progressing condition", time.Time{})
	case progressing.Status == configv1.ConditionTrue && in.IsComplete:
		return assess.Condition(kind, metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine,
			"The operator does not have the version of the cluster and is progressing, but no update of the cluster is in progress", time.Time{})
	case progressing.Status == configv1.ConditionTrue:
		return assess.Condition(kind, metav1.ConditionTrue, updatev1alpha1.ReasonProgressing,
			progressing.Message, progressing.LastTransitionTime.Time)
	case progressing.Status == configv1.ConditionFalse:
		return assess.Condition(kind, metav1.ConditionFalse, updatev1alpha1.ReasonPending, "", time.Time{})
	default:
		return assess.Condition(kind, metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine,
			"The operator has Progressing=Unknown: "+progressing.Message, progressing.LastTransitionTime.Time)
	}
}

func operatorHealthy(operator *configv1.ClusterOperator) metav1.Condition {
	const kind = updatev1alpha1.ConditionHealthy
	available := FindCondition(operator.Status.Conditions, configv1.OperatorAvailable)
	degraded := FindCondition(operator.Status.Conditions, configv1.OperatorDegraded)
	switch {
	case available == nil:
		return assess.Condition(kind, metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine,
			"The operator has no Available condition", time.Time{})
	case !IsTrue(available):
		return assess.Condition(kind, metav1.ConditionFalse, updatev1alpha1.ReasonUnavailable,
			available.Message, available.LastTransitionTime.Time)
	case degraded == nil:
		return assess.Condition(kind, metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine,
			"The operator has no Degraded condition", time.Time{})
	case degraded.Status == configv1.ConditionUnknown:
		return assess.Condition(kind, metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine,
			strings.TrimSuffix("The operator has Degraded=Unknown: "+degraded.Message, ": "), degraded.LastTransitionTime.Time)
	case IsTrue(degraded):
		return assess.Condition(kind, metav1.ConditionFalse, updatev1alpha1.ReasonDegraded,
			degraded.Message, degraded.LastTransitionTime.Time)
	default:
		return assess.Condition(kind, metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected, "", time.Time{})
	}
}
