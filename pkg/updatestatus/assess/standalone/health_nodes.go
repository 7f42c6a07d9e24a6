package standalone

import (
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// checkedNode is a node, and the custom pools that match it.
type checkedNode struct {
	*nodeFacts
	custom []string
	now    time.Time
	// certificates are those that its kubelet waits for, and isPoolUpdating is whether its pool is being updated.
	certificates   pendingCertificates
	isPoolUpdating bool
}

// nodeChecks are those of a Node, beside those that it has in any cluster (nodestate.Checks).
var nodeChecks = []assess.Check[checkedNode]{
	{Find: nodeDrainBlocked, HealthCheck: assess.HealthCheck{
		Name: "node-drain-blocked", Then: assess.ThenDrain, Subject: assess.NodeNoun, Texts: drain.Texts,
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.CauseAndEffect, Thresholds: nodestate.DrainThresholds,
		Appears:   "a node has been draining for more than 10 minutes",
		Response:  "Follow the start of the description: [it depends on the cause](#a-drain-that-takes-long).",
		NextSteps: assess.ReadOnly("oc describe poddisruptionbudget -n NAMESPACE BUDGET", "oc describe pod -n NAMESPACE POD", "oc get pods -A -o wide --field-selector spec.nodeName=NODE"),
	}},
	{Find: nodeInSeveralPools, HealthCheck: assess.HealthCheck{
		Name: "node-in-several-pools", Then: assess.ThenController, Subject: assess.NodeNoun,
		Texts: assess.Texts{assess.NoCase: {
			One: "matches several custom pools: {pools}", Many: "match several custom pools",
			Description: "A node can belong to one custom pool only. The Machine Config Operator does not update the node until the " +
				"labels of the node or the node selectors of the pools are changed so that at most one custom pool matches.",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause, StartsWhenObserved: true,
		Appears:   "more than one custom pool matches a node",
		Response:  "Change the node's labels or the pools' selectors so that one custom pool matches.",
		NextSteps: assess.ReadOnly("oc get node NODE --show-labels", "oc get machineconfigpools"),
	}},
	certificateCheck,
}

func nodeInSeveralPools(checked checkedNode) *assess.Finding {
	if len(checked.custom) < 2 {
		return nil
	}
	var pools []updatev1alpha1.ResourceRef
	for _, name := range checked.custom {
		pools = append(pools, poolRef(name))
	}
	return &assess.Finding{
		Words:     assess.Words{"pools": strings.Join(checked.custom, ", ")},
		Reference: reference.MachineConfigOperator,
		Affected:  pools,
	}
}
