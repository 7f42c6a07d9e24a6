package hosted

import (
	"cmp"
	"fmt"
	"time"

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
