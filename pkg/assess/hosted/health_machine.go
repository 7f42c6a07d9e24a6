package hosted

import (
	"cmp"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/reference"
)

// machineNoun is a Machine.
var machineNoun = assess.Noun{One: "Machine", Many: "Machines"}

// The cases of a node whose volumes are attached: after its drain, or before its end.
const (
	caseDrained    = "Drained"
	caseNotDrained = "NotDrained"

	volumesText = "Without a nodeVolumeDetachTimeout in the NodePool, the Machine waits indefinitely. It reports: " + assess.Message
)

// drainChecks are those of a node of a hosted cluster, beside nodestate.Checks.
var drainChecks = []assess.Check[nodeDrain]{
	{Find: drainLong, HealthCheck: assess.HealthCheck{
		Name: "hosted-node-drain-long", Then: assess.ThenDrain, Subject: assess.NodeNoun, Texts: drain.Texts,
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, Thresholds: nodestate.DrainThresholds,
		Appears: "a node of a hosted cluster has been draining for more than 10 minutes",
		Response: "Follow the start of the description: it depends on the cause, as [in any cluster](#a-drain-that-takes-long). " +
			"`.spec.nodeDrainTimeout` of a NodePool whose nodes are replaced limits the time of a drain.",
		NextSteps: assess.InHosted(assess.ReadOnly("oc describe poddisruptionbudget -n NAMESPACE BUDGET", "oc describe pod -n NAMESPACE POD",
			"oc get pods -A -o wide --field-selector spec.nodeName=NODE")),
	}},
	{Find: volumesAttached, HealthCheck: assess.HealthCheck{
		Name: "hosted-node-volumes-attached", Then: assess.ThenHyperShift, Subject: assess.NodeNoun,
		Texts: assess.Texts{
			caseDrained:    {One: "has drained and waits for its volumes to detach", Many: "have drained and wait for their volumes to detach", Description: volumesText},
			caseNotDrained: {One: "waits for its volumes to detach", Many: "wait for their volumes to detach", Description: volumesText},
		},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, Thresholds: nodestate.DrainThresholds,
		Appears: "a node of a hosted cluster that is being replaced has waited for more than 10 minutes, after its drain, for its " +
			"volumes to be detached",
		Response: "Check the VolumeAttachments of the node and the CSI driver of its volumes in the hosted cluster. " +
			"`.spec.nodeVolumeDetachTimeout` of the NodePool limits the wait.",
		NextSteps: assess.InHosted(assess.ReadOnly("oc get volumeattachments", "oc describe node NODE")),
	}},
}

// machineChecks are those of a Machine.
var machineChecks = []assess.Check[*clusterapiv1beta1.Machine]{
	{Find: machineFailed, HealthCheck: assess.HealthCheck{
		Name: "machine-failed", Then: assess.ThenReplaced, Subject: machineNoun,
		Texts:  assess.Texts{assess.NoCase: {One: "has failed", Many: "have failed", Description: assess.Message}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause, StartsWhenObserved: true,
		Appears:   "the Machine of a node has failed",
		Response:  "The description has the cause. Delete the Machine to replace it.",
		NextSteps: assess.ReadOnly("oc describe machines.cluster.x-k8s.io -n NAMESPACE MACHINE"),
	}},
	{Find: machineRepaired, HealthCheck: assess.HealthCheck{
		Name: "machine-repaired", Then: assess.ThenReplaced, Subject: machineNoun,
		Texts: assess.Texts{assess.NoCase: {
			One: "is unhealthy and is replaced{reason}", Many: "are unhealthy and are replaced{reason}", Description: assess.Message,
		}},
		Impact: updatev1alpha1.ImpactNone, Causality: assess.NeitherCauseNorEffect,
		Appears: "a MachineHealthCheck found a Machine unhealthy, for example after the removal of a spot instance, and has it " +
			"replaced",
		Response: "No action required. Another Machine replaces it, which is not part of the update. If too many are replaced, see " +
			"node-pool-unhealthy.",
		NextSteps: assess.ReadOnly("oc describe machines.cluster.x-k8s.io -n NAMESPACE MACHINE"),
	}},
}

// drainLong is about a node that has been draining for long.
func drainLong(draining nodeDrain) *assess.Finding {
	if draining.since.IsZero() {
		return nil
	}
	found := drain.Explain(draining.Input, draining.now)
	for at := range found.Blockers {
		found.Blockers[at].Cluster = updatev1alpha1.ClusterHosted
	}
	found.Since, found.IsIncomplete = draining.since, draining.awaitsBlockers
	return found
}

// volumesAttached is about a node that has waited long for its volumes to be detached.
func volumesAttached(draining nodeDrain) *assess.Finding {
	if draining.volumesSince.IsZero() {
		return nil
	}
	which := caseDrained
	if !draining.hasDrained {
		which = caseNotDrained
	}
	message := insight.OneLine(cmp.Or(draining.volumes, assess.NoMessage))
	return &assess.Finding{
		Since: draining.volumesSince, Case: which,
		Reported:  &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentClusterAPI, Message: message},
		Reference: reference.HostedTroubleshooting,
	}
}

// machineFailed is about a Machine that stays until people delete it: one that is being repaired does not.
func machineFailed(machine *clusterapiv1beta1.Machine) *assess.Finding {
	if machine.Status.Phase != phaseFailed || machine.DeletionTimestamp != nil || machineRepaired(machine) != nil {
		return nil
	}
	return &assess.Finding{
		Level: updatev1alpha1.LevelError,
		Reported: &updatev1alpha1.ComponentReport{
			Component: updatev1alpha1.ComponentClusterAPI, Message: *cmp.Or(machine.Status.FailureMessage, new(string)),
		},
		Reference: reference.HostedTroubleshooting,
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
		Reported:  &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentClusterAPI, Reason: unhealthy.Reason, Message: unhealthy.Message},
		Reference: reference.HostedTroubleshooting,
	}
}
