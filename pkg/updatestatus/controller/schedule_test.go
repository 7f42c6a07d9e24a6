package controller

import (
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

// TestSchedule runs every step at a time after the start, on one schedule for each case.
func TestSchedule(t *testing.T) {
	about := func(first, others string) ledger.View {
		view, target := ledger.View{}, first
		for _, source := range insight.Watching() {
			view[source] = ledger.SourceView{State: &insight.State{Complete: true, Target: target}}
			target = others
		}
		return view
	}
	silent := ledger.View{insight.ControlPlaneInformer: {State: &insight.State{Complete: true}}}
	start := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	sources := func(view ledger.View) func(*schedule) time.Duration {
		return func(s *schedule) time.Duration { return s.untilSourcesReady(view) }
	}
	untilWrite := func(urgent bool) func(*schedule) time.Duration {
		return func(s *schedule) time.Duration { return s.untilWrite(urgent) }
	}
	reserve := func(size int, urgent bool) func(*schedule) time.Duration {
		return func(s *schedule) time.Duration { return s.reserve(size, urgent) }
	}
	check := func(after time.Duration) func(*schedule) time.Duration {
		return func(s *schedule) time.Duration { return s.checkAfter(start.Add(after)) }
	}
	due := func(after time.Duration) func(*schedule) time.Duration {
		return func(s *schedule) time.Duration {
			if s.isCheckDue(start.Add(after)) {
				return 0
			}
			return 1
		}
	}
	untilBuild := func(s *schedule) time.Duration { return max(s.untilBuild(), 0).Round(time.Millisecond) }
	build := func(s *schedule) time.Duration { s.setBuilt(); return untilBuild(s) }
	drop := func(s *schedule) time.Duration { s.dropDelays(); return 0 }
	type step struct {
		at   time.Duration
		do   func(*schedule) time.Duration
		want time.Duration
	}
	for _, test := range []struct {
		name  string
		steps []step
	}{
		{name: "builds", steps: slices.Concat(
			[]step{{0, untilBuild, 0}, {0, build, buildInterval}, {buildInterval, untilBuild, 0}},
			slices.Repeat([]step{{buildInterval, build, buildInterval}}, insight.BuildsBurst-1),
			[]step{{buildInterval, build, 300 * time.Millisecond}, {700 * time.Millisecond, build, 300 * time.Millisecond}, {time.Second, build, 500 * time.Millisecond}, {time.Hour, build, buildInterval}},
		)},
		{name: "a source has not reported", steps: []step{
			{0, sources(silent), startupPatience},
			{10 * time.Second, sources(silent), startupPatience - 10*time.Second},
			{startupPatience, sources(silent), 0},
			{time.Hour, sources(about("1", "1")), 0},
		}},
		{name: "sources disagree", steps: []step{
			{time.Hour, sources(about("1", "1")), 0},
			{2 * time.Hour, sources(about("2", "1")), agreementPatience},
			{2*time.Hour + 3*time.Second, sources(about("2", "1")), agreementPatience - 3*time.Second},
			{2*time.Hour + 4*time.Second, sources(about("2", "2")), 0},
			{3 * time.Hour, sources(about("3", "2")), agreementPatience},
			{3*time.Hour + agreementPatience, sources(about("3", "2")), 0},
		}},
		{name: "the next build waits for a moment", steps: []step{
			{0, (*schedule).untilBuild, 0},
			{0, func(s *schedule) time.Duration { s.setBuilt(); return 0 }, 0},
			{0, (*schedule).untilBuild, buildInterval},
			{buildInterval / 2, (*schedule).untilBuild, buildInterval / 2},
			{buildInterval / 2, drop, 0},
			{buildInterval / 2, (*schedule).untilBuild, 0},
		}},
		{name: "the next write waits for the pace", steps: []step{
			{0, untilWrite(false), 0},
			{0, reserve(burstBytes, false), 0},
			{0, untilWrite(false), 0},
			{0, reserve(sustainedBytes, false), time.Second},
			{0, untilWrite(false), time.Second},
			{0, untilWrite(true), 0},
			{0, reserve(sustainedBytes, true), 0},
			{0, reserve(sustainedBytes, false), 2 * time.Second},
			{time.Second, untilWrite(false), time.Second},
			{2 * time.Second, reserve(sustainedBytes, false), 0},
			{2 * time.Second, reserve(sustainedBytes, false), time.Second},
			{2 * time.Second, drop, 0},
			{2 * time.Second, untilWrite(false), 0},
			{2 * time.Second, reserve(sustainedBytes, false), 0},
		}},
		{name: "backoff", steps: []step{
			{0, (*schedule).retryAfter, firstRetry},
			{0, (*schedule).untilBuild, firstRetry},
			{time.Second, (*schedule).untilBuild, 0},
			{time.Second, (*schedule).retryAfter, 2 * firstRetry},
			{2 * time.Second, (*schedule).retryAfter, 4 * firstRetry},
			{3 * time.Second, check(3 * time.Minute), 3*time.Minute - 3*time.Second},
			{3 * time.Second, (*schedule).retryAfter, 8 * firstRetry},
			{3 * time.Second, func(s *schedule) time.Duration { s.resetBackoff(); return 0 }, 0},
			{4 * time.Second, (*schedule).retryAfter, firstRetry},
		}},
		{name: "next check", steps: []step{
			{0, func(s *schedule) time.Duration { return s.checkAfter(time.Time{}) }, 0},
			{0, check(time.Minute), time.Minute},
			{59 * time.Second, due(time.Minute), 1},
			{60*time.Second - time.Millisecond, check(time.Minute), minCheckDelay},
			{time.Minute, due(time.Minute), 0},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := clocktesting.NewFakePassiveClock(start)
			s := newSchedule(clock, clock)
			for at, step := range test.steps {
				clock.SetTime(start.Add(step.at))
				if got := max(step.do(s), 0); got != step.want {
					t.Errorf("step %d at %s: %s, want %s", at, step.at, got, step.want)
				}
			}
		})
	}
}

// poolWithOneNode is the report about a pool and its only node.
func poolWithOneNode(updating metav1.ConditionStatus, phase string) insight.Message {
	part := insight.Part{WorkerPool: "worker"}
	conditions := func() []metav1.Condition {
		return []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: updating, Reason: phase}}
	}
	ref := updatev1alpha1.ResourceRef{Resource: "machineconfigpools", Name: "worker"}
	return insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{
		{Subject: insight.Subject{Kind: "MachineConfigPool", Name: "worker"}, Insights: []insight.ScopedInsight{{Part: part, Insight: updatev1alpha1.Insight{
			UID: "mcp-worker", Type: updatev1alpha1.InsightMachineConfigPool,
			MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Name: "worker", Resource: ref, Conditions: conditions()},
		}}}},
		{Subject: insight.Subject{Kind: "Node", Name: "a"}, Insights: []insight.ScopedInsight{{Part: part, Insight: updatev1alpha1.Insight{
			UID: "node-a", Type: updatev1alpha1.InsightNode,
			Node: &updatev1alpha1.NodeInsight{Name: "a", Pool: ref.Name, Conditions: conditions()},
		}}}},
	}}
}

func poolInsight(t *testing.T, us *updatev1alpha1.UpdateStatus) *updatev1alpha1.MachineConfigPoolInsight {
	t.Helper()
	for _, one := range us.Status.WorkerPools[0].Informers[0].Insights {
		if one.MachineConfigPool != nil {
			return one.MachineConfigPool
		}
	}
	t.Fatal("no insight of the pool")
	return nil
}

// TestStuckPoolNextCheck: a pool becomes stuck by time alone. That is written although no source reports a change, also if
// it can't be written at once, and only once.
func TestStuckPoolNextCheck(t *testing.T) {
	f := newFixture(t)
	checkAfter := func() time.Duration { return f.schedule.checkAfter(f.builder.NextCheck()) }
	f.sendComplete()
	f.send(poolWithOneNode(metav1.ConditionFalse, updatev1alpha1.ReasonPending))
	f.mustSync(0)
	f.refreshCache()
	if got := checkAfter(); got != 0 {
		t.Errorf("a pending pool is checked after %s", got)
	}
	f.passTime(time.Minute)
	f.send(poolWithOneNode(metav1.ConditionTrue, updatev1alpha1.ReasonDraining))
	f.mustSync(0)
	if one := poolInsight(t, f.refreshCache()); one.EstimatedCompletedAt == nil {
		t.Fatalf("no estimate: %+v", one.Conditions)
	}
	f.writes()
	check := checkAfter()
	if check <= 20*time.Minute {
		t.Fatalf("checked after %s", check)
	}

	f.passTime(check - time.Second)
	f.mustSync(0)
	f.expectWrites()
	f.passTime(time.Second)
	f.schedule.pacer.reserve(f.clock.Now(), burstBytes, false) // the pace is used up
	delay, err := f.sync(t.Context())
	if err != nil || delay == 0 {
		t.Fatalf("delay %s, error %v", delay, err)
	}
	f.expectWrites()
	f.passTime(max(delay, buildInterval))
	f.mustSync(0)
	f.expectWrites("update status")
	one := poolInsight(t, f.refreshCache())
	if one.EstimatedCompletedAt != nil || one.NoEstimate == nil || !strings.Contains(one.NoEstimate.Message, "node a") {
		t.Errorf("estimate %v, none since %v", one.EstimatedCompletedAt, one.NoEstimate)
	}
	if got := checkAfter(); got != 0 {
		t.Errorf("a stuck pool is checked after %s", got)
	}
	f.passTime(24 * time.Hour)
	f.mustSync(0)
	f.expectWrites()
}
