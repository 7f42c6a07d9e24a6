package update_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/sets"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

func refTo(resource, name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Resource: resource, Name: name}
}

// stalling is a health insight about resources, with its reason as its summary.
func stalling(reason string, level updatev1alpha1.HealthLevel, resources ...updatev1alpha1.ResourceRef) updatev1alpha1.Insight {
	return updatev1alpha1.Insight{UID: "health-" + reason, Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
		Reason: reason, Scope: updatev1alpha1.HealthScope{Resources: builders.Resources(resources...)},
		Impact: updatev1alpha1.HealthImpact{Level: level, Type: updatev1alpha1.ImpactUpdateStalled, Summary: reason + " for a reason"},
	}}
}

// clusterWith is a cluster with a node in each of its pools, and health insights.
func clusterWith(health ...updatev1alpha1.Insight) *updatev1alpha1.UpdateStatusStatus {
	of := func(pool, node string) []updatev1alpha1.Insight {
		return []updatev1alpha1.Insight{
			{Type: updatev1alpha1.InsightMachineConfigPool, MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Name: pool, Resource: refTo("machineconfigpools", pool)}},
			{Type: updatev1alpha1.InsightNode, Node: &updatev1alpha1.NodeInsight{Name: node, Pool: pool}},
		}
	}
	informers := func(insights ...updatev1alpha1.Insight) []updatev1alpha1.Informer {
		return []updatev1alpha1.Informer{{Name: "node-informer", Insights: insights}}
	}
	return &updatev1alpha1.UpdateStatusStatus{
		ControlPlane: &updatev1alpha1.ControlPlane{Informers: informers(append(of("master", "m-0"), health...)...)},
		WorkerPools: []updatev1alpha1.WorkerPool{
			{Name: "worker", Informers: informers(of("worker", "w-0")...)},
			{Name: "infra", Informers: informers(of("infra", "i-0")...)},
			{Name: "unknown"}, // nothing is reported about it
		},
	}
}

// TestStalledPool checks why a pool makes no progress: what is said of the pool itself, of several the first.
func TestStalledPool(t *testing.T) {
	worker := refTo("machineconfigpools", "worker")
	for name, test := range map[string]struct {
		health []updatev1alpha1.Insight
		// worker is that of pool worker. No other pool has one.
		worker string
	}{
		"nothing":         {},
		"degraded":        {[]updatev1alpha1.Insight{stalling("PoolDegraded", updatev1alpha1.LevelError, worker)}, "PoolDegraded for a reason"},
		"not starting":    {[]updatev1alpha1.Insight{stalling("PoolNotStarting", updatev1alpha1.LevelWarning, worker, refTo("nodes", "w-0"))}, "PoolNotStarting for a reason"},
		"both":            {[]updatev1alpha1.Insight{stalling("PoolDegraded", updatev1alpha1.LevelError, worker), stalling("PoolNotStarting", updatev1alpha1.LevelWarning, worker)}, "PoolDegraded for a reason"},
		"another reason":  {[]updatev1alpha1.Insight{stalling("PoolSlowed", updatev1alpha1.LevelError, worker)}, ""},
		"another pool":    {[]updatev1alpha1.Insight{stalling("PoolDegraded", updatev1alpha1.LevelError, refTo("machineconfigpools", "gone"))}, ""},
		"another object":  {[]updatev1alpha1.Insight{stalling("PoolDegraded", updatev1alpha1.LevelError, refTo("nodepools", "worker"))}, ""},
		"the pool second": {[]updatev1alpha1.Insight{stalling("PoolDegraded", updatev1alpha1.LevelError, refTo("nodes", "m-0"), worker)}, ""},
		"no resources":    {[]updatev1alpha1.Insight{stalling("PoolDegraded", updatev1alpha1.LevelError)}, ""},
		// A pool of which nothing is reported has no resource either.
		"an empty resource": {[]updatev1alpha1.Insight{stalling("PoolDegraded", updatev1alpha1.LevelError, updatev1alpha1.ResourceRef{})}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, pool := range update.Read(clusterWith(test.health...)).Pools {
				want := ""
				if pool.Name == "worker" {
					want = test.worker
				}
				if got := summaryOf(pool.Stalled); got != want {
					t.Errorf("pool %s: got %q, want %q", pool.Name, got, want)
				}
			}
		})
	}
}

func summaryOf(one *updatev1alpha1.Insight) string {
	if one == nil {
		return ""
	}
	return one.Health.Impact.Summary
}

// TestStalledPools checks which pools have no estimate: those that an error is about, and those of a node that stalls the update at any
// level.
func TestStalledPools(t *testing.T) {
	worker := refTo("machineconfigpools", "worker")
	speed := stalling("NodeNotReturned", updatev1alpha1.LevelWarning, refTo("nodes", "w-0"))
	speed.Health.Impact.Type = updatev1alpha1.ImpactUpdateSpeed
	noSummary := stalling("PoolDegraded", updatev1alpha1.LevelError, worker)
	noSummary.Health.Impact.Summary = ""
	for name, test := range map[string]struct {
		health []updatev1alpha1.Insight
		want   []string
	}{
		"nothing":                     {},
		"a pool":                      {[]updatev1alpha1.Insight{stalling("PoolDegraded", updatev1alpha1.LevelError, worker)}, []string{"worker"}},
		"a pool with a warning":       {[]updatev1alpha1.Insight{stalling("PoolNotStarting", updatev1alpha1.LevelWarning, worker)}, nil},
		"a pool, and not why":         {[]updatev1alpha1.Insight{noSummary}, nil}, // nothing says what to wait for
		"a pool that is gone":         {[]updatev1alpha1.Insight{stalling("PoolDegraded", updatev1alpha1.LevelError, refTo("machineconfigpools", "gone"))}, []string{"gone"}},
		"a node":                      {[]updatev1alpha1.Insight{stalling("NodeDegraded", updatev1alpha1.LevelWarning, refTo("nodes", "w-0"))}, []string{"worker"}},
		"a node of the control plane": {[]updatev1alpha1.Insight{stalling("NodeDegraded", updatev1alpha1.LevelError, refTo("nodes", "m-0"))}, []string{"master"}},
		"a node that is gone":         {[]updatev1alpha1.Insight{stalling("NodeDegraded", updatev1alpha1.LevelError, refTo("nodes", "gone"))}, nil},
		"a slow node":                 {[]updatev1alpha1.Insight{speed}, nil},
		"another object":              {[]updatev1alpha1.Insight{stalling("Failing", updatev1alpha1.LevelError, refTo("clusterversions", "worker"))}, nil},
		"no resources":                {[]updatev1alpha1.Insight{stalling("NodeDegraded", updatev1alpha1.LevelError)}, nil},
		"two": {
			[]updatev1alpha1.Insight{stalling("PoolDegraded", updatev1alpha1.LevelCritical, worker), stalling("NodeDegraded", updatev1alpha1.LevelError, refTo("nodes", "i-0"))},
			[]string{"infra", "worker"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := sets.List(update.Read(clusterWith(test.health...)).StalledPools())
			if diff := cmp.Diff(sets.List(sets.New(test.want...)), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestPoolOfNode checks that the nodes of the control plane have a pool as well.
func TestPoolOfNode(t *testing.T) {
	want := map[string]string{"m-0": "master", "w-0": "worker", "i-0": "infra"}
	if diff := cmp.Diff(want, update.Read(clusterWith()).PoolOfNode()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
