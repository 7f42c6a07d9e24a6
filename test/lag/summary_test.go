package lag

import (
	"testing"
	"time"

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

func TestMeasureSummary(t *testing.T) {
	summaryAt := func(nodes int32, at time.Time) Sighting {
		return SeeSummary(&updatev1alpha1.UpdateStatusSummary{Status: updatev1alpha1.UpdateStatusSummaryStatus{Nodes: &updatev1alpha1.SummaryNodes{Completed: nodes}}}, at)
	}
	counts := func(nodes int) States {
		states := States{}
		for at := range nodes {
			states[Subject{Kind: Nodes, Name: string(rune('a' + at))}] = "Completed"
		}
		return states.Counts()
	}
	transitions := append(Between(counts(1), counts(2), at(0)), Between(counts(2), counts(3), at(100))...)
	got := MeasureSummary(transitions, []Sighting{summaryAt(1, at(10)), summaryAt(2, at(30)), summaryAt(3, at(107))})
	if diff := cmp.Diff(Result{Kind: Summary, Lags: milliseconds(7, 30)}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if empty := SeeSummary(&updatev1alpha1.UpdateStatusSummary{}, at(0)); len(empty.States) != 0 {
		t.Errorf("an empty summary: %v", empty)
	}
}
