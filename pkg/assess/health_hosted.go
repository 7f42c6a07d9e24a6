package assess

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Pages about hosted clusters.
const (
	docsHostedUpdating        = "https://docs.openshift.com/container-platform/latest/hosted_control_planes/hcp-updating.html"
	docsHostedTroubleshooting = "https://docs.openshift.com/container-platform/latest/hosted_control_planes/hcp-troubleshooting.html"
)

// checkedHosted is the release of a HostedCluster, and how far its operators are.
type checkedHosted struct {
	hostedRelease
	operators operators
	// hasNoNodes is whether it has no nodes, and isPaused whether HyperShift changes nothing of it.
	hasNoNodes, isPaused bool
}

// hostedChecks are those of a HostedCluster.
var hostedChecks = []check[checkedHosted]{
	{hostedBlocked, HealthCheck{
		Name: "hosted-cluster-blocked", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: NeitherCauseNorEffect,
		Appears: "HyperShift refuses the release that the HostedCluster asks for: its image is not valid, or the cluster is not " +
			"upgradeable to the next minor version",
		Response: "The description says why. Correct `.spec.release` of the HostedCluster, or what its condition " +
			"ClusterVersionUpgradeable names.",
		NextSteps: []string{describeHostedCluster},
	}},
	{hostedPaused, HealthCheck{
		Name: "hosted-cluster-paused", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: Cause,
		Appears:   "the HostedCluster is paused, and an update is asked for or half-way; a payload that is being applied goes on",
		Response:  "Remove `.spec.pausedUntil` of the HostedCluster when it may be updated.",
		NextSteps: []string{`oc patch hostedcluster -n NAMESPACE HOSTEDCLUSTER --type=merge -p '{"spec":{"pausedUntil":null}}'`},
	}},
	{hostedFailing, HealthCheck{
		Name: "hosted-cluster-failing", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: Effect,
		Appears: "ClusterVersionSucceeding of the HostedCluster is False (of Info without nodes, where it always is)",
		Response: "Check what the message names, most often an operator of the hosted cluster. Without nodes its operators can't be " +
			"updated.",
		NextSteps: []string{describeHostedCluster, "oc get clusteroperators" + inHosted},
	}},
	{hostedCondition(conditionHostedAvailable, "is unavailable"), HealthCheck{
		Name: "hosted-cluster-unavailable", Impact: updatev1alpha1.ImpactAPIAvailability, Causality: Effect, thresholds: unavailableThresholds,
		Appears:   "Available of the HostedCluster has been False for more than 5 minutes",
		Response:  "Check the pods of its control plane in the management cluster.",
		NextSteps: []string{describeHostedCluster, controlPlanePods},
	}},
	{hostedCondition(conditionEtcd, "has an unavailable etcd"), HealthCheck{
		Name: "hosted-cluster-etcd-unavailable", Impact: updatev1alpha1.ImpactAPIAvailability, Causality: CauseAndEffect,
		thresholds: unavailableThresholds,
		Appears:    "EtcdAvailable has been False for more than 5 minutes",
		Response:   "Check the pods and volumes of etcd in the namespace of the control plane.",
		NextSteps:  []string{describeHostedCluster, controlPlanePods},
	}},
	{hostedCondition(conditionKubeAPIServer, "has an unavailable API server"), HealthCheck{
		Name: "hosted-cluster-api-server-unavailable", Impact: updatev1alpha1.ImpactAPIAvailability, Causality: CauseAndEffect,
		thresholds: unavailableThresholds,
		Appears:    "KubeAPIServerAvailable has been False for more than 5 minutes",
		Response:   "Check the pods of kube-apiserver in the namespace of the control plane.",
		NextSteps:  []string{describeHostedCluster, controlPlanePods},
	}},
	{hostedCondition(conditionDataPlaneConnected, "has no connection to its nodes"), HealthCheck{
		Name: "hosted-cluster-disconnected", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: Effect, thresholds: unavailableThresholds,
		Appears:   "DataPlaneConnectionAvailable has been False for more than 5 minutes",
		Response:  "Check the konnectivity pods on both sides, and the network between the nodes and the management cluster.",
		NextSteps: []string{describeHostedCluster, controlPlanePods},
	}},
	{hostedPreviousIncomplete, HealthCheck{
		Name: "hosted-cluster-previous-incomplete", Impact: updatev1alpha1.ImpactNone, Causality: NeitherCauseNorEffect,
		Appears:   "the update started while the previous one was incomplete, until its control plane is complete",
		Response:  "No action required. Let the update complete.",
		NextSteps: []string{describeHostedCluster},
	}},
}

// hostedBlocked is about a release that HyperShift refuses to update to. A pause is another check.
func hostedBlocked(checked checkedHosted) *finding {
	hosted := checked.hosted
	if !checked.isRefused() || checked.isPaused || !checked.isAnotherAsked() {
		return nil
	}
	progressing := meta.FindStatusCondition(hosted.Status.Conditions, conditionProgressing)
	description := cmp.Or(progressing.Message, noMessage)
	if image := meta.FindStatusCondition(hosted.Status.Conditions, conditionReleaseImage); image != nil && image.Status == metav1.ConditionFalse {
		description += "\n" + image.Message
	}
	return &finding{
		since:       progressing.LastTransitionTime.Time,
		summary:     fmt.Sprintf("The update of hosted cluster %s is blocked", hosted.Name),
		description: fmt.Sprintf("The release %s is asked for. %s", hosted.Spec.Release.Image, description),
		reference:   docsHostedUpdating,
	}
}

// hostedPaused is about an update that is asked for, or has started, while HyperShift is paused. A payload that is being applied goes on.
func hostedPaused(checked checkedHosted) *finding {
	goesOn := slices.Equal(checked.unfinished, []string{payloadTrack})
	if !checked.isPaused || (checked.isComplete() || goesOn) && !checked.isAnotherAsked() {
		return nil
	}
	hosted := checked.hosted
	return &finding{
		summary: fmt.Sprintf("Hosted cluster %s is paused and will not be updated", hosted.Name),
		description: fmt.Sprintf("The HostedCluster has pausedUntil %q, which stops all changes to its control plane and its node pools, "+
			"including updates. A payload that is being applied goes on.", *hosted.Spec.PausedUntil),
		reference: docsHostedUpdating,
	}
}

// conditionFinding returns what is reported about an object with a condition.
func conditionFinding(object, words string, condition metav1.Condition) *finding {
	return &finding{
		since:       condition.LastTransitionTime.Time,
		summary:     fmt.Sprintf("%s %s%s", object, words, because(condition.Reason)),
		description: cmp.Or(condition.Message, noMessage),
		reference:   docsHostedTroubleshooting,
	}
}

func hostedPreviousIncomplete(checked checkedHosted) *finding {
	return supersededUpdate(checked.history, checked.operators, docsHostedUpdating)
}

// hostedFailing is no problem of a hosted cluster without nodes: its payload can't be complete.
func hostedFailing(checked checkedHosted) *finding {
	found := hostedCondition(conditionVersionSucceeding, "is failing to proceed with the update")(checked)
	if found != nil && checked.hasNoNodes {
		found.level = updatev1alpha1.LevelInfo
		found.description += payloadNeedsNodes
	}
	return found
}

// hostedCondition returns a check for a condition of a HostedCluster that is False.
func hostedCondition(kind, words string) func(checkedHosted) *finding {
	return func(checked checkedHosted) *finding {
		condition := meta.FindStatusCondition(checked.hosted.Status.Conditions, kind)
		if condition == nil || condition.Status != metav1.ConditionFalse {
			return nil
		}
		return conditionFinding("Hosted cluster "+checked.hosted.Name, words, *condition)
	}
}
