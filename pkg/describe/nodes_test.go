package describe

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// fleet makes nodes, in their order, of which the first ones are degraded and the others pending.
func fleet(degraded, pending int) []*updatev1alpha1.NodeInsight {
	var nodes []*updatev1alpha1.NodeInsight
	for at := range degraded + pending {
		node := &updatev1alpha1.NodeInsight{
			Name:    fmt.Sprintf("n%02d", at),
			Version: "4.20.0",
			Conditions: []metav1.Condition{
				{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonPending},
				{Type: updatev1alpha1.ConditionAvailable, Status: metav1.ConditionTrue, Reason: updatev1alpha1.ReasonAsExpected},
			},
		}
		if at < degraded {
			degradedNow := metav1.Condition{Type: updatev1alpha1.ConditionDegraded, Status: metav1.ConditionTrue}
			node.Conditions = append(node.Conditions, degradedNow)
		}
		nodes = append(nodes, node)
	}
	return nodes
}

func TestWriteNodesOmitted(t *testing.T) {
	for _, tc := range []struct {
		name              string
		degraded, pending int
		details           Details
		wantRows          int
		wantBelow         string
	}{
		{name: "ten nodes", pending: 10, wantRows: 10},
		{
			name: "eleven nodes", pending: 11, wantRows: 10,
			wantBelow: "...\n" +
				"Omitted additional 1 Total, 0 Completed, 1 Available, 0 Progressing, 1 Outdated, 0 Draining, 0 Excluded, and 0 Degraded nodes.\n" +
				"Pass along --details=nodes to see all information.\n",
		},
		{name: "eleven nodes with details", pending: 11, details: DetailsNodes, wantRows: 11},
		{name: "eleven degraded nodes", degraded: 11, wantRows: 11},
		{
			name: "twelve degraded nodes and three others", degraded: 12, pending: 3, wantRows: 12,
			wantBelow: "...\n" +
				"Omitted additional 3 Total, 0 Completed, 3 Available, 0 Progressing, 3 Outdated, 0 Draining, 0 Excluded, and 0 Degraded nodes.\n" +
				"Pass along --details=nodes to see all information.\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			nodes := fleet(tc.degraded, tc.pending)
			want, shown := &page{Options: Options{Details: DetailsNodes}}, &page{Options: Options{Details: tc.details}}
			writeNodes(want, nodes[:tc.wantRows])
			writeNodes(shown, nodes)
			if diff := cmp.Diff(want.text.String()+tc.wantBelow, shown.text.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCountsOf covers that the counts of a pool are the pool's own as long as it has any.
func TestCountsOf(t *testing.T) {
	pool := func(summaries ...updatev1alpha1.NodeSummary) *updatev1alpha1.MachineConfigPoolInsight {
		return &updatev1alpha1.MachineConfigPoolInsight{Summaries: summaries}
	}
	total := func(count int32) updatev1alpha1.NodeSummary {
		return updatev1alpha1.NodeSummary{Type: updatev1alpha1.NodesTotal, Count: count}
	}
	nodes := fleet(1, 2)
	counted := nodeCounts{total: 3, available: 3, outdated: 3, degraded: 1}
	for _, tc := range []struct {
		name  string
		pools []*updatev1alpha1.MachineConfigPoolInsight
		want  nodeCounts
	}{
		{name: "no pool", want: counted},
		{name: "a pool without summaries", pools: []*updatev1alpha1.MachineConfigPoolInsight{pool()}, want: counted},
		{
			name:  "a pool with summaries of a newer version only",
			pools: []*updatev1alpha1.MachineConfigPoolInsight{pool(updatev1alpha1.NodeSummary{Type: "Resting", Count: 9})},
			want:  counted,
		},
		{name: "a pool that counts more nodes than there are insights", pools: []*updatev1alpha1.MachineConfigPoolInsight{pool(total(5000))}, want: nodeCounts{total: 5000}},
		{name: "two pools", pools: []*updatev1alpha1.MachineConfigPoolInsight{pool(total(3)), pool(total(1))}, want: nodeCounts{total: 4}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, countsOf(tc.pools, nodes), cmp.AllowUnexported(nodeCounts{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestWhatIsLeftOutIsSaid: each part says what is left out of it, and the last note what no part can say.
func TestWhatIsLeftOutIsSaid(t *testing.T) {
	truncated := func(message string) []metav1.Condition {
		return []metav1.Condition{{Type: updatev1alpha1.ConditionInsightsComplete, Status: metav1.ConditionFalse, Message: message}}
	}
	for _, test := range []struct {
		name              string
		all, first, other string
		want              []string
	}{
		{"one part", "2 nodes", "2 nodes", "", []string{"Note: 2 nodes"}},
		{"two parts", "5 nodes", "2 nodes", "3 nodes", []string{"Note: 2 nodes", "Note: 3 nodes", "Note: 5 nodes"}},
		{"pools as well", "1 worker pool, 5 nodes", "2 nodes", "", []string{"Note: 2 nodes", "Note: 1 worker pool, 5 nodes"}},
		{"only pools", "1 worker pool", "", "", []string{"Note: 1 worker pool"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			us := &updatev1alpha1.UpdateStatus{Status: updatev1alpha1.UpdateStatusStatus{Conditions: truncated(test.all)}}
			for _, message := range []string{test.first, test.other} {
				pool := updatev1alpha1.WorkerPool{Name: fmt.Sprint("pool", len(us.Status.WorkerPools))}
				pool.Informers = []updatev1alpha1.Informer{{Insights: []updatev1alpha1.Insight{{Node: fleet(0, 1)[0]}}}}
				if message != "" {
					pool.Conditions = truncated(message)
				}
				us.Status.WorkerPools = append(us.Status.WorkerPools, pool)
			}
			for _, details := range []Details{DetailsNone, DetailsNodes} {
				var text strings.Builder
				if err := Write(&text, us, Options{Details: details}); err != nil {
					t.Fatal(err)
				}
				var notes []string
				for line := range strings.Lines(text.String()) {
					if strings.HasPrefix(line, "Note:") {
						notes = append(notes, strings.TrimSpace(line))
					}
				}
				if diff := cmp.Diff(test.want, notes); diff != "" {
					t.Errorf("details %s (-want +got):\n%s", details, diff)
				}
			}
		})
	}
}

// TestEstimateOf: what is left of a phase is told from now on, as far as it is known when the phase began.
func TestEstimateOf(t *testing.T) {
	ago := func(d time.Duration) metav1.Time { return metav1.NewTime(lookedAt.Add(-d)) }
	rebooting := func(d time.Duration) []updatev1alpha1.NodePhase {
		return []updatev1alpha1.NodePhase{
			{Phase: updatev1alpha1.PhaseDraining, StartedAt: ago(d + time.Hour)},
			{Phase: updatev1alpha1.PhaseRebooting, StartedAt: ago(d)},
		}
	}
	for _, tc := range []struct {
		name     string
		estimate time.Duration
		phases   []updatev1alpha1.NodePhase
		want     string
	}{
		{name: "nothing left", estimate: 0, want: "-"},
		{name: "begin not seen", estimate: 10*time.Minute + 5*time.Second, want: "+10m5s"},
		{name: "another phase seen", estimate: 10 * time.Minute, phases: rebooting(time.Minute)[:1], want: "+10m"},
		{name: "just begun", estimate: 10 * time.Minute, phases: rebooting(0), want: "+10m"},
		{name: "minutes are rounded up", estimate: 10 * time.Minute, phases: rebooting(90 * time.Second), want: "+9m"},
		{name: "hours", estimate: 2 * time.Hour, phases: rebooting(time.Hour), want: "+1h"},
		{name: "seconds", estimate: 10 * time.Minute, phases: rebooting(9*time.Minute + 20*time.Second), want: "+40s"},
		{name: "passed", estimate: 10 * time.Minute, phases: rebooting(10 * time.Minute), want: "?"},
		{name: "begins later than now", estimate: 10 * time.Minute, phases: rebooting(-time.Minute), want: "+10m"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			node := &updatev1alpha1.NodeInsight{EstToComplete: &metav1.Duration{Duration: tc.estimate}, Phases: tc.phases}
			if got := estimateOf(node, insight.NodeState{Phase: insight.PhaseRebooting}, lookedAt); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
	if got := estimateOf(&updatev1alpha1.NodeInsight{Phases: rebooting(0)}, insight.NodeState{Phase: insight.PhaseRebooting}, lookedAt); got != "?" {
		t.Errorf("without an estimate: got %q", got)
	}
}
