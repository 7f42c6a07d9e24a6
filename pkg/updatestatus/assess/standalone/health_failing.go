package standalone

import (
	"slices"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// The cases of a failing ClusterVersion.
const (
	caseFailing      = "Failing"
	caseMayBeFailing = "MayBeFailing"
)

// failingCheck is that of a ClusterVersion that does not get on.
var failingCheck = assess.Check[checkedVersion]{Find: failing, HealthCheck: assess.HealthCheck{
	Name: "cluster-version-failing", Then: assess.ThenVersionOperator,
	Texts: assess.Texts{
		caseFailing:      {Sentence: "Cluster Version {name} is failing to proceed with the update{reason}", Description: assess.Message + "{log}"},
		caseMayBeFailing: {Sentence: "Cluster Version {name} may be failing to proceed with the update{reason}", Description: assess.Message + "{log}"},
	},
	Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.CauseAndEffect, IsWarningIfCaused: true, StartsWhenObserved: true,
	Reads: assess.Reads{Conditions: []string{clusterVersionFailing}},
	Appears: "`Failing` of the ClusterVersion is True or Unknown, with gaps of up to 10 minutes, and not for SlowClusterOperator. What may pass, " +
		"such as an operator that is degraded or a server that is overloaded, is Info for 5 minutes (single node: 15), unless another insight explains it. " +
		"Error from 40 minutes on, if none does. Info where no update is in progress",
	Response:  "Check the object that the message names. What the API server answered is in the log of the Cluster Version Operator only.",
	NextSteps: assess.ReadOnly("oc describe clusteroperator OPERATOR", "oc describe clusterversion version", "oc get clusteroperators"),
}}

// passing are the reasons that may pass by themselves: operators are unavailable or degraded for a while when they are updated, one that is
// updated beside makes Failing True at once, and the API server restarts (openshift/cluster-version-operator, pkg/payload/task.go,
// reasonForPayloadSyncError, and pkg/cvo/internal/operatorstatus.go, checkOperatorHealth).
var passing = []string{
	"ClusterOperatorNotAvailable", "ClusterOperatorsNotAvailable", "ClusterOperatorDegraded", "ClusterOperatorsDegraded", "MultipleErrors",
	"UpdatePayloadFailed", "UpdatePayloadClusterDown", "UpdatePayloadClusterError", "UpdatePayloadClusterOverloaded",
	"UpdatePayloadClusterUnauthorized", "UpdatePayloadResourceConflict", "UpdatePayloadResourceNotFound",
}

// failingThresholds are how long the Cluster Version Operator fails until that is an error, and passingFor is for how long what may pass is told
// as such, unless another health insight explains it.
var failingThresholds = assess.Thresholds{Failure: 40 * time.Minute}

const passingFor, passingForAlone = 5 * time.Minute, 15 * time.Minute

// failing returns what the Cluster Version Operator can't apply.
func failing(version checkedVersion) *assess.Finding {
	failure := version.observed.failure
	if failure.since.IsZero() {
		return nil
	}
	found := &assess.Finding{
		Since: failure.since, Case: failure.which, Thresholds: &failingThresholds,
		Reported: failure.reported, Words: assess.Words{"log": ""},
		Reference: reference.OperatorDegraded,
	}
	patience := passingFor
	if version.lease.isAlone() {
		patience = passingForAlone
	}
	if until := failure.since.Add(patience); slices.Contains(passing, failure.reported.Reason) && !version.now.After(until) {
		found.Level, found.NextCheck = updatev1alpha1.LevelInfo, until.Add(assess.Tick)
	}
	if !version.isProgressing() {
		found.Level = updatev1alpha1.LevelInfo
	}
	objects := controlplane.FailedObjects(failure.reported.Message)
	for _, object := range objects {
		if ref, isKnown := object.Ref(); isKnown {
			found.Blockers = append(found.Blockers, ref)
		}
	}
	for _, operator := range controlplane.FailedOperators(failure.reported.Message) {
		found.Blockers = append(found.Blockers, assess.OperatorRef(operator))
	}
	if len(objects) > 0 {
		found.NextSteps = lookAt(objects[0], failure.reported.Reason)
		found.Words["log"] = inLog(objects[0])
	}
	return found
}

// inLog returns where the answer of the API server is about a manifest that can't be applied, nothing of other objects.
func inLog(object controlplane.FailedObject) string {
	if !object.IsManifest {
		return ""
	}
	return "\nWhat the API server answered is in the log of the Cluster Version Operator only: look there for \"error running apply for " + object.Kind + "\"."
}

// extensions are what else may be at fault, by reason.
var extensions = map[string]string{
	"UpdatePayloadResourceTypeMissing": "oc get apiservices",
	"UpdatePayloadClusterError":        "oc get validatingwebhookconfigurations,mutatingwebhookconfigurations",
}

// lookAt returns commands that show why an object fails.
func lookAt(object controlplane.FailedObject, reason string) []updatev1alpha1.Command {
	in := ""
	if object.Namespace != "" {
		in = " -n " + object.Namespace
	}
	commands := assess.ReadOnly("oc describe " + object.Kind + in + " " + object.Name)
	if !object.IsManifest {
		return append(commands, assess.ReadOnly("oc get pods -o wide"+in)...)
	}
	if command := extensions[reason]; command != "" {
		commands = append(commands, assess.ReadOnly(command)...)
	}
	return append(commands, assess.ReadOnly("oc logs -n openshift-cluster-version deployment/cluster-version-operator")...)
}
