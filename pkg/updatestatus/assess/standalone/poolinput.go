package standalone

import (
	"time"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

func countMembers(members []PoolMember) insight.NodeCounts {
	var counts insight.NodeCounts
	for _, one := range members {
		counts.Add(one.State)
	}
	return counts
}

// poolInput returns what a pool is assessed from, without its members.
func (c clusterContext) poolInput(pool *machineconfigv1.MachineConfigPool, counts map[string]insight.NodeCounts) MachineConfigPoolInput {
	config := pool.Spec.Configuration.Name
	in := MachineConfigPoolInput{
		Pool: pool, Nodes: counts[pool.Name], Target: c.target, IsRendered: c.target.Known && c.versions[config] == c.target.Version,
		IsAhead: c.IsAhead,
	}
	if c.Partial {
		in.Nodes = withMissing(in.Nodes, pool)
	}
	switch {
	case pool.Name == arbiterPool && counts[masterPool].OnAnother > 0:
		// It waits until the other nodes of the control plane are updated, since 4.23 (pkg/controller/node/node_controller.go).
	case in.IsRendered:
		// The configuration may be one of an earlier update to the same version.
		in.Turn = assess.Later(assess.Later(c.rendered[config], c.updateStarted), c.operatorSince())
	default:
		in.Turn = c.operatorSince()
	}
	return in
}

// operatorSince returns since when the Machine Config Operator is being updated, zero if it is not. While it is not available, its own
// health insight says why nothing goes on.
func (c clusterContext) operatorSince() time.Time {
	if c.MachineConfigOperator == nil || c.ClusterVersion == nil || len(c.ClusterVersion.Status.History) == 0 {
		return time.Time{}
	}
	progressing := controlplane.FindCondition(c.MachineConfigOperator.Status.Conditions, configv1.OperatorProgressing)
	available := controlplane.FindCondition(c.MachineConfigOperator.Status.Conditions, configv1.OperatorAvailable)
	isDown := available != nil && available.Status == configv1.ConditionFalse
	if isDown || !controlplane.IsTrue(progressing) || progressing.LastTransitionTime.Time.Before(c.updateStarted) {
		return time.Time{}
	}
	return progressing.LastTransitionTime.Time
}
