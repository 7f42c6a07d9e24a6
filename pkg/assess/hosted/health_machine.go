package hosted

import (
	"cmp"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/nodestate"
)

// drainChecks are those of a node of a hosted cluster, beside nodestate.Checks.
var drainChecks = []assess.Check[nodeDrain]{
	{Find: drainLong, HealthCheck: assess.HealthCheck{
		Name: "hosted-node-drain-long", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, Thresholds: nodestate.DrainThresholds,
		Appears: "a node of a hosted cluster has been draining for more than 10 minutes",
		Response: "Check the pods of the node and their PodDisruptionBudgets in the hosted cluster. `.spec.nodeDrainTimeout` of the " +
			"NodePool bounds a drain.",
		NextSteps: assess.Look("oc describe node NODE", "oc get pods -A -o wide --field-selector spec.nodeName=NODE"),
	}},
}

// machineChecks are those of a Machine.
var machineChecks = []assess.Check[*clusterapiv1beta1.Machine]{
	{Find: machineFailed, HealthCheck: assess.HealthCheck{
		Name: "machine-failed", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause,
		Appears:   "the Machine of a node has failed",
		Response:  "The description has the cause. Delete the Machine to have it replaced.",
		NextSteps: assess.Look("oc describe machines.cluster.x-k8s.io -n NAMESPACE MACHINE"),
	}},
	{Find: machineRepaired, HealthCheck: assess.HealthCheck{
		Name: "machine-repaired", Impact: updatev1alpha1.ImpactNone, Causality: assess.NeitherCauseNorEffect,
		Appears: "a MachineHealthCheck has found a Machine to be unhealthy, as after the removal of a spot instance, and has it replaced (of Info)",
		Response: "No action required: another Machine takes its place, which is no part of the update. Too many of them: see " +
			"node-pool-unhealthy.",
		NextSteps: assess.Look("oc describe machines.cluster.x-k8s.io -n NAMESPACE MACHINE"),
	}},
}

// nodeDrain is the drain of a node of a hosted cluster.
type nodeDrain struct {
	node string
	// since is when it started, zero if the node is not drained or that is not known.
	since time.Time
	// message is what the Cluster API says about it.
	message string
}

// drainLong is about a node that has been draining for long. What blocks the drain is in the hosted cluster.
func drainLong(drain nodeDrain) *assess.Finding {
	if drain.since.IsZero() {
		return nil
	}
	return &assess.Finding{
		Since:   drain.since,
		Summary: fmt.Sprintf("Node %s is taking long to drain, cause unknown", drain.node),
		Description: "A drain waits for every pod that a PodDisruptionBudget protects; without a nodeDrainTimeout in the NodePool it waits for ever. " +
			cmp.Or(drain.message, assess.NoMessage),
		Reference: docsTroubleshooting,
	}
}

// machineFailed is about a Machine that stays until people delete it: one that is being repaired does not.
func machineFailed(machine *clusterapiv1beta1.Machine) *assess.Finding {
	if machine.Status.Phase != phaseFailed || machine.DeletionTimestamp != nil || machineRepaired(machine) != nil {
		return nil
	}
	return &assess.Finding{
		Level:       updatev1alpha1.LevelError,
		Summary:     fmt.Sprintf("Machine %s has failed", machine.Name),
		Description: cmp.Or(*cmp.Or(machine.Status.FailureMessage, new(string)), assess.NoMessage),
		Reference:   docsTroubleshooting,
	}
}

// machineRepaired is about a Machine that its owner deletes, and replaces, since a MachineHealthCheck has found it unhealthy
// (kubernetes-sigs/cluster-api: internal/controllers/machinehealthcheck, and machineset for OwnerRemediated, which is False until it has).
// Of a check that has found too many of them only HealthCheckSucceeded is False.
func machineRepaired(machine *clusterapiv1beta1.Machine) *assess.Finding {
	conditions := machine.Status.Conditions
	unhealthy := meta.FindStatusCondition(conditions, conditionHealthCheck)
	if unhealthy == nil || unhealthy.Status != metav1.ConditionFalse || meta.FindStatusCondition(conditions, conditionRemediated) == nil {
		return nil
	}
	return &assess.Finding{
		Level: updatev1alpha1.LevelInfo, Since: unhealthy.LastTransitionTime.Time,
		Summary:     fmt.Sprintf("Machine %s is unhealthy and is replaced%s", machine.Name, assess.Because(unhealthy.Reason)),
		Description: cmp.Or(unhealthy.Message, assess.NoMessage),
		Reference:   docsTroubleshooting,
	}
}
