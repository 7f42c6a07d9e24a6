package assess

import (
	"fmt"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// poolChecks are those of a MachineConfigPool.
var poolChecks = []check[MachineConfigPoolInput]{
	{poolPaused, HealthCheck{
		Name: "pool-paused", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: Cause,
		Appears: "a pool is paused and has nodes that are not updated",
		Response: "Unpause the pool when its nodes may be updated: `oc patch machineconfigpool NAME --type merge -p " +
			"'{\"spec\":{\"paused\":false}}'`.",
		NextSteps: []string{`oc patch machineconfigpool/POOL --type=merge -p '{"spec":{"paused":false}}'`},
	}},
	{poolSelectorUnparsable, HealthCheck{
		Name: "pool-selector-unparsable", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: NeitherCauseNorEffect,
		Appears:   "the node selector of a pool cannot be parsed",
		Response:  "Correct `.spec.nodeSelector` of the MachineConfigPool.",
		NextSteps: []string{"oc edit machineconfigpool/POOL"},
	}},
}

func poolPaused(in MachineConfigPoolInput) *finding {
	if !in.Pool.Spec.Paused || in.Nodes.excluded == 0 {
		return nil
	}
	return &finding{
		summary: fmt.Sprintf("Outdated nodes in a paused pool '%s' will not be updated", in.Pool.Name),
		description: "Pool is paused, which stops all changes to the nodes in the pool, including updates. " +
			"The nodes will not be updated until the pool is unpaused by the administrator.",
		reference: docsPausedPools,
	}
}

func poolSelectorUnparsable(in MachineConfigPoolInput) *finding {
	if in.SelectorError == "" {
		return nil
	}
	return &finding{
		summary:     fmt.Sprintf("The node selector of pool '%s' cannot be parsed", in.Pool.Name),
		description: "The pool has no nodes until its node selector is corrected: " + in.SelectorError,
		reference:   docsMachineConfigOperator,
	}
}
