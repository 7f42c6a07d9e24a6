package hosted

import (
	"cmp"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
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

// checkedMachine is a Machine, and whether it is a new one of a pool that is being updated.
type checkedMachine struct {
	*clusterapiv1beta1.Machine
	isOfUpdate bool
}

// The cases of a Machine whose provider has failed: it has no node yet, or has lost its host.
const (
	caseUnprovisioned = "Unprovisioned"
	caseLost          = "Lost"
)

var (
	// provisionThresholds are beyond what an error lasts that passes, and newMachineThresholds those of a Machine that an update waits for.
	provisionThresholds  = assess.Thresholds{Warning: 10 * time.Minute}
	newMachineThresholds = assess.Thresholds{Warning: 10 * time.Minute, Failure: time.Hour}
)

// machineChecks are those of a Machine.
var machineChecks = []assess.Check[checkedMachine]{
	{Find: machineUnprovisioned, HealthCheck: assess.HealthCheck{
		Name: "machine-not-provisioned", Then: assess.ThenHyperShift, Subject: machineNoun,
		Texts: assess.Texts{
			caseUnprovisioned: {One: "can't be provisioned{reason}", Many: "can't be provisioned{reason}", Description: assess.Message},
			caseLost:          {One: "has lost its host{reason}", Many: "have lost their hosts{reason}", Description: assess.Message},
		},
		Impact: updatev1alpha1.ImpactClusterCapacity, Causality: assess.Cause, Thresholds: provisionThresholds,
		Appears: "the provider of a Machine has reported a failure (no capacity, a quota, no suitable host, an instance that was " +
			"terminated) for more than 10 minutes; Error from 60 minutes on if an update waits for the Machine",
		Response: "The description has the cause, or the object of the provider that the Machine refers to. Resolve it: the " +
			"provider tries again.",
		NextSteps: assess.ReadOnly("oc describe machines.cluster.x-k8s.io -n NAMESPACE MACHINE"),
	}},
	{Find: machineFailed, HealthCheck: assess.HealthCheck{
		Name: "machine-failed", Then: assess.ThenReplaced, Subject: machineNoun,
		Texts:  assess.Texts{assess.NoCase: {One: "has failed", Many: "have failed", Description: assess.Message}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause, StartsWhenObserved: true,
		Appears:   "the Machine of a node has failed",
		Response:  "The description has the cause. Delete the Machine to replace it.",
		NextSteps: assess.ReadOnly("oc describe machines.cluster.x-k8s.io -n NAMESPACE MACHINE"),
	}},
	{Find: func(checked checkedMachine) *assess.Finding { return machineRepaired(checked.Machine) }, HealthCheck: assess.HealthCheck{
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

// machineUnprovisioned is about a Machine whose provider says that it failed.
func machineUnprovisioned(checked checkedMachine) *assess.Finding {
	condition, since := unprovisioned(checked.Machine)
	if since.IsZero() || checked.Status.Phase == phaseFailed || !provisionFailure.MatchString(condition.Reason) {
		return nil
	}
	found := &assess.Finding{
		Since: since, Case: caseUnprovisioned,
		Reported: &updatev1alpha1.ComponentReport{
			Component: updatev1alpha1.ComponentClusterAPI, Reason: condition.Reason, Message: informative(condition.Message),
		},
		Reference: reference.HostedTroubleshooting,
	}
	switch {
	case checked.Status.NodeRef != nil:
		found.Case = caseLost
	case checked.isOfUpdate:
		found.Thresholds, found.Impact = &newMachineThresholds, updatev1alpha1.ImpactUpdateStalled
	}
	return found
}

// machineFailed is about a Machine that stays until people delete it: one that is being repaired does not.
func machineFailed(checked checkedMachine) *assess.Finding {
	machine := checked.Machine
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
