package hosted

import (
	"cmp"
	"fmt"

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

// drainChecks are those of a node of a hosted cluster, beside nodestate.Checks.
var drainChecks = []assess.Check[nodeDrain]{
	{Find: drainLong, HealthCheck: assess.HealthCheck{
		Name: "hosted-node-drain-long", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, Thresholds: nodestate.DrainThresholds,
		Appears: "a node of a hosted cluster has been draining for more than 10 minutes",
		Response: "Follow the start of the description: it depends on the cause, as [in any cluster](#a-drain-that-takes-long). " +
			"`.spec.nodeDrainTimeout` of a NodePool whose nodes are replaced limits the time of a drain.",
		NextSteps: assess.InHosted(assess.Look("oc describe poddisruptionbudget -n NAMESPACE BUDGET", "oc describe pod -n NAMESPACE POD",
			"oc get pods -A -o wide --field-selector spec.nodeName=NODE")),
	}},
	{Find: volumesAttached, HealthCheck: assess.HealthCheck{
		Name: "hosted-node-volumes-attached", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, Thresholds: nodestate.DrainThresholds,
		Appears: "a node of a hosted cluster that is being replaced has waited for more than 10 minutes, after its drain, for its " +
			"volumes to be detached",
		Response: "Check the VolumeAttachments of the node and the CSI driver of its volumes in the hosted cluster. " +
			"`.spec.nodeVolumeDetachTimeout` of the NodePool limits the wait.",
		NextSteps: assess.InHosted(assess.Look("oc get volumeattachments", "oc describe node NODE")),
	}},
}

// machineChecks are those of a Machine.
var machineChecks = []assess.Check[*clusterapiv1beta1.Machine]{
	{Find: machineFailed, HealthCheck: assess.HealthCheck{
		Name: "machine-failed", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause, StartsWhenObserved: true,
		Appears:   "the Machine of a node has failed",
		Response:  "The description has the cause. Delete the Machine to replace it.",
		NextSteps: assess.Look("oc describe machines.cluster.x-k8s.io -n NAMESPACE MACHINE"),
	}},
	{Find: machineRepaired, HealthCheck: assess.HealthCheck{
		Name: "machine-repaired", Impact: updatev1alpha1.ImpactNone, Causality: assess.NeitherCauseNorEffect,
		Appears: "a MachineHealthCheck found a Machine unhealthy, for example after the removal of a spot instance, and has it " +
			"replaced",
		Response: "No action required. Another Machine replaces it, which is not part of the update. If too many are replaced, see " +
			"node-pool-unhealthy.",
		NextSteps: assess.Look("oc describe machines.cluster.x-k8s.io -n NAMESPACE MACHINE"),
	}},
}

// drainLong is about a node that has been draining for long.
func drainLong(draining nodeDrain) *assess.Finding {
	if draining.since.IsZero() {
		return nil
	}
	explained := drain.Explain(draining.Input, draining.now)
	for at := range explained.Resources {
		explained.Resources[at].Cluster = updatev1alpha1.ClusterHosted
	}
	return &assess.Finding{
		Since:            draining.since,
		Summary:          explained.Summary,
		Description:      explained.Description,
		Reference:        explained.Reference,
		RelatedResources: explained.Resources,
		IsIncomplete:     draining.awaitsBlockers,
		NextCheck:        explained.NextCheck,
	}
}

// volumesAttached is about a node that has waited long for its volumes to be detached.
func volumesAttached(draining nodeDrain) *assess.Finding {
	if draining.volumesSince.IsZero() {
		return nil
	}
	summary := "has drained and waits for its volumes to detach"
	if !draining.hasDrained {
		summary = "waits for its volumes to detach"
	}
	return &assess.Finding{
		Since:   draining.volumesSince,
		Summary: fmt.Sprintf("Node %s %s", draining.Node, summary),
		Description: "Without a nodeVolumeDetachTimeout in the NodePool, the Machine waits indefinitely. It reports: " +
			insight.OneLine(cmp.Or(draining.volumes, assess.NoMessage)),
		Reference: reference.HostedTroubleshooting,
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
		Reference:   reference.HostedTroubleshooting,
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
		Reference:   reference.HostedTroubleshooting,
	}
}
