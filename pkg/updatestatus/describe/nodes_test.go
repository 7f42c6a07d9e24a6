package describe

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// testNodes returns sorted nodes: first degraded, then pending ones.
func testNodes(degraded, pending int) []*updatev1alpha1.NodeInsight {
	var nodes []*updatev1alpha1.NodeInsight
	for i := range degraded + pending {
		node := &updatev1alpha1.NodeInsight{
			Name:    fmt.Sprintf("n%02d", i),
			Version: "4.20.0",
			Conditions: []metav1.Condition{
				{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonPending},
				{Type: updatev1alpha1.ConditionAvailable, Status: metav1.ConditionTrue, Reason: updatev1alpha1.ReasonAsExpected},
			},
		}
		if i < degraded {
			degradedNow := metav1.Condition{Type: updatev1alpha1.ConditionDegraded, Status: metav1.ConditionTrue}
			node.Conditions = append(node.Conditions, degradedNow)
		}
		nodes = append(nodes, node)
	}
	return nodes
}

// stated returns nodes as they are read.
func stated(insights ...*updatev1alpha1.NodeInsight) []update.Node {
	var nodes []update.Node
	for _, one := range insights {
		nodes = append(nodes, update.Node{NodeInsight: one, State: insight.StateOf(one)})
	}
	return nodes
}

func TestWriteNodesOmitted(t *testing.T) {
	for _, tc := range []struct {
		name      string
		degraded  int
		pending   int
		details   Details
		wantRows  int
		wantBelow string
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
			nodes := stated(testNodes(tc.degraded, tc.pending)...)
			want, shown := &page{Options: Options{Details: DetailsNodes}}, &page{Options: Options{Details: tc.details}}
			writeNodes(want, nodes[:tc.wantRows])
			writeNodes(shown, nodes)
			if diff := cmp.Diff(want.text.String()+tc.wantBelow, shown.text.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestNodeMessage: the message of a node is what is wrong with it, else how its update goes on. The classic text has only the former.
func TestNodeMessage(t *testing.T) {
	const onItsWay = "The node is on its way to 4.20.2, and to be updated to 4.20.3 afterwards"
	for _, test := range []struct {
		name           string
		message        string
		status         metav1.ConditionStatus
		classic, whole string
	}{
		{"a node on its way", "", metav1.ConditionTrue, "", onItsWay},
		{"something is wrong", "disk full", metav1.ConditionTrue, "disk full", "disk full"},
		{"it is not being updated", "", metav1.ConditionFalse, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			node := &updatev1alpha1.NodeInsight{Name: "n", Version: "4.20.1", Message: test.message, Conditions: []metav1.Condition{
				{Type: updatev1alpha1.ConditionUpdating, Status: test.status, Reason: updatev1alpha1.ReasonDraining, Message: onItsWay},
			}}
			for isNew, want := range map[bool]string{false: test.classic, true: test.whole} {
				p := &page{isNew: isNew}
				writeNodes(p, stated(node))
				_, row, _ := strings.Cut(p.text.String(), "\n")
				if _, got, _ := strings.Cut(row, "?"); strings.TrimSpace(got) != want {
					t.Errorf("new text: %t\n%s", isNew, p.text.String())
				}
			}
		})
	}
}

// TestTruncationNotes checks that the text begins with what is left out, and that each part has a note about its own insights.
func TestTruncationNotes(t *testing.T) {
	truncated := func(message string) []metav1.Condition {
		return []metav1.Condition{{Type: updatev1alpha1.ConditionInsightsComplete, Status: metav1.ConditionFalse, Message: message}}
	}
	for _, test := range []struct {
		name    string
		cluster string
		pools   [2]string
		want    []string
	}{
		{name: "one pool", cluster: "2 nodes", pools: [2]string{"2 nodes"}, want: []string{"Incomplete: 2 nodes.", "Note: 2 nodes"}},
		{name: "two pools", cluster: "5 nodes", pools: [2]string{"2 nodes", "3 nodes"}, want: []string{"Incomplete: 5 nodes.", "Note: 2 nodes", "Note: 3 nodes"}},
		{name: "nodes and pools", cluster: "1 worker pool, 5 nodes", pools: [2]string{"2 nodes"}, want: []string{"Incomplete: 1 worker pool, 5 nodes.", "Note: 2 nodes"}},
		{name: "pools only", cluster: "1 worker pool", want: []string{"Incomplete: 1 worker pool."}},
	} {
		t.Run(test.name, func(t *testing.T) {
			us := &updatev1alpha1.UpdateStatus{Status: updatev1alpha1.UpdateStatusStatus{Conditions: truncated(test.cluster)}}
			for _, message := range test.pools {
				pool := updatev1alpha1.WorkerPool{Name: fmt.Sprint("pool", len(us.Status.WorkerPools))}
				pool.Informers = []updatev1alpha1.Informer{{Insights: []updatev1alpha1.Insight{{Node: testNodes(0, 1)[0]}}}}
				if message != "" {
					pool.Conditions = truncated(message)
				}
				us.Status.WorkerPools = append(us.Status.WorkerPools, pool)
			}
			for _, details := range []Details{DetailsNone, DetailsNodes} {
				var text strings.Builder
				if err := Write(&text, read(us, time.Time{}), Options{Details: details}); err != nil {
					t.Fatal(err)
				}
				var notes []string
				for line := range strings.Lines(text.String()) {
					if strings.HasPrefix(line, "Note:") || strings.HasPrefix(line, "Incomplete:") {
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

func TestNodeEstimate(t *testing.T) {
	ago := func(d time.Duration) metav1.Time { return metav1.NewTime(testNow.Add(-d)) }
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
		{name: "completed", estimate: 0, want: "-"},
		{name: "start unknown", estimate: 10*time.Minute + 5*time.Second, want: "+10m5s"},
		{name: "start of another phase", estimate: 10 * time.Minute, phases: rebooting(time.Minute)[:1], want: "+10m"},
		{name: "just started", estimate: 10 * time.Minute, phases: rebooting(0), want: "+10m"},
		{name: "rounded up to minutes", estimate: 10 * time.Minute, phases: rebooting(90 * time.Second), want: "+9m"},
		{name: "hours", estimate: 2 * time.Hour, phases: rebooting(time.Hour), want: "+1h"},
		{name: "seconds", estimate: 10 * time.Minute, phases: rebooting(9*time.Minute + 20*time.Second), want: "+40s"},
		{name: "passed", estimate: 10 * time.Minute, phases: rebooting(10 * time.Minute), want: "?"},
		{name: "start in the future", estimate: 10 * time.Minute, phases: rebooting(-time.Minute), want: "+10m"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			node := update.Node{
				NodeInsight: &updatev1alpha1.NodeInsight{EstimatedSeconds: insight.Seconds(tc.estimate), Phases: tc.phases},
				State:       insight.NodeState{Phase: insight.PhaseRebooting},
			}
			if got := (clock{now: testNow}).nodeEstimate(node); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
	if got := (clock{now: testNow}).nodeEstimate(update.Node{NodeInsight: &updatev1alpha1.NodeInsight{Phases: rebooting(0)}}); got != "?" {
		t.Errorf("without an estimate: got %q", got)
	}
}

// TestNodeRemaining: a node that takes longer than expected is overdue, and by how much; at most the time of a phase is left that started
// at an unknown time. The classic text has no words for these.
func TestNodeRemaining(t *testing.T) {
	since := func(d time.Duration) []updatev1alpha1.NodePhase {
		return []updatev1alpha1.NodePhase{{Phase: updatev1alpha1.PhaseRebooting, StartedAt: metav1.NewTime(testNow.Add(-d))}}
	}
	tenMinutes := insight.Seconds(10 * time.Minute)
	for _, test := range []struct {
		name           string
		estimate       *int32
		phases         []updatev1alpha1.NodePhase
		classic, whole string
	}{
		{"some time is left", tenMinutes, since(9 * time.Minute), "+1m", "+1m"},
		{"a second is left", tenMinutes, since(10*time.Minute - time.Second), "+1s", "+1s"},
		{"no second is left", tenMinutes, since(10*time.Minute - time.Second + 1), "?", "due now"},
		{"it is due", tenMinutes, since(10 * time.Minute), "?", "due now"},
		{"not for a minute", tenMinutes, since(11*time.Minute - 1), "?", "due now"},
		{"for a minute", tenMinutes, since(11 * time.Minute), "?", "overdue by 1m"},
		{"for longer", tenMinutes, since(22*time.Minute + 59*time.Second), "?", "overdue by 12m"},
		{"for hours", tenMinutes, since(3*time.Hour + 12*time.Minute), "?", "overdue by 3h2m"},
		{"no estimate", nil, since(time.Hour), "?", "?"},
		{"no start", tenMinutes, nil, "+10m", "<10m"},
		{"completed", insight.Seconds(0), since(time.Hour), "-", "-"},
	} {
		t.Run(test.name, func(t *testing.T) {
			node := &updatev1alpha1.NodeInsight{Name: "n", Version: "4.20.1", EstimatedSeconds: test.estimate, Phases: test.phases, Conditions: []metav1.Condition{
				{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue, Reason: updatev1alpha1.ReasonRebooting},
			}}
			for isNew, want := range map[bool]string{false: test.classic, true: test.whole} {
				p := &page{isNew: isNew, Options: Options{Now: testNow}}
				writeNodes(p, stated(node))
				if want = "n      Progressing   Rebooting   4.20.1    " + want; !strings.HasSuffix(strings.TrimSpace(p.text.String()), want) {
					t.Errorf("new text: %t: want %s in\n%s", isNew, want, p.text.String())
				}
			}
		})
	}
}
