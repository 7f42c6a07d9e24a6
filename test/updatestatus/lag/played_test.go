package lag

import (
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// TestStatesMatchStatus plays an update: the states of the objects are those of a status of them after each write, and so are the counts of
// a summary.
func TestStatesMatchStatus(t *testing.T) {
	simulation := simulator.NewSimulation(simulator.Update{Seed: 1, Start: began})
	cluster := NewCluster(simulation.Objects())
	before := cluster.States()
	transitions := map[Subject]int{}
	var previous *updatev1alpha1.UpdateStatusSummaryStatus
	for write, more := simulation.Next(); more; write, more = simulation.Next() {
		changed := cluster.Write(write)
		states := cluster.States()
		known := maps.Clone(before)
		maps.Copy(known, changed)
		if diff := cmp.Diff(states, known); diff != "" {
			t.Fatalf("%s: a write of %s changed more than is told (-all +told):\n%s", write.Time, write.Kind, diff)
		}
		for _, transition := range Between(before, states, write.Time) {
			transitions[transition.Subject]++
		}
		before = states
		assessed := statusOf(cluster, write.Time)
		if diff := cmp.Diff(states, Of(assessed)); diff != "" {
			t.Fatalf("%s (-objects +status):\n%s", write.Time, diff)
		}
		previous = summary.Of(summary.Input{Update: update.Read(&assessed.Status), Previous: previous, Now: write.Time})
		seen := SeeSummary(&updatev1alpha1.UpdateStatusSummary{Status: *previous}, write.Time)
		if diff := cmp.Diff(states.Counts(), seen.States); diff != "" {
			t.Fatalf("%s (-objects +summary):\n%s", write.Time, diff)
		}
	}
	// Pending, updating as no drain is asked for yet, draining, updating, rebooting, completed.
	worker := Subject{Kind: Nodes, Name: simulator.NodeName("worker", 0)}
	if transitions[worker] != 6 {
		t.Errorf("a worker had %d transitions", transitions[worker])
	}
	if len(transitions) != 33+9 {
		t.Errorf("%d nodes and operators changed", len(transitions))
	}
}

func statusOf(cluster *Cluster, now time.Time) *updatev1alpha1.UpdateStatus {
	return &updatev1alpha1.UpdateStatus{Status: status.Build(status.Input{Ledger: builders.View(standalone.Assess(cluster.Input(), now)), Now: now})}
}
