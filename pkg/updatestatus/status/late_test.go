package status_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

const rebooting = 3 // in phasesOfNodes

// lost says that a node reboots and is not ready, and may change what is reported of it.
func (r *rolling) lost(node int, changes ...func(*insight.ScopedInsight)) {
	report := nodeReport(fmt.Sprint("worker-", node), "worker", metav1.ConditionTrue, phasesOfNodes[rebooting])
	said := &report.Insights[0]
	said.NotReady = true
	said.Insight.Node.Pool = "worker"
	said.Insight.Node.Conditions = append(said.Insight.Node.Conditions, metav1.Condition{
		Type: updatev1alpha1.ConditionAvailable, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonNotReady,
	})
	for _, change := range changes {
		change(said)
	}
	r.ledger.Apply(insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{report}})
}

// late returns the health insights of a status: reason, level and minute of the start of each.
func (r *rolling) late() string {
	var all []string
	for _, one := range r.built.WorkerPools[0].Informers[0].Insights {
		if one.Health != nil {
			all = append(all, fmt.Sprintf("%s %s %v", one.Health.Reason, one.Health.Impact.Level, one.Health.StartedAt.Sub(noon).Minutes()))
		}
	}
	return strings.Join(all, ", ")
}

// expectLate builds the status and compares its health insights, and when the next of them may change.
func (r *rolling) expectLate(t *testing.T, want string, nextCheck time.Time) {
	t.Helper()
	r.build()
	if got := r.late(); got != want {
		t.Errorf("at minute %v: got %q, want %q", r.now.Sub(noon).Minutes(), got, want)
	}
	if got := r.builder.NextCheck(); !got.Equal(nextCheck) {
		t.Errorf("at minute %v: next check at %s, want %s", r.now.Sub(noon).Minutes(), got, nextCheck)
	}
}

// done plays the updates of nodes, one after the other, for two minutes in each phase.
func (r *rolling) done(nodes int) *rolling {
	for node := range nodes {
		for phase := 1; phase < len(phasesOfNodes); phase++ {
			r.pass(2).node(node, phase)
			r.build()
		}
	}
	return r
}

// TestLateNode: a node that does not return gets a warning and then an error, which takes away the estimate of its pool, and each at the
// moment that was announced. All of it goes when the node is back.
func TestLateNode(t *testing.T) {
	r := newRolling(t, 3, 1)
	r.pass(10).lost(0)
	r.expectLate(t, "", after(40).Add(time.Second))
	r.now = r.builder.NextCheck()
	r.expectLate(t, "NodeNotReturned Warning 10", after(70))
	if r.pool().EstimatedCompletedAt == nil {
		t.Error("a warning takes away the estimate")
	}
	r.now = r.builder.NextCheck()
	r.expectLate(t, "NodeNotReturned Error 10", time.Time{})
	if got := r.pool(); got.EstimatedCompletedAt != nil || got.NoEstimate == nil || got.NoEstimate.Message != "node worker-0 holds up the update" {
		t.Errorf("the estimate is %s: %s", got.EstimatedCompletedAt, got.Conditions[0].Message)
	}
	r.pass(1).node(0, 4)
	r.build()
	if got := r.late(); got != "" {
		t.Errorf("the node is done, and has %q", got)
	}
}

// TestLateNodeInHistory: until three nodes of the pool are done, the newest record that knows what three took says how long is usual; other
// pools and phases don't.
func TestLateNodeInHistory(t *testing.T) {
	took := func(pool string, phase updatev1alpha1.NodeUpdatePhase, minutes ...int32) updatev1alpha1.UpdateRecordStatus {
		var seconds []int32
		for _, one := range minutes {
			seconds = append(seconds, 60*one)
		}
		return updatev1alpha1.UpdateRecordStatus{Pools: []updatev1alpha1.PoolRecord{{
			Name: pool, NodeDurations: []updatev1alpha1.NodeDurations{{Phase: phase, Count: int32(len(seconds)), Seconds: seconds}},
		}}}
	}
	newest, older := took("worker", updatev1alpha1.PhaseRebooting, 9, 10, 10, 10), took("worker", updatev1alpha1.PhaseRebooting, 90, 90, 90)
	for name, test := range map[string]struct {
		history estimate.History
		want    float64
	}{
		"none":          {nil, 30},
		"known":         {estimate.History{newest, older}, 20},
		"two nodes":     {estimate.History{took("worker", updatev1alpha1.PhaseRebooting, 9, 9), newest}, 20},
		"another pool":  {estimate.History{took("infra", updatev1alpha1.PhaseRebooting, 9, 9, 9), newest}, 20},
		"only another":  {estimate.History{took("infra", updatev1alpha1.PhaseRebooting, 9, 9, 9)}, 30},
		"another phase": {estimate.History{took("worker", updatev1alpha1.PhaseDraining, 9, 9, 9)}, 30},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRolling(t, 6, 1)
			r.builder.SetHistory(test.history)
			r.pass(10).lost(5)
			r.build()
			if got := r.builder.NextCheck().Sub(r.now).Truncate(time.Minute).Minutes(); got != test.want {
				t.Errorf("late after %v minutes, want %v", got, test.want)
			}
		})
	}
	r := newRolling(t, 6, 1).done(3)
	r.builder.SetHistory(estimate.History{older})
	r.pass(10).lost(5)
	r.build()
	if got := r.builder.NextCheck().Sub(r.now).Truncate(time.Minute); got != 15*time.Minute {
		t.Errorf("with three nodes done late after %s", got)
	}
}

// TestLateNodeAmongOthers: the insights that the status adds to those of the sources are in the same order as all others.
func TestLateNodeAmongOthers(t *testing.T) {
	r := newRolling(t, 3, 1)
	r.lost(0)
	r.ledger.Apply(insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{{
		Subject: insight.Subject{Kind: "Pod", Name: "last"},
		Insights: []insight.ScopedInsight{{Part: insight.Part{WorkerPool: "worker"}, Insight: updatev1alpha1.Insight{
			UID: "health-reported", Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{Reason: "Reported", StartedAt: at(0)},
		}}},
	}}})
	r.build()
	r.pass(31)
	r.build()
	if got, want := r.late(), "NodeNotReturned Warning 0, Reported Unknown 0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLateNodeIsNotExpected: what a node does that is to go is not late.
func TestLateNodeIsNotExpected(t *testing.T) {
	for name, change := range map[string]func(*insight.ScopedInsight){
		"leaving": func(said *insight.ScopedInsight) { said.Leaving = true },
		"not updating": func(said *insight.ScopedInsight) {
			said.Insight.Node.Conditions[0].Status = metav1.ConditionFalse
		},
	} {
		r := newRolling(t, 3, 1)
		r.pass(1).lost(0, change)
		r.build()
		r.pass(90)
		r.build()
		if got := r.late(); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestLateNodeInPlace: a node of a hosted cluster is named as one of that.
func TestLateNodeInPlace(t *testing.T) {
	r := newRolling(t, 3, 1)
	r.pass(1).lost(0, func(said *insight.ScopedInsight) { said.Insight.Node.Resource.Cluster = updatev1alpha1.ClusterHosted })
	r.build()
	r.pass(90)
	r.build()
	if got := r.late(); got != "NodeNotReturned Error 1" {
		t.Errorf("got %q", got)
	}
	if ref := r.insight("health-node-not-returned-worker-0-d93928669a0b51e5").Health.Scope.Resources[0]; ref.Cluster != updatev1alpha1.ClusterHosted {
		t.Errorf("got %v", ref)
	}
}

// TestNotBegun: a node that does not begin gets a warning after ten minutes, also if it was first observed so.
func TestNotBegun(t *testing.T) {
	idle := func(r *rolling) {
		r.lost(0, func(said *insight.ScopedInsight) {
			said.Insight.Node.Conditions[0].Reason = updatev1alpha1.ReasonUpdating
			said.NotReady, said.NotBegun = false, true
		})
	}
	r := newRolling(t, 3, 1)
	r.pass(10)
	idle(r)
	r.expectLate(t, "", after(20).Add(time.Second))
	r.now = r.builder.NextCheck()
	r.expectLate(t, "NodeNotBegun Warning 10", after(70))
	first := newRolling(t, 3, 1)
	first.restart()
	idle(first)
	first.expectLate(t, "", after(10).Add(time.Second))
	first.now = first.builder.NextCheck()
	first.expectLate(t, "NodeNotBegun Warning 0", after(60))
}

// TestLateNodeAtTheStart: a controller that has just started may run on the node that is rebooting. It reports the node after five
// minutes, unless that was reported before.
func TestLateNodeAtTheStart(t *testing.T) {
	since := func(said *insight.ScopedInsight) { said.Insight.Node.RebootStartedAt = at(-90) }
	r := newRolling(t, 3, 1)
	r.restart()
	r.pass(1).lost(0, since)
	r.expectLate(t, "", after(6))
	r.now = after(6).Add(-time.Second)
	r.expectLate(t, "", after(6))
	r.pass(1. / 60)
	r.expectLate(t, "NodeNotReturned Error -90", time.Time{})
	if got := r.insight(insight.UID("health", "node-not-returned/worker-0")).Health.Impact.Description; !strings.Contains(got, "It may have been in this state earlier.") {
		t.Errorf("the start was not observed: %q", got)
	}
	before := string(r.bytes())
	r.restart()
	r.build()
	if diff := cmp.Diff(before, string(r.bytes())); diff != "" {
		t.Errorf("after a restart (-before +after):\n%s", diff)
	}
	// Another node waits for the five minutes of this controller.
	r.pass(1).lost(1, since)
	r.expectLate(t, "NodeNotReturned Error -90", r.now.Add(4*time.Minute))
}

// TestLateNodeOfAPool: what other nodes of the pool took counts once three of them are done, after a restart too.
func TestLateNodeOfAPool(t *testing.T) {
	for _, test := range []struct {
		done          int
		restarted     bool
		late, failure time.Duration
	}{
		{done: 2, late: 30 * time.Minute, failure: time.Hour},
		{done: 2, restarted: true, late: 30 * time.Minute, failure: time.Hour},
		{done: 3, late: 15 * time.Minute, failure: 40 * time.Minute},
		{done: 3, restarted: true, late: 15 * time.Minute, failure: 40 * time.Minute},
	} {
		r := newRolling(t, 5, 1).done(test.done)
		r.pass(1).lost(4)
		r.build()
		since := r.now
		if test.restarted {
			r.restart()
			r.build()
		}
		report := fmt.Sprint(" ", since.Sub(noon).Minutes())
		r.now = since.Add(test.late)
		r.build()
		if got := r.late(); got != "" {
			t.Errorf("%+v: too early %q", test, got)
		}
		r.now = r.now.Add(time.Second)
		r.build()
		if got := r.late(); got != "NodeNotReturned Warning"+report {
			t.Errorf("%+v: %q", test, got)
		}
		r.now = since.Add(test.failure)
		r.build()
		if got := r.late(); got != "NodeNotReturned Error"+report {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// TestLateNodeOfTheNextUpdate: what nodes took in the update before does not count, from the first status on in which none is done.
func TestLateNodeOfTheNextUpdate(t *testing.T) {
	r := newRolling(t, 4, 1).done(3)
	r.pass(1).node(3, rebooting)
	r.build()
	since := r.now
	for node := range 3 {
		r.node(node, 0)
	}
	r.pass(1)
	for range 2 {
		r.expectLate(t, "", since.Add(45*time.Minute+time.Second))
	}
}
