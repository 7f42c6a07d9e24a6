package update_test

import (
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// TestTargets checks which version nodes are updated to: that of the control plane, and in a hosted cluster that of their pool.
func TestTargets(t *testing.T) {
	node := func(name string) updatev1alpha1.Insight {
		return updatev1alpha1.Insight{Node: &updatev1alpha1.NodeInsight{Name: name}}
	}
	version := updatev1alpha1.ControlPlaneVersions{Target: &updatev1alpha1.Version{Version: "4.20.2"}}
	pool := &updatev1alpha1.NodePoolInsight{Versions: updatev1alpha1.SummaryVersions{Target: "4.20.1"}}
	for name, test := range map[string]struct {
		resource     string
		controlPlane updatev1alpha1.ControlPlaneVersions
		pool         *updatev1alpha1.NodePoolInsight
		want, wantCP string
	}{
		"a standalone cluster":       {"clusterversions", version, nil, "4.20.2", "4.20.2"},
		"a version that is unknown":  {"clusterversions", updatev1alpha1.ControlPlaneVersions{}, nil, "", ""},
		"a hosted cluster":           {"hostedclusters", version, pool, "4.20.1", "4.20.2"},
		"a pool without its insight": {"hostedclusters", version, nil, "", "4.20.2"},
	} {
		insights := []updatev1alpha1.Insight{node("worker")}
		if test.pool != nil {
			insights = append(insights, updatev1alpha1.Insight{NodePool: test.pool})
		}
		u := update.Read(&updatev1alpha1.UpdateStatusStatus{
			ControlPlane: &updatev1alpha1.ControlPlane{
				Resource: updatev1alpha1.ResourceRef{Resource: test.resource},
				Informers: []updatev1alpha1.Informer{{Insights: []updatev1alpha1.Insight{
					node("master"), {ClusterVersion: &updatev1alpha1.ClusterVersionInsight{Versions: test.controlPlane}},
				}}},
			},
			WorkerPools: []updatev1alpha1.WorkerPool{{Name: "worker", Informers: []updatev1alpha1.Informer{{Insights: insights}}}},
		})
		if got, gotCP := u.Pools[0].Nodes[0].Target, u.ControlPlane.Nodes[0].Target; got != test.want || gotCP != test.wantCP {
			t.Errorf("%s: got %q and %q, want %q and %q", name, got, gotCP, test.want, test.wantCP)
		}
	}
}

// TestIsUpdated checks that a node is updated once its phase is Completed and nothing is done to it.
func TestIsUpdated(t *testing.T) {
	for state, want := range map[insight.NodeState]bool{
		{Phase: insight.PhaseCompleted}:                 true,
		{Phase: insight.PhaseCompleted, Degraded: true}: true,
		{Phase: insight.PhaseCompleted, Updating: true}: false,
		{Phase: insight.PhasePending}:                   false,
		{Phase: insight.PhaseUnknown}:                   false,
	} {
		if got := (update.Node{State: state}).IsUpdated(); got != want {
			t.Errorf("%+v: %t", state, got)
		}
	}
}

// TestNeedsAttention checks which nodes need attention.
func TestNeedsAttention(t *testing.T) {
	for state, want := range map[insight.NodeState]bool{
		{Phase: insight.PhaseCompleted, Available: true}:                                false,
		{Phase: insight.PhaseCompleted, Available: true, Degraded: true}:                true,
		{Phase: insight.PhaseCompleted}:                                                 true,
		{Phase: insight.PhaseDraining, Available: true, Updating: true}:                 false,
		{Phase: insight.PhaseDraining, Available: true, Updating: true, Degraded: true}: true,
	} {
		if got := (update.Node{State: state}).NeedsAttention(); got != want {
			t.Errorf("%+v: %t", state, got)
		}
	}
}

// TestCompareCompletion checks that pools that are not complete are first.
func TestCompareCompletion(t *testing.T) {
	complete, behind := &update.Pool{Counts: insight.NodeCounts{Total: 1, Completed: 1}}, &update.Pool{Counts: insight.NodeCounts{Total: 1}}
	for _, test := range []struct {
		a, b *update.Pool
		want int
	}{{complete, complete, 0}, {behind, behind, 0}, {behind, complete, -1}, {complete, behind, 1}} {
		if got := update.CompareCompletion(test.a, test.b); got != test.want {
			t.Errorf("%+v, %+v: %d", test.a.Counts, test.b.Counts, got)
		}
	}
}
