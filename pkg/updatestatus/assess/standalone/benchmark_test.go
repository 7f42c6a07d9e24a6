package standalone_test

import (
	"testing"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

func BenchmarkCluster(b *testing.B) {
	in := builders.Large().Cluster(start)
	b.ReportAllocs()
	for b.Loop() {
		standalone.Assess(in, start)
	}
}

// BenchmarkNodes is what the change of one node of many costs the source: it assesses that node, its pool's counts, and nothing else.
func BenchmarkNodes(b *testing.B) {
	cluster := builders.Large().Cluster(start)
	in := standalone.NodesInput{
		ClusterVersion: cluster.ClusterVersion, MachineConfigPools: cluster.MachineConfigPools, MachineConfigs: cluster.MachineConfigs,
		Nodes: cluster.Nodes, MachineConfigNodes: cluster.MachineConfigNodes,
	}
	nodes := standalone.NewNodes(assess.Observed{})
	nodes.Assess(in, start)
	b.ReportAllocs()
	for b.Loop() {
		in.Nodes[21] = in.Nodes[21].DeepCopy()
		nodes.Assess(in, start)
	}
}
