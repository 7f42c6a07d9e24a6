package hosted

import (
	"cmp"
	"fmt"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// drainChecks are those of a node of a hosted cluster, beside nodestate.Checks.
var drainChecks = []assess.Check[nodeDrain]{
	{Find: drainLong, HealthCheck: assess.HealthCheck{
		Name: "hosted-node-drain-long", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, Thresholds: nodestate.DrainThresholds,
		Appears: "a node of a hosted cluster has been draining for more than 10 minutes",
		Response: "See the start of the description: it depends on the cause, as [in any cluster](#a-drain-that-takes-long). `.spec.nodeDrainTimeout` " +
			"of a NodePool whose nodes are replaced bounds a drain.",
		NextSteps: assess.InHosted(assess.Look("oc describe poddisruptionbudget -n NAMESPACE BUDGET", "oc describe pod -n NAMESPACE POD",
			"oc get pods -A -o wide --field-selector spec.nodeName=NODE")),
	}},
	{Find: volumesAttached, HealthCheck: assess.HealthCheck{
		Name: "hosted-node-volumes-attached", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, Thresholds: nodestate.DrainThresholds,
		Appears: "a node of a hosted cluster that is replaced has waited for more than 10 minutes, after its drain, for its volumes to be detached",
		Response: "Check the VolumeAttachments of the node and the CSI driver of its volumes in the hosted cluster. `.spec.nodeVolumeDetachTimeout` " +
			"of the NodePool bounds the wait.",
		NextSteps: assess.InHosted(assess.Look("oc get volumeattachments", "oc describe node NODE")),
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
		Description: "Without a nodeVolumeDetachTimeout in the NodePool the Machine waits for ever. It reports: " +
			insight.OneLine(cmp.Or(draining.volumes, assess.NoMessage)),
		Reference: docsTroubleshooting,
	}
}

func machineFailed(machine *clusterapiv1beta1.Machine) *assess.Finding {
	if machine.Status.Phase != phaseFailed {
		return nil
	}
	return &assess.Finding{
		Level:       updatev1alpha1.LevelError,
		Summary:     fmt.Sprintf("Machine %s has failed", machine.Name),
		Description: cmp.Or(*cmp.Or(machine.Status.FailureMessage, new(string)), assess.NoMessage),
		Reference:   docsTroubleshooting,
	}
}
