package standalone

import (
	"slices"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// clusterVersionFailing is the type of the condition in which the Cluster Version Operator reports that it cannot proceed.
const clusterVersionFailing = "Failing"

// The cases of checks of a ClusterVersion.
const (
	caseNoResponse   = "NoResponse"
	caseNotStarted   = "NotStarted"
	caseNotRetrieved = "NotRetrieved"
)

// checkedVersion is a ClusterVersion, how far its operators are, and what was observed of it.
type checkedVersion struct {
	*configv1.ClusterVersion
	operators controlplane.Operators
	request   request
	// applied is how many cluster operators run the release that is asked for, a newer one than the ClusterVersion reports.
	applied  int
	observed VersionObserved
	lease    leaseRead
	now      time.Time
	// pods are those that may say why something fails (ClusterVersionInput.Pods).
	pods map[string]*assess.Pods
}

// versionChecks are those of a ClusterVersion.
var versionChecks = []assess.Check[checkedVersion]{
	{Find: failingUnknown, HealthCheck: assess.HealthCheck{
		Name: "cluster-version-failing-unknown", Then: assess.ThenVersionOperator,
		Texts: assess.Texts{assess.NoCase: {
			Sentence:    "Cluster Version {name} has no Failing condition",
			Description: "The Cluster Version Operator does not report whether it can proceed with the update.",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, StartsWhenObserved: true,
		Reads:     assess.Reads{Conditions: []string{clusterVersionFailing}},
		Appears:   "the ClusterVersion has no `Failing` condition",
		Response:  "Check whether the Cluster Version Operator is running: `oc get pods -n openshift-cluster-version`.",
		NextSteps: assess.ReadOnly("oc describe clusterversion version", "oc get clusteroperators"),
	}},
	failingCheck,
	silentCheck,
	frozenCheck,
	overridesCheck,
	{Find: notAccepted, HealthCheck: assess.HealthCheck{
		Name: "update-not-accepted", Then: assess.ThenReleased,
		Texts:  assess.Texts{assess.NoCase: {Sentence: "The update to {release} is not accepted{reason}", Description: assess.Message}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect,
		Reads: assess.Reads{Conditions: []string{releaseAccepted, invalid}},
		Appears: "a requested update is refused: for its version or a precondition, at once; or because its release image can't " +
			"be verified (Error from 20 minutes on), or can't be retrieved or loaded for more than 5 minutes (Error from 20 " +
			"minutes on), or `spec.desiredUpdate` is invalid, for more than 2 minutes if the message does not name the request",
		Response: "The description gives the reason. If a release can't be retrieved, check the registry or its mirror, and in a " +
			"disconnected cluster the signatures. For PreconditionChecks, resolve the precondition that it names, usually an " +
			"operator with Upgradeable=False or a missing acknowledgement. Or clear the request.",
		NextSteps: slices.Concat(assess.ReadOnly("oc describe clusterversion version"), assess.Mutating("oc adm upgrade --clear")),
	}},
	{Find: ignored, HealthCheck: assess.HealthCheck{
		Name: "update-request-ignored", Then: assess.ThenReleased,
		Texts: assess.Texts{
			caseNoResponse: {
				Sentence: "The Cluster Version Operator does not respond to a change of the ClusterVersion",
				Description: "The spec has generation {generation}, and the Cluster Version Operator has observed {observed}: check its pod in the " +
					"namespace openshift-cluster-version.",
			},
			caseNotRetrieved: {
				Sentence:    "The requested update to {release} can't be retrieved",
				Description: "The pod that retrieves the release does not run. The Cluster Version Operator starts another one after some minutes.",
			},
			caseNotStarted: {
				Sentence: "The requested update to {release} is ignored",
				Description: "The Cluster Version Operator has read the request and neither starts nor refuses it. It looks for a version among " +
					"the available updates only: request the release image, or clear the request.",
			},
		},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, Thresholds: ignoredThresholds,
		Appears: "an update was requested for more than 10 minutes, and is neither started nor refused; or the Cluster Version " +
			"Operator has observed no change of the spec for more than 15 minutes (Error from 30 minutes on), is behind, and says nothing " +
			"of the request, while an update is requested or in progress",
		Response:  "Request the release image instead of its version, or clear the request; check the Cluster Version Operator.",
		NextSteps: slices.Concat(assess.ReadOnly("oc get pods -n openshift-cluster-version"), assess.Mutating("oc adm upgrade --clear")),
	}},
	{Find: previousIncomplete, HealthCheck: assess.HealthCheck{
		Name: "previous-update-incomplete", Then: assess.ThenGone, Texts: assess.Texts{assess.NoCase: controlplane.SupersededText},
		Impact: updatev1alpha1.ImpactNone, Causality: assess.NeitherCauseNorEffect,
		Appears:   "the update started while the previous one was incomplete, until its control plane is complete",
		Response:  "No action required; components may come from more than two versions. Let the update complete.",
		NextSteps: assess.ReadOnly("oc describe clusterversion version"),
	}},
}

func failingUnknown(version checkedVersion) *assess.Finding {
	if controlplane.FindCondition(version.Status.Conditions, clusterVersionFailing) != nil {
		return nil
	}
	return &assess.Finding{
		Reference: reference.OperatorDegraded,
	}
}

func previousIncomplete(version checkedVersion) *assess.Finding {
	return controlplane.Superseded(version.Status.History, version.operators, reference.VersionHistory)
}
