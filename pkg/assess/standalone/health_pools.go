package standalone

import (
	"fmt"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/nodestate"
)

// poolChecks are those of a MachineConfigPool.
var poolChecks = []assess.Check[MachineConfigPoolInput]{
	{Find: poolPaused, HealthCheck: assess.HealthCheck{
		Name: "pool-paused", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause,
		Appears: "a pool is paused and has nodes that are not updated",
		Response: "Unpause the pool when its nodes may be updated: `oc patch machineconfigpool NAME --type merge -p " +
			"'{\"spec\":{\"paused\":false}}'`.",
		NextSteps: assess.Change("oc patch machineconfigpool/POOL --type=merge -p", `{"spec":{"paused":false}}`),
	}},
	{Find: poolSelectorUnparsable, HealthCheck: assess.HealthCheck{
		Name: "pool-selector-unparsable", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect,
		Appears:   "the node selector of a pool cannot be parsed",
		Response:  "Correct `.spec.nodeSelector` of the MachineConfigPool.",
		NextSteps: assess.Change("oc edit machineconfigpool/POOL"),
	}},
}

func poolPaused(in MachineConfigPoolInput) *assess.Finding {
	if !in.Pool.Spec.Paused || in.Nodes.Excluded == 0 {
		return nil
	}
	return &assess.Finding{
		Summary: fmt.Sprintf("Outdated nodes in a paused pool '%s' will not be updated", in.Pool.Name),
		Description: "Pool is paused, which stops all changes to the nodes in the pool, including updates. " +
			"The nodes will not be updated until the pool is unpaused by the administrator.",
		Reference: docsPausedPools,
	}
}

func poolSelectorUnparsable(in MachineConfigPoolInput) *assess.Finding {
	if in.SelectorError == "" {
		return nil
	}
	return &assess.Finding{
		Summary:     fmt.Sprintf("The node selector of pool '%s' cannot be parsed", in.Pool.Name),
		Description: "The pool has no nodes until its node selector is corrected: " + in.SelectorError,
		Reference:   nodestate.DocsMachineConfigOperator,
	}
}
