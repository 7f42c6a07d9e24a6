package status_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
)

// TestHostedResources: the parts of a hosted cluster are the objects that its insights are about, also once these are gone.
func TestHostedResources(t *testing.T) {
	hosted := updatev1alpha1.ResourceRef{Group: "hypershift.openshift.io", Resource: "hostedclusters", Namespace: "clusters", Name: "demo"}
	pool := updatev1alpha1.ResourceRef{Group: "hypershift.openshift.io", Resource: "nodepools", Namespace: "clusters", Name: "surge"}
	part := insight.Part{WorkerPool: "surge"}
	subject := insight.Subject{Kind: "Any", Name: "any"}
	message := func(source insight.Source, one insight.ScopedInsight) insight.Message {
		return insight.Message{
			Source: source, State: &insight.State{Complete: true},
			Reports: []insight.Report{{Subject: subject, Insights: []insight.ScopedInsight{one}}},
		}
	}
	reported := ledger.New()
	builder := status.NewBuilder()
	for _, step := range []struct {
		name    string
		version *updatev1alpha1.HostedClusterInsight
		pool    *updatev1alpha1.NodePoolInsight
	}{
		{
			"reported",
			&updatev1alpha1.HostedClusterInsight{ClusterVersionInsight: updatev1alpha1.ClusterVersionInsight{Resource: hosted}},
			&updatev1alpha1.NodePoolInsight{MachineConfigPoolInsight: updatev1alpha1.MachineConfigPoolInsight{Name: "surge", Resource: pool}},
		},
		{"without the insights about them", nil, nil},
	} {
		t.Run(step.name, func(t *testing.T) {
			node := updatev1alpha1.Insight{UID: "node", Type: updatev1alpha1.InsightNode, Node: &updatev1alpha1.NodeInsight{Name: "a"}}
			version, nodePool := node, node
			if step.version != nil {
				version = updatev1alpha1.Insight{UID: "hc", Type: updatev1alpha1.InsightHostedCluster, HostedCluster: step.version}
				nodePool = updatev1alpha1.Insight{UID: "np", Type: updatev1alpha1.InsightNodePool, NodePool: step.pool}
			}
			reported.Apply(message(insight.ControlPlaneInformer, insight.ScopedInsight{Insight: version}))
			reported.Apply(message(insight.NodeInformer, insight.ScopedInsight{Part: part, Insight: nodePool}))
			built := builder.Build(reported.View(), time.Unix(1700000000, 0))
			got := []updatev1alpha1.ResourceRef{built.ControlPlane.Resource, built.WorkerPools[0].Resource}
			if diff := cmp.Diff([]updatev1alpha1.ResourceRef{hosted, pool}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
