package status_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestEstimatesOfAnUpdate plays the update of a pool of three nodes, which take eight minutes each, one after the other.
func TestEstimatesOfAnUpdate(t *testing.T) {
	r := newRolling(t, 3, 1)
	seconds := func(minutes, seconds int) *metav1.Time {
		return &metav1.Time{Time: after(minutes).Add(time.Duration(seconds) * time.Second)}
	}
	want := func(estimate *metav1.Time, durations ...updatev1alpha1.NodeDurations) {
		t.Helper()
		if diff := cmp.Diff(estimate, r.pool().EstimatedCompletedAt); diff != "" {
			t.Errorf("estimate (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(durations, r.pool().NodeDurations); diff != "" {
			t.Errorf("durations (-want +got):\n%s", diff)
		}
	}
	step := func(minutes float64, node, phase int) {
		r.pass(minutes).node(node, phase)
		r.build()
	}
	estToComplete := func(want time.Duration) {
		t.Helper()
		if got := r.insight("node-worker-1").Node.EstimatedSeconds; got == nil || *got != *insight.Seconds(want) {
			t.Errorf("estToComplete is %v, want %s", got, want)
		}
	}
	want(nil)
	step(0, 0, 1)
	// Between two nodes are seven seconds.
	want(seconds(60, 14)) // three nodes of twenty minutes
	step(4, 0, 2)
	want(seconds(54, 14))
	step(2, 0, 3)
	want(seconds(51, 14))
	step(2, 0, 4)
	took := []updatev1alpha1.NodeDurations{
		{Phase: "Draining", Count: 1, Seconds: []int32{480}}, {Phase: "Updating", Count: 1, Seconds: []int32{240}}, {Phase: "Rebooting", Count: 1, Seconds: []int32{120}},
	}
	want(seconds(24, 7), took...)
	step(0, 1, 1)
	want(seconds(24, 7), took...)
	estToComplete(8 * time.Minute)
	acquired := r.insight("node-worker-1").AcquiredAt
	step(4, 1, 2)
	want(seconds(24, 7), took...)
	estToComplete(4 * time.Minute)
	if got := r.insight("node-worker-1").AcquiredAt; got.Equal(&acquired) {
		t.Error("acquiredAt stays with another content")
	}
	step(2, 1, 3)
	step(2, 1, 4)
	step(0, 2, 1)
	step(4, 2, 2)
	step(2, 2, 3)
	step(2, 2, 4)
	want(nil) // complete
}

// TestTimeChangesNothing: passing time changes nothing until the pool is stuck, at NextCheck, also after a restart.
func TestTimeChangesNothing(t *testing.T) {
	r := newRolling(t, 4, 2)
	r.pass(1).node(0, 1)
	r.build()
	if got, want := r.builder.NextCheck(), after(61).Add(time.Second); !got.Equal(want) {
		t.Errorf("stuck at %s, want %s", got, want)
	}
	before := string(r.bytes())
	r.pass(59)
	r.build()
	r.restart()
	r.build()
	if got := string(r.bytes()); got != before {
		t.Errorf("time changed\n%s\nto\n%s", before, got)
	}
	r.now = r.builder.NextCheck()
	r.build()
	if r.pool().EstimatedCompletedAt != nil || r.pool().NoEstimate == nil || !r.builder.NextCheck().IsZero() {
		t.Errorf("not stuck: %+v", r.pool())
	}
}

// TestStalledPool: while a node stalls the update there is no estimate of its pool, also after a restart.
func TestStalledPool(t *testing.T) {
	r := newRolling(t, 3, 1)
	r.pass(1).node(0, 1)
	r.build()
	before := r.pool().EstimatedCompletedAt
	stalled := nodeReport("worker-0", "worker", metav1.ConditionTrue, phasesOfNodes[1])
	stalled.Insights[0].Insight.Node.Pool = "worker"
	stalled.Insights = append(stalled.Insights, insight.ScopedInsight{Part: stalled.Insights[0].Part, Insight: updatev1alpha1.Insight{
		UID: "health-drain", Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
			Scope:  updatev1alpha1.HealthScope{Resources: builders.Resources(updatev1alpha1.ResourceRef{Resource: "nodes", Name: "worker-0"})},
			Impact: updatev1alpha1.HealthImpact{Level: updatev1alpha1.LevelWarning, Type: updatev1alpha1.ImpactUpdateStalled},
		},
	}})
	r.pass(10)
	r.ledger.Apply(insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{stalled}})
	for range 2 {
		r.build()
		if got := r.pool(); before == nil || got.EstimatedCompletedAt != nil || got.NoEstimate == nil || got.NoEstimate.Message != "node worker-0 holds up the update" {
			t.Errorf("the estimate was %s, the pool is %+v", before, got)
		}
		r.restart()
	}
	r.node(0, 2)
	r.build()
	if r.pool().EstimatedCompletedAt == nil || r.pool().NoEstimate != nil {
		t.Errorf("the pool is still stalled: %+v", r.pool())
	}
}

// TestPoolEstimateTolerance: what moves by less than a twentieth of what is left is not worth a write.
func TestPoolEstimateTolerance(t *testing.T) {
	r := newRolling(t, 30, 1)
	r.pass(1).node(0, 1)
	r.build()
	first := r.pool().EstimatedCompletedAt // in ten hours
	r.pass(9).node(0, 2)
	r.build()
	r.pass(9).node(0, 3)
	r.build()
	if got := r.pool().EstimatedCompletedAt; !got.Equal(first) {
		t.Errorf("moved from %s to %s", first, got)
	}
	r.pass(30).node(0, 4)
	r.build()
	if got := r.pool().EstimatedCompletedAt; got.Equal(first) {
		t.Errorf("stayed at %s", got)
	}
}

// TestNextUpdateDurations: what nodes took is of one update.
func TestNextUpdateDurations(t *testing.T) {
	r := newRolling(t, 2, 1)
	for phase := 1; phase < len(phasesOfNodes); phase++ {
		r.pass(3).node(0, phase)
		r.build()
	}
	if len(r.pool().NodeDurations) == 0 {
		t.Fatal("no durations")
	}
	r.pass(1).node(0, 0)
	r.build()
	if got := r.pool(); got.NodeDurations != nil || got.EstimatedCompletedAt != nil {
		t.Errorf("%+v", got)
	}
}

// TestCancelledUpdate: when an update is cancelled, nodes that had begun are done at once, and have taken no time.
// What nodes took before was another update, also if it is a restarted controller that sees the next one begin.
func TestCancelledUpdate(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		r := newRolling(t, 5, 2)
		r.ledger.Apply(controlPlaneReports(updateReport("4.20.1", "4.20.2", at(0), nil)))
		for phase := 1; phase < len(phasesOfNodes); phase++ {
			r.pass(3).node(0, phase)
			r.build()
		}
		r.node(1, 1)
		r.node(2, 1)
		r.build()
		if restarted {
			r.restart()
		}
		r.ledger.Apply(controlPlaneReports(updateReport("4.20.2", "4.20.1", at(13), nil)))
		r.pass(1).node(0, 0)
		for node := 1; node < 5; node++ {
			r.node(node, 4)
		}
		r.build()
		if got := r.pool(); got.NodeDurations != nil || got.EstimatedCompletedAt != nil {
			t.Errorf("restarted %t: %+v", restarted, got)
		}
		r.node(0, 1)
		r.build()
		if got := r.insight("node-worker-0").Node.EstimatedSeconds; got == nil || *got != 600 {
			t.Errorf("restarted %t: the node that goes back is to take %v", restarted, got)
		}
	}
}

// TestCancelledLater: the Machine Config Operator takes back the configuration of nodes that have not begun some time after the update
// was cancelled. They have taken no time either; one that rebooted has, though its version stays when the architecture changes.
func TestCancelledLater(t *testing.T) {
	for phase, want := range map[int]bool{1: false, 2: false, 3: true} {
		r := newRolling(t, 3, 2)
		r.ledger.Apply(controlPlaneReports(updateReport("4.20.1", "4.20.2", at(0), nil)))
		r.pass(1).running(0, 1, "4.20.1")
		r.build()
		r.pass(1).running(0, phase, "4.20.1")
		r.ledger.Apply(controlPlaneReports(updateReport("4.20.2", "4.20.1", at(2), nil)))
		r.build()
		r.pass(1).running(0, 4, "4.20.1")
		r.build()
		if got := r.pool().NodeDurations; (len(got) > 0) != want {
			t.Errorf("from phase %d: %+v", phase, got)
		}
	}
}

// TestSecondUpdate: a node that is on its way to a version that is not the target any more stays in its phases until it is done, which is
// no duration of the next update. That begins anew, at once or later.
func TestSecondUpdate(t *testing.T) {
	for _, atOnce := range []bool{false, true} {
		r := newRolling(t, 3, 1)
		r.ledger.Apply(controlPlaneReports(updateReport("4.20.1", "4.20.2", at(0), nil)))
		r.pass(1).running(0, 1, "4.20.1")
		r.build()
		r.pass(30)
		r.ledger.Apply(controlPlaneReports(updateReport("4.20.2", "4.20.3", &metav1.Time{Time: r.now}, nil), machineConfigOperator(updatev1alpha1.ReasonPending)))
		r.build()
		if got := r.insight("node-worker-0").Node; len(got.Phases) != 1 || !got.Phases[0].StartedAt.Equal(at(1)) {
			t.Errorf("when the target changes: %+v", got.Phases)
		}
		if got := r.pool(); got.EstimatedCompletedAt != nil {
			t.Errorf("before the update of nodes has started: %s", got.EstimatedCompletedAt)
		}
		r.pass(60).running(0, 3, "4.20.1")
		r.build()
		r.ledger.Apply(controlPlaneReports(machineConfigOperator(updatev1alpha1.ReasonUpdated)))
		r.pass(1)
		if !atOnce {
			r.running(0, 0, "4.20.2")
			r.build()
			r.pass(1)
		}
		r.running(0, 1, "4.20.2")
		r.build()
		node, started := r.insight("node-worker-0").Node, &metav1.Time{Time: r.now}
		if len(node.Phases) != 1 || !node.Phases[0].StartedAt.Equal(started) || !node.Conditions[0].LastTransitionTime.Equal(started) {
			t.Errorf("at once %t: its next update has the phases %+v and goes on since %s", atOnce, node.Phases, node.Conditions[0].LastTransitionTime)
		}
		if got := r.pool(); got.NodeDurations != nil || strings.Contains(got.Conditions[0].Message, "has been updating") {
			t.Errorf("at once %t: %+v", atOnce, got)
		}
		r.restart()
		r.pass(4).running(0, 4, "4.20.3")
		r.build()
		if got := r.pool().NodeDurations; len(got) != 1 || !slices.Equal(got[0].Seconds, []int32{240}) {
			t.Errorf("at once %t: the durations are %+v", atOnce, got)
		}
	}
}

// machineConfigOperator is a report that the Machine Config Operator is not being updated, and why.
func machineConfigOperator(reason string) insight.Report {
	return insight.Report{Subject: insight.Subject{Kind: "ClusterOperator", Name: "machine-config"}, Insights: []insight.ScopedInsight{{
		Part: insight.ControlPlane,
		Insight: updatev1alpha1.Insight{UID: "co-machine-config", Type: updatev1alpha1.InsightClusterOperator, ClusterOperator: &updatev1alpha1.ClusterOperatorInsight{
			Name: "machine-config", Conditions: []metav1.Condition{{Type: "Updating", Status: metav1.ConditionFalse, Reason: reason}},
		}},
	}}}
}

// TestNodesWithoutReboot: nodes that are updated without a reboot have taken no time to reboot, and one that does is not overdue.
func TestNodesWithoutReboot(t *testing.T) {
	r := newRolling(t, 4, 1)
	for node := range 2 {
		for _, phase := range []int{1, 2, 4} {
			r.pass(1).node(node, phase)
			r.build()
		}
	}
	want := []updatev1alpha1.NodeDurations{{Phase: "Draining", Count: 2, Seconds: []int32{120, 120}}, {Phase: "Updating", Count: 2, Seconds: []int32{60, 60}}}
	if diff := cmp.Diff(want, r.pool().NodeDurations); diff != "" {
		t.Errorf("durations (-want +got):\n%s", diff)
	}
	for phase := 1; phase <= 3; phase++ {
		r.pass(1).node(2, phase)
		r.build()
	}
	// By the rule of thumb it reboots for five minutes, and the last node takes three.
	if got := r.pool().EstimatedCompletedAt; got.Sub(r.now) < 7*time.Minute || got.Sub(r.now) > 9*time.Minute {
		t.Errorf("complete in %s", got.Sub(r.now))
	}
}

// TestClockIsSetBack: what a node took from a moment on that has not come yet is not known.
func TestClockIsSetBack(t *testing.T) {
	r := newRolling(t, 3, 1)
	r.pass(3).node(0, 1)
	r.build()
	r.pass(-30).node(0, 4)
	r.build()
	if got := r.pool(); got.NodeDurations != nil {
		t.Errorf("the node took %+v", got.NodeDurations)
	}
}

// TestUnpaused: nodes of a pool that was paused have not waited for as long.
func TestUnpaused(t *testing.T) {
	r := newRolling(t, 3, 1)
	for phase := 1; phase < len(phasesOfNodes); phase++ {
		r.pass(2).node(0, phase)
		r.build()
	}
	all := func(pool insight.Report, reason string) {
		reports := []insight.Report{pool}
		for node := 1; node < 3; node++ {
			report := nodeReport(fmt.Sprint("worker-", node), "worker", metav1.ConditionFalse, reason)
			report.Insights[0].Insight.Node.Pool = "worker"
			reports = append(reports, report)
		}
		r.ledger.Apply(nodesReport(reports...))
		r.build()
	}
	all(poolReport("worker", metav1.ConditionFalse), updatev1alpha1.ReasonPaused)
	if got := r.pool().NoEstimate; got == nil || got.Reason != updatev1alpha1.NoEstimatePaused {
		t.Errorf("paused: %q", got)
	}
	r.pass(600)
	r.restart()
	all(poolReport("worker", metav1.ConditionTrue), updatev1alpha1.ReasonPending)
	if got := r.pool(); got.Conditions[0].Message != "" || !got.EstimatedCompletedAt.Time.Equal(r.now.Add(12*time.Minute+7*time.Second)) {
		t.Errorf("at %s: %+v", r.now, got)
	}
}

// TestRestartEstimate: an update gives the same status, to the byte, whether the controller is restarted during it
// or not, and building twice changes nothing.
func TestRestartEstimate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes, atOnce := rapid.IntRange(1, 6).Draw(t, "nodes"), rapid.IntRange(1, 3).Draw(t, "at once")
		steady, restarted := newRolling(t, nodes, atOnce), newRolling(t, nodes, atOnce)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			node, phase := rapid.IntRange(0, nodes-1).Draw(t, "node"), rapid.IntRange(0, 4).Draw(t, "phase")
			minutes := rapid.Float64Range(0, 30).Draw(t, "minutes")
			for _, r := range []*rolling{steady, restarted} {
				r.pass(minutes).node(node, phase)
				r.build()
			}
			if rapid.Bool().Draw(t, "restart") {
				restarted.restart()
			}
			if rapid.Bool().Draw(t, "again") {
				restarted.build()
			}
			if diff := cmp.Diff(string(steady.bytes()), string(restarted.bytes())); diff != "" {
				t.Fatalf("(-steady +restarted):\n%s", diff)
			}
			if !steady.builder.NextCheck().Equal(restarted.builder.NextCheck()) && !restarted.builder.NextCheck().IsZero() {
				t.Fatalf("due at %s and %s", steady.builder.NextCheck(), restarted.builder.NextCheck())
			}
		}
	})
}

func updateReport(previous, target string, started, completed *metav1.Time) insight.Report {
	report := versionReport(nil)
	of := report.Insights[0].Insight.ClusterVersion
	of.StartedAt, of.CompletedAt = started, completed
	if previous != "" {
		of.Versions.Previous = &updatev1alpha1.Version{Version: previous}
	}
	if target != "" {
		of.Versions.Target = &updatev1alpha1.Version{Version: target}
	}
	return report
}
