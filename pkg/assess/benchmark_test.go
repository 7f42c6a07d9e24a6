package assess_test

import (
	"testing"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/test/builders"
)

func BenchmarkCluster(b *testing.B) {
	in := builders.Large().Cluster(start)
	b.ReportAllocs()
	for b.Loop() {
		assess.Cluster(in, start)
	}
}

// BenchmarkNode is what the change of one node of many costs: its assessment and its pool's counts.
func BenchmarkNode(b *testing.B) {
	in := builders.Large().Cluster(start)
	pools := assess.NewPools(in.MachineConfigPools)
	node := in.Nodes[21]
	pool := pools.Of(node).Pool
	input := assess.NodeInput{
		Node: node, Pool: pool, Target: assess.TargetOf(in.ClusterVersion),
		VersionOf: func(string) string { return builders.Before },
	}
	b.ReportAllocs()
	for b.Loop() {
		assess.Node(input, start)
		assess.MachineConfigPool(assess.MachineConfigPoolInput{Pool: pool, Target: input.Target})
	}
}
