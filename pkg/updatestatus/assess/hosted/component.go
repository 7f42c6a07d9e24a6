package hosted

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Conditions of components, and reasons of RolloutComplete while it is False.
const (
	conditionComponentAvailable = "Available"
	conditionRolloutComplete    = "RolloutComplete"

	reasonWaitingForDependencies = "WaitingForDependencies"
	reasonReconciliationError    = "ReconciliationError"
	reasonWaitingForRollout      = "WaitingForRolloutComplete"
	// reasonWaitingForOperands is that of a component that is rolled out, as long as what it deploys is not: those of the network, storage
	// and snapshots (openshift/hypershift: support/controlplane-component/status.go, setRolloutCompleteCondition).
	reasonWaitingForOperands = "WaitingForOperands"
)

// hypershiftComponents are written by the operator of the management cluster, which can be newer than the hosted release: below 4.20 there
// are no others. Karpenter is written by its operator (openshift/hypershift: hypershift-operator/controllers/hostedcluster).
var hypershiftComponents = map[string]bool{
	firstComponent: true, "cluster-api": true, "capi-provider": true, "karpenter-operator": true, "karpenter": true,
}

// isLeftover returns whether a component is of a HyperShift of 4.18 or 4.19. These set its version before they roll it out, and have
// Progressing instead of RolloutComplete. Later ones leave it as it is.
func isLeftover(component *hypershiftv1beta1.ControlPlaneComponent) bool {
	conditions := component.Status.Conditions
	return meta.FindStatusCondition(conditions, conditionProgressing) != nil && meta.FindStatusCondition(conditions, conditionRolloutComplete) == nil
}

// reporting returns the components by which it is known how far a control plane is: none if they are not those of its release.
func reporting(components []*hypershiftv1beta1.ControlPlaneComponent) []*hypershiftv1beta1.ControlPlaneComponent {
	found := slices.DeleteFunc(slices.Clone(components), isLeftover)
	if !slices.ContainsFunc(found, func(one *hypershiftv1beta1.ControlPlaneComponent) bool { return !hypershiftComponents[one.Name] }) {
		return nil
	}
	return found
}

// ComponentInput is what a component of the control plane of a hosted cluster is assessed from.
type ComponentInput struct {
	Component *hypershiftv1beta1.ControlPlaneComponent
	// Components are all of the control plane. Without one of its release they don't tell how far it is, and have health insights alone.
	Components []*hypershiftv1beta1.ControlPlaneComponent
	// HostedCluster is nil if there is none.
	HostedCluster *hypershiftv1beta1.HostedCluster
	// RolloutObserved is when the component was first observed being rolled out, zero if it was not.
	RolloutObserved time.Time
}

// Component assesses a component of the control plane of a hosted cluster, as an operator. The result changes without an event when
// the component has been unavailable, or is being rolled out, for long enough.
func Component(in ComponentInput, now time.Time) assess.Result {
	component := assess.WithKnownTimes(in.Component, componentTimes, now)
	in.Component = component
	report := insight.Report{Subject: insight.Subject{Kind: "ControlPlaneComponent", Name: component.Name}}
	if in.HostedCluster == nil {
		return assess.Result{Report: report}
	}
	ref := hypershiftRef(assess.ComponentResource, component)
	updating := in.updating(readRelease(in.HostedCluster, in.Components, now))
	one := &updatev1alpha1.ClusterOperatorInsight{
		Name: component.Name, Resource: ref, Conditions: []metav1.Condition{updating, componentHealthy(component)},
	}
	if updating.Status == metav1.ConditionTrue {
		rollout := meta.FindStatusCondition(component.Status.Conditions, conditionRolloutComplete)
		one.Reason = insight.Shorten(rollout.Reason, controlplane.ReasonMaxLength)
	}
	isNamed := func(reporting *hypershiftv1beta1.ControlPlaneComponent) bool { return reporting.Name == component.Name }
	if slices.ContainsFunc(reporting(in.Components), isNamed) {
		report.Insights = []insight.ScopedInsight{{Part: insight.ControlPlane, Insight: updatev1alpha1.Insight{
			UID: insight.UID("cpc", component.Name), Type: updatev1alpha1.InsightControlPlaneComponent, ControlPlaneComponent: one,
		}}}
	}
	health, nextCheck := assess.CheckHealth(componentChecks, in, assess.Subject{Resource: ref, Part: insight.ControlPlane}, now)
	report.Insights = append(report.Insights, health...)
	return assess.Result{Report: report, NextCheck: nextCheck}
}

// rolledOutSince returns since when the component has been rolled out, at the earliest: the condition has the time at which the
// component began to wait for others.
func (in ComponentInput) rolledOutSince() time.Time {
	rollout := meta.FindStatusCondition(in.Component.Status.Conditions, conditionRolloutComplete)
	if rollout == nil || rollout.Status != metav1.ConditionFalse {
		return time.Time{}
	}
	return assess.WholeSecond(assess.Later(rollout.LastTransitionTime.Time, in.RolloutObserved))
}

// updating: a component gets its new version when its rollout is complete. One with the version of the update that rolls
// out again has another configuration, which is no update.
func (in ComponentInput) updating(release releaseState) metav1.Condition {
	const kind = updatev1alpha1.ConditionUpdating
	component := in.Component
	rollout := meta.FindStatusCondition(component.Status.Conditions, conditionRolloutComplete)
	switch {
	case len(release.history) == 0:
		return assess.Condition(kind, metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine, noHistory, time.Time{})
	case isLeftover(component):
		return assess.Condition(kind, metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine,
			"The component does not report whether it is rolled out", time.Time{})
	case release.components.isRunBy(component.Status.Version):
		return assess.Condition(kind, metav1.ConditionFalse, updatev1alpha1.ReasonUpdated, "", time.Time{})
	case release.isComplete():
		return assess.Condition(kind, metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine,
			fmt.Sprintf("The component has the version %q and not that of the control plane, but the HostedCluster reports no update",
				component.Status.Version), time.Time{})
	case rollout == nil || rollout.Status == metav1.ConditionUnknown:
		return assess.Condition(kind, metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine,
			"The component does not report whether it is rolled out", time.Time{})
	case rollout.Status == metav1.ConditionFalse && rollout.Reason != reasonWaitingForDependencies:
		return assess.Condition(kind, metav1.ConditionTrue, updatev1alpha1.ReasonProgressing, rollout.Message, in.rolledOutSince())
	case rollout.Status == metav1.ConditionFalse:
		return assess.Condition(kind, metav1.ConditionFalse, updatev1alpha1.ReasonPending, rollout.Message, time.Time{})
	default:
		return assess.Condition(kind, metav1.ConditionFalse, updatev1alpha1.ReasonPending, "", time.Time{})
	}
}

func componentHealthy(component *hypershiftv1beta1.ControlPlaneComponent) metav1.Condition {
	const kind = updatev1alpha1.ConditionHealthy
	available := meta.FindStatusCondition(component.Status.Conditions, conditionComponentAvailable)
	rollout := meta.FindStatusCondition(component.Status.Conditions, conditionRolloutComplete)
	switch {
	case available == nil:
		return assess.Condition(kind, metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine, "The component has no Available condition", time.Time{})
	case available.Status != metav1.ConditionTrue:
		return assess.Condition(kind, metav1.ConditionFalse, updatev1alpha1.ReasonUnavailable, available.Message, available.LastTransitionTime.Time)
	case isReconciliationError(rollout):
		return assess.Condition(kind, metav1.ConditionFalse, updatev1alpha1.ReasonDegraded, rollout.Message, rollout.LastTransitionTime.Time)
	default:
		return assess.Condition(kind, metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected, "", time.Time{})
	}
}

func isReconciliationError(rollout *metav1.Condition) bool {
	return rollout != nil && rollout.Status == metav1.ConditionFalse && rollout.Reason == reasonReconciliationError
}

func componentTimes(component *hypershiftv1beta1.ControlPlaneComponent) []*metav1.Time {
	return assess.ConditionTimes(component.Status.Conditions)
}
