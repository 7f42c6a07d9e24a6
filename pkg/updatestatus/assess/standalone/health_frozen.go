package standalone

import (
	"time"

	"k8s.io/apimachinery/pkg/util/version"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// frozenCheck is that of a Cluster Version Operator whose status is refused, as after a rollback to a release whose ClusterVersion knows a capability
// less: it goes on (openshift/cluster-version-operator, pkg/cvo/status.go, applyClusterVersionStatus).
var frozenCheck = assess.Check[checkedVersion]{Find: frozen, HealthCheck: assess.HealthCheck{
	Name: "cluster-version-status-frozen", Then: assess.ThenVersionOperator,
	Texts: assess.Texts{
		assess.NoCase: {
			Sentence: "The Cluster Version Operator can't report: all cluster operators are updated, and the status of the ClusterVersion makes no progress",
			Description: "The API server may refuse what it writes, or it does not get on with the manifests that are left. Its log says which. It reports: " +
				assess.Message,
		},
		caseUnseen: {
			Sentence: "The Cluster Version Operator can't report: {applied} run {release}, which is asked for, and the status of the ClusterVersion does not say so",
			Description: "It applies the release, and the API server may refuse what it writes of that: its log says why. What is reported of the update is that of " +
				"the one before. It reports: " + assess.Message,
		},
	},
	Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, Thresholds: assess.Thresholds{Warning: 5 * time.Minute, Failure: 15 * time.Minute},
	Appears: "all cluster operators have been updated for more than 5 minutes (Error from 15 minutes on), and the ClusterVersion reports neither " +
		"another manifest, nor the end of the update, nor a failure; or cluster operators run a newer release that is asked for, and it has not responded",
	Response:  "Look into the log of the Cluster Version Operator for writes of its status that are refused.",
	NextSteps: assess.ReadOnly("oc logs -n openshift-cluster-version deployment/cluster-version-operator", "oc describe clusterversion version"),
}}

// caseUnseen is that of a release that is applied, of which the status says nothing.
const caseUnseen = "Unseen"

// applied returns how many cluster operators run the release that is asked for, none if that is no newer one than the ClusterVersion reports.
func (in ClusterVersionInput) applied() int {
	applied := 0
	for _, operator := range in.ClusterOperators {
		if in.runsUnseen(operator) {
			applied++
		}
	}
	return applied
}

// runsUnseen returns whether a cluster operator runs the release that is asked for, a newer one than the ClusterVersion reports.
func (in ClusterVersionInput) runsUnseen(operator *configv1.ClusterOperator) bool {
	asked := requestedBy(in.ClusterVersion)
	return asked != nil && isBehind(in.ClusterVersion) && controlplane.OperatorVersion(operator) == asked.Version &&
		isNewer(asked.Version, in.ClusterVersion.Status.Desired.Version)
}

// isNewer returns whether a version is newer than another one, both semantic.
func isNewer(text, than string) bool {
	newer, err := version.ParseSemantic(text)
	if err != nil {
		return false
	}
	older, err := version.ParseSemantic(than)
	return err == nil && older.LessThan(newer)
}

func frozen(version checkedVersion) *assess.Finding {
	if version.applied > 0 && !version.observed.BehindSince.IsZero() {
		return unseen(version)
	}
	if !version.isProgressing() || !version.operators.AllUpdated() || isBehind(version.ClusterVersion) || !version.observed.failure.since.IsZero() {
		return nil
	}
	progressing := controlplane.FindCondition(version.Status.Conditions, configv1.OperatorProgressing)
	if progressing == nil {
		return nil
	}
	return &assess.Finding{
		Since: version.operators.LastChange, CountedSince: version.observed.attempts.progressedAt,
		Reported:  controlplane.Reported(updatev1alpha1.ComponentClusterVersionOperator, progressing),
		Reference: reference.Updating,
	}
}

// unseen returns that a release is applied, of which the status says nothing.
func unseen(version checkedVersion) *assess.Finding {
	found := &assess.Finding{
		Since: version.observed.BehindSince, Case: caseUnseen, Reference: reference.Updating,
		Words: assess.Words{"applied": insight.Count(version.applied, "cluster operator"), "release": version.request.name()},
	}
	if progressing := controlplane.FindCondition(version.Status.Conditions, configv1.OperatorProgressing); progressing != nil {
		found.Reported = controlplane.Reported(updatev1alpha1.ComponentClusterVersionOperator, progressing)
	}
	return found
}
