package standalone_test

import (
	"testing"

	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/builders"
)

func BenchmarkCluster(b *testing.B) {
	in := builders.Large().Cluster(start)
	b.ReportAllocs()
	for b.Loop() {
		standalone.Assess(in, start)
	}
}

// BenchmarkNode is what the change of one node of many costs: its assessment and its pool's counts.
func BenchmarkNode(b *testing.B) {
	in := builders.Large().Cluster(start)
	pools := standalone.NewPools(in.MachineConfigPools)
	node := in.Nodes[21]
	pool := pools.Of(node).Pool
	input := standalone.NodeInput{
		Node: node, Pool: pool, Target: standalone.TargetOf(in.ClusterVersion),
		VersionOf: func(string) string { return builders.Before },
	}
	b.ReportAllocs()
	for b.Loop() {
		standalone.Node(input, start)
		standalone.MachineConfigPool(standalone.MachineConfigPoolInput{Pool: pool, Target: input.Target})
	}
}
