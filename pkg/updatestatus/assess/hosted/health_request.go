package hosted

import (
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// stoppedThresholds are longer than HyperShift is stopped while a Secret or an operator of it is replaced.
var stoppedThresholds = assess.Thresholds{Warning: 5 * time.Minute}

// ignoredThresholds are those of a request in any cluster.
var ignoredThresholds = assess.Thresholds{Warning: 10 * time.Minute}

// refusalThresholds are those of refusals that can pass by themselves: an error of a look-up makes a configuration invalid, as HyperShift's own
// code remarks where it stops at that (openshift/hypershift: hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go,
// reconcile); and of a release image it has no other word than that it is not valid, as when its registry can't be reached for a moment.
var refusalThresholds = map[string]assess.Thresholds{
	conditionConfiguration: {Warning: 2 * time.Minute, Failure: 2 * time.Minute},
	conditionReleaseImage:  {Failure: 20 * time.Minute},
}

// requestChecks are those of what is asked of a HostedCluster: whether HyperShift does it.
var requestChecks = []assess.Check[checkedCluster]{
	{Find: clusterBlocked, HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-blocked", Then: assess.ThenHyperShift,
		Texts: assess.Texts{assess.NoCase: {
			Sentence: "The update of hosted cluster {name} is blocked{reason}", Description: assess.Message + " (requested release: {image})",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, StartsWhenObserved: true,
		Appears: "HyperShift refuses the release that the HostedCluster requests: its cluster is not supported, or not upgradeable " +
			"to the next minor version; or its configuration has not been valid for more than 2 minutes; or its image is not " +
			"valid (Warning, Error from 20 minutes on)",
		Response: "The description gives the reason. Correct `.spec.release` of the HostedCluster, or what the condition of the " +
			"HostedCluster that the reason names is about.",
		NextSteps: assess.ReadOnly(describeHostedCluster),
	}},
	{Find: requestIgnored, HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-request-ignored", Then: assess.ThenHyperShift,
		Texts: assess.Texts{assess.NoCase: {
			Sentence:    "The requested update of hosted cluster {name} is ignored",
			Description: "The release {image} is requested, and HyperShift neither starts the update nor reports why.",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, StartsWhenObserved: true, Thresholds: ignoredThresholds,
		Appears: "the HostedCluster has requested another release for more than 10 minutes and is not paused, and HyperShift " +
			"neither starts the update, nor refuses it, nor reports an error",
		Response:  "Check the operator of HyperShift, in the namespace hypershift of the management cluster.",
		NextSteps: assess.ReadOnly("oc get pods -n hypershift", describeHostedCluster),
	}},
	{Find: clusterPaused, HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-paused", Then: assess.ThenUnpaused,
		Texts: assess.Texts{assess.NoCase: {
			Sentence: "Hosted cluster {name} is paused and will not be updated",
			Description: "The HostedCluster has pausedUntil {until}, which stops updates of its control plane, and of node pools " +
				"whose nodes are replaced. A payload that is being applied continues, and so do node pools that are updated in place.",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause, StartsWhenObserved: true,
		Appears: "the HostedCluster is paused while an update is requested or incomplete; a payload that is being applied " +
			"continues, and so do node pools that are updated in place",
		Response:  "Remove `.spec.pausedUntil` of the HostedCluster when it may be updated.",
		NextSteps: assess.Mutating("oc patch hostedcluster -n NAMESPACE HOSTEDCLUSTER --type=merge -p", `{"spec":{"pausedUntil":null}}`),
	}},
	{Find: clusterStopped, HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-stopped", Then: assess.ThenHyperShift,
		Texts:  clusterText("can't update its control plane"),
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect,
		Thresholds: stoppedThresholds,
		Appears: "PlatformCredentialsFound or ValidHostedControlPlaneConfiguration of the HostedCluster has been False for more than 5 minutes: " +
			"its control plane is not updated",
		Response:  "The description gives the reason. Correct the credentials or the configuration of the HostedCluster.",
		NextSteps: assess.ReadOnly(describeHostedCluster),
	}},
	{Find: clusterCondition(conditionReleaseAccepted, ""), HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-release-not-accepted", Then: assess.ThenHyperShift,
		Texts:  clusterText("does not accept the release of its payload"),
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect,
		Thresholds: controlplane.UnavailableThresholds,
		Appears: "ClusterVersionReleaseAccepted of the HostedCluster has been False for more than 5 minutes: its payload is not updated, but " +
			"its components are",
		Response: "The description gives the reason: usually the release can't be retrieved or verified, or a precondition is not " +
			"met.",
		NextSteps: slices.Concat(assess.ReadOnly(describeHostedCluster), assess.InHosted(assess.ReadOnly("oc describe clusterversion version"))),
	}},
	{Find: clusterNotReconciled, HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-not-reconciled", Then: assess.ThenHyperShift,
		Texts:  clusterText("can't be reconciled"),
		Impact: updatev1alpha1.ImpactUnknown, Causality: assess.NeitherCauseNorEffect,
		Thresholds: stoppedThresholds,
		Appears: "ReconciliationSucceeded of the HostedCluster has been False for more than 5 minutes, and none of its other " +
			"conditions gives the reason; the update continues if the error is not critical",
		Response:  "The description has the error, usually that a registry can't be reached. HyperShift retries.",
		NextSteps: assess.ReadOnly(describeHostedCluster),
	}},
}

// clusterBlocked is about a release that HyperShift refuses to update to. A pause is another check.
func clusterBlocked(checked checkedCluster) *assess.Finding {
	refusal := checked.refusal()
	if refusal == "" || !checked.isAnotherAsked() {
		return nil
	}
	found := &assess.Finding{
		Level: updatev1alpha1.LevelError,
		Since: checked.requestObserved,
		Words: assess.Words{"image": checked.hosted.Spec.Release.Image},
		Reported: &updatev1alpha1.ComponentReport{
			Component: updatev1alpha1.ComponentHyperShift, Reason: refusal, Message: checked.refusalMessage(),
		},
		Reference: reference.HostedUpdates,
	}
	thresholds, canPass := refusalThresholds[refusal]
	if named := meta.FindStatusCondition(checked.hosted.Status.Conditions, refusal); canPass && named != nil {
		found.Level, found.Thresholds, found.CountedSince = "", &thresholds, named.LastTransitionTime.Time
	}
	return found
}

// requestIgnored is about a release that HyperShift does nothing about: most often its operator does not run.
func requestIgnored(checked checkedCluster) *assess.Finding {
	isExplained := checked.isPaused || checked.refusal() != "" || clusterStopped(checked) != nil || clusterNotReconciled(checked) != nil
	if isExplained || checked.requestObserved.IsZero() || checked.requested(checked.requestObserved) == nil {
		return nil
	}
	return &assess.Finding{
		Since:     checked.requestObserved,
		Words:     assess.Words{"image": checked.hosted.Spec.Release.Image},
		Reference: reference.HostedUpdates,
	}
}

// clusterPaused is about an update that is asked for, or has started, while HyperShift is paused. A payload that is being applied goes on.
func clusterPaused(checked checkedCluster) *assess.Finding {
	goesOn := slices.Equal(checked.unfinished, []string{payloadTrack})
	if !checked.isPaused || (checked.isComplete() || goesOn) && !checked.isAnotherAsked() {
		return nil
	}
	return &assess.Finding{
		Words:     assess.Words{"until": strconv.Quote(*checked.hosted.Spec.PausedUntil)},
		Reference: reference.HostedUpdates,
	}
}

// clusterStopped is about conditions at which HyperShift stops before it updates the control plane: the management cluster's operator
// (openshift/hypershift: hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go, reconcile), and that of the control
// plane (control-plane-operator/controllers/hostedcontrolplane/hostedcontrolplane_controller.go, Reconcile).
func clusterStopped(checked checkedCluster) *assess.Finding {
	for _, kind := range []string{conditionCredentials, conditionPlaneConfiguration} {
		if found := clusterCondition(kind, "")(checked); found != nil {
			return found
		}
	}
	return nil
}

// clusterNotReconciled is about an error of HyperShift that no other condition shows. It is no stop in itself: operations that are not
// critical fail while everything goes on (openshift/hypershift: hypershift-operator/controllers/hostedcluster/reconcile_report.go).
func clusterNotReconciled(checked checkedCluster) *assess.Finding {
	if clusterStopped(checked) != nil || clusterBlocked(checked) != nil {
		return nil
	}
	return clusterCondition(conditionReconciled, "")(checked)
}
