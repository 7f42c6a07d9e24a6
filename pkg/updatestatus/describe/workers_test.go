package describe

import (
	"strings"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// TestPoolStatus checks that the row of a pool says why the pool is stuck, but not in the classic text, which scripts read.
func TestPoolStatus(t *testing.T) {
	const counts = "3 Available, 1 Progressing, 0 Draining"
	for name, test := range map[string]struct {
		pool           update.Pool
		classic, whole string
	}{
		"it makes progress":       {update.Pool{Name: "worker"}, counts, counts},
		"it is stuck":             {update.Pool{Name: "worker", Stalled: stalled("pool-degraded", "worker", "Pool worker can't be updated")}, counts, counts + "; can't be updated"},
		"a node pool":             {update.Pool{Name: "surge", Stalled: stalled("node-pool-not-starting", "surge", "Node pool surge has stopped updating")}, counts, counts + "; has stopped updating"},
		"of a newer controller":   {update.Pool{Name: "worker", Stalled: stalled("pool-lost", "worker", "Pool worker is lost")}, counts, counts + "; Pool worker is lost"},
		"it begins otherwise":     {update.Pool{Name: "worker", Stalled: stalled("pool-degraded", "worker", "It is stuck")}, counts, counts + "; It is stuck"},
		"all exceptions":          {update.Pool{Name: "worker", Stalled: stalled("pool-degraded", "worker", "Pool worker waits"), Counts: insight.NodeCounts{Excluded: 2, Degraded: 1}}, counts + ", 2 Excluded, 1 Degraded", counts + ", 2 Excluded, 1 Degraded; waits"},
		"a pool that has no node": {update.Pool{Name: "empty", Stalled: stalled("pool-degraded", "empty", "Pool empty can't be updated"), Counts: insight.NodeCounts{Total: -4}}, "0 Total", "0 Total; can't be updated"},
	} {
		pool := test.pool
		pool.Counts.Total, pool.Counts.Available, pool.Counts.Progressing = pool.Counts.Total+4, 3, 1
		for isNew, want := range map[bool]string{false: test.classic, true: test.whole} {
			p := &page{isNew: isNew}
			p.table(tableOf(p, poolColumns, inText, "", []*update.Pool{&pool}), 0)
			if got := strings.TrimSpace(p.text.String()); !strings.HasSuffix(got, "  "+want) {
				t.Errorf("%s, new text: %t: want %s in\n%s", name, isNew, want, got)
			}
		}
	}
}

// stalled returns the health insight of a check about a pool.
func stalled(check, pool, summary string) *updatev1alpha1.Insight {
	return &updatev1alpha1.Insight{UID: "health-" + check + "-" + pool, Health: &updatev1alpha1.HealthInsight{
		Scope:  updatev1alpha1.HealthScope{Resources: []updatev1alpha1.HealthResource{{ResourceRef: updatev1alpha1.ResourceRef{Name: pool}}}},
		Impact: updatev1alpha1.HealthImpact{Summary: summary},
	}}
}
