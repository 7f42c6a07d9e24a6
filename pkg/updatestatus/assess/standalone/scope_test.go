package standalone_test

import (
	"testing"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestScopes expects the scope of pools, their nodes and their health insights by the name of the pool, also while it is
// paused.
func TestScopes(t *testing.T) {
	worker := func(pool string) insight.Part { return insight.Part{WorkerPool: pool} }
	for _, test := range []struct {
		pool string
		want updatev1alpha1.ScopeType
		part insight.Part
	}{
		{pool: "master", want: updatev1alpha1.ScopeControlPlane, part: insight.ControlPlane},
		{pool: "arbiter", want: updatev1alpha1.ScopeControlPlane, part: insight.ControlPlane},
		{pool: "worker", want: updatev1alpha1.ScopeWorkerPool, part: worker("worker")},
		{pool: "infra", want: updatev1alpha1.ScopeWorkerPool, part: worker("infra")},
	} {
		paused := builders.MachineConfigPool(test.pool, builders.Configuration("rendered-worker-new"), builders.Paused())
		to := standalone.Target{Known: true, Version: target}
		scoped := map[string][]insight.ScopedInsight{
			"Node": standalone.Node(standalone.NodeInput{
				Node: node(builders.Configs("rendered-worker-old", "rendered-worker-old"), builders.DegradedBecause("disk is full")),
				Pool: paused, Target: to, VersionOf: func(name string) string { return versions[name] },
			}, start.Add(time.Hour)).Report.Insights,
			"MachineConfigPool": standalone.MachineConfigPool(standalone.MachineConfigPoolInput{
				Pool: paused, Nodes: insight.CountNodes(nodes("cx")...), Target: to,
			}, start).Report.Insights,
		}
		for kind, insights := range scoped {
			if len(insights) != 2 || insights[1].Insight.Health == nil {
				t.Errorf("%d insights of a %s of pool %s, want its own and a health insight", len(insights), kind, test.pool)
			}
			for _, one := range insights {
				if health := one.Insight.Health; one.Part != test.part || health != nil && health.Scope.Type != test.want {
					t.Errorf("%s of a %s of pool %s: part %+v, %+v", one.Insight.Type, kind, test.pool, one.Part, health)
				}
			}
		}
	}
}
