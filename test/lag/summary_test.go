package lag

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/summary"
	"github.com/openshift/cluster-version-operator/pkg/update"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// TestCounts plays an update: the counts of the objects are those of the summary, after each write.
func TestCounts(t *testing.T) {
	simulation := simulator.NewSimulation(simulator.Update{Seed: 1, Start: began})
	cluster := NewCluster(simulation.Objects())
	var previous *updatev1alpha1.UpdateStatusSummaryStatus
	for write, more := simulation.Next(); more; write, more = simulation.Next() {
		cluster.Put(write.After)
		built := statusOf(cluster, write.Time)
		previous = summary.Of(summary.Input{Update: update.Read(&built.Status), Previous: previous, Now: write.Time})
		seen := SeeSummary(&updatev1alpha1.UpdateStatusSummary{Status: *previous}, write.Time)
		if diff := cmp.Diff(cluster.States().Counts(), seen.States); diff != "" {
			t.Fatalf("%s (-objects +summary):\n%s", write.Time, diff)
		}
	}
}
