package standalone_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// reportOf returns the insights about the pools of a cluster.
func reportOf(result standalone.NodesResult, pool string) []insight.ScopedInsight {
	for _, report := range result.Message.Reports {
		if report.Subject == standalone.MachineConfigPoolSubject(pool) {
			return report.Insights
		}
	}
	return nil
}

// TestUnavailableNodes: which nodes the Machine Config Operator counts as unavailable, by what a pool says that has one node that waits
// and another one.
func TestUnavailableNodes(t *testing.T) {
	const isUnknown = "cause unknown"
	old := builders.Configs("rendered-worker-old", "rendered-worker-old")
	for name, test := range map[string]struct {
		node []builders.NodeOption
		want string
	}{
		"available":           {[]builders.NodeOption{old}, isUnknown},
		"not ready":           {[]builders.NodeOption{old, builders.NotReady(start)}, "node b is not ready"},
		"disk pressure":       {[]builders.NodeOption{old, builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionTrue, start, "", "")}, "node b has disk pressure"},
		"no network":          {[]builders.NodeOption{old, builders.NodeCondition(corev1.NodeNetworkUnavailable, corev1.ConditionTrue, start, "", "")}, "node b has no network"},
		"cordoned":            {[]builders.NodeOption{old, builders.Unschedulable()}, "node b is cordoned"},
		"both":                {[]builders.NodeOption{old, builders.NotReady(start), builders.Unschedulable()}, "node b is not ready and is cordoned"},
		"at work":             {[]builders.NodeOption{old, builders.State(builders.StateWorking)}, "node b is not done with its configuration"},
		"another image":       {[]builders.NodeOption{old, builders.Images("a", "b")}, "node b is not done with its configuration"},
		"failed on another":   {[]builders.NodeOption{builders.Configs("rendered-worker-older", "rendered-worker-old"), builders.DegradedBecause("no")}, isUnknown},
		"failed on that":      {[]builders.NodeOption{builders.Configs("rendered-worker-old2", "rendered-worker-new"), builders.DegradedBecause("no")}, "node b is degraded"},
		"without annotations": {nil, "node b is not done with its configuration"},
	} {
		in := standalone.NodesInput{
			ClusterVersion: updating(), MachineConfigPools: []*machineconfigv1.MachineConfigPool{trimmed(pool())},
			Nodes: []*corev1.Node{
				trimmed(builders.Node("a", builders.Role("worker"), old)), trimmed(builders.Node("b", append(test.node, builders.Role("worker"))...)),
			},
			MachineConfigs: []*metav1.PartialObjectMetadata{
				config("rendered-worker-old", before), config("rendered-worker-older", before), config("rendered-worker-new", target),
			},
		}
		var summary string
		for _, one := range reportOf(standalone.NewNodes(assess.Observed{}).Assess(in, start.Add(time.Hour)), "worker") {
			if one.Insight.Health != nil && one.Insight.Health.Reason == "PoolNotStarting" {
				summary = one.Insight.Health.Impact.Summary
			}
		}
		if want := fmt.Sprintf("Pool worker has not started to update: %s", test.want); summary != want {
			t.Errorf("%s: %q, want %q", name, summary, want)
		}
	}
}
