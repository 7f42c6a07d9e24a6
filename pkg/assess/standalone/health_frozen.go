package standalone

import (
	"time"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/reference"
)

// frozenCheck is that of a Cluster Version Operator whose status is refused, as after a rollback to a release whose ClusterVersion knows a capability
// less: it goes on (openshift/cluster-version-operator, pkg/cvo/status.go, applyClusterVersionStatus).
var frozenCheck = assess.Check[checkedVersion]{Find: frozen, HealthCheck: assess.HealthCheck{
	Name: "cluster-version-status-frozen", Then: assess.ThenVersionOperator,
	Texts: assess.Texts{assess.NoCase: {
		Sentence: "The Cluster Version Operator can't report: all cluster operators are updated, and the status of the ClusterVersion makes no progress",
		Description: "The API server may refuse what it writes, or it does not get on with the manifests that are left. Its log says which. It reports: " +
			assess.Message,
	}},
	Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, Thresholds: assess.Thresholds{Warning: 15 * time.Minute},
	Appears: "all cluster operators have been updated for more than 15 minutes, and the ClusterVersion reports neither the end of the update nor a " +
		"failure",
	Response:  "Look into the log of the Cluster Version Operator for writes of its status that are refused.",
	NextSteps: assess.ReadOnly("oc logs -n openshift-cluster-version deployment/cluster-version-operator", "oc describe clusterversion version"),
}}

func frozen(version checkedVersion) *assess.Finding {
	if !version.isProgressing() || !version.operators.AllUpdated() || isBehind(version.ClusterVersion) || !version.observed.failure.since.IsZero() {
		return nil
	}
	progressing := controlplane.FindCondition(version.Status.Conditions, configv1.OperatorProgressing)
	if progressing == nil {
		return nil
	}
	return &assess.Finding{
		Since: version.operators.LastChange, CountedSince: version.observed.attempts.progressedAt, Level: updatev1alpha1.LevelError,
		Reported:  controlplane.Reported(updatev1alpha1.ComponentClusterVersionOperator, progressing),
		Reference: reference.Updating,
	}
}
