package estimate

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

var dawn = time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)

func minute(minutes float64) time.Time {
	return dawn.Add(time.Duration(minutes * float64(time.Minute)))
}

func phased(phase updatev1alpha1.NodeUpdatePhase, minutes float64) updatev1alpha1.NodePhase {
	return updatev1alpha1.NodePhase{Phase: phase, StartedAt: metav1.NewTime(minute(minutes))}
}

func running(name string, since float64, phases ...updatev1alpha1.NodePhase) Progress {
	return Progress{
		Name: name, since: minute(since), phases: phases,
		State: insight.NodeState{Phase: insight.NodePhase(phases[len(phases)-1].Phase), Updating: true, Available: true},
	}
}

func draining(name string, since float64) Progress {
	return running(name, since, phased(updatev1alpha1.PhaseDraining, since))
}

func node(phase insight.NodePhase, since float64) Progress {
	return Progress{State: insight.NodeState{Phase: phase, Available: true}, since: minute(since)}
}

func waiting(count int) []Progress {
	return slices.Repeat([]Progress{node(insight.PhasePending, -100)}, count)
}

// updates are whole updates of nodes, in minutes.
func updates(minutes ...float64) Durations {
	var durations Durations
	for _, one := range minutes {
		durations.add(phaseDurations{wholeUpdate: int32(one * 60)})
	}
	return durations
}

func TestForecast(t *testing.T) {
	done := node(insight.PhaseCompleted, 30)
	paused, degraded := node(insight.PhasePaused, -9), node(insight.PhasePending, -9)
	degraded.State.Degraded = true
	unobserved := draining("a", 30)
	unobserved.phases = nil
	for _, test := range []struct {
		name           string
		maxUnavailable int
		nodes          []Progress
		durations      Durations
		now            float64
		// want is the minute at which the pool is expected to be complete, zero if there is no estimate.
		want       float64
		unknown    string
		unobserved bool
		// isNext is whether nodes are on their way to the version before.
		isNext bool
	}{
		{name: "on their way to the version before", isNext: true, maxUnavailable: 1, nodes: append(waiting(2), draining("a", 30)), now: 31},
		{name: "stuck on their way to the version before", isNext: true, maxUnavailable: 1, nodes: append(waiting(2), draining("a", 30)), now: 90.1, unknown: "node a has been updating"},
		{name: "empty"},
		{name: "complete", nodes: []Progress{done, done}, durations: updates(10)},
		{name: "not started", nodes: waiting(3)},
		{name: "in progress when first observed", nodes: append(waiting(3), unobserved), unobserved: true},
		{name: "the rule of thumb", maxUnavailable: 1, nodes: append(waiting(2), draining("a", 30)), now: 31, want: 30 + 3*20},
		{name: "as of the last event, not as of now", maxUnavailable: 1, nodes: append(waiting(2), draining("a", 30)), now: 59, want: 30 + 3*20},
		{
			name: "the rule of thumb from a phase", maxUnavailable: 1, now: 40, want: 40 + 5 + 20,
			nodes: append(waiting(1), running("a", 30, phased(updatev1alpha1.PhaseDraining, 30), phased(updatev1alpha1.PhaseRebooting, 40))),
		},
		{name: "two at a time", maxUnavailable: 2, nodes: append(waiting(2), draining("a", 30), draining("b", 30)), now: 30, want: 30 + 2*20},
		{name: "more may start", maxUnavailable: 4, nodes: append(waiting(3), draining("a", 30)), now: 30, want: 30 + 20},
		{name: "fewer may start", maxUnavailable: 1, nodes: append(waiting(1), draining("a", 20), draining("b", 30)), now: 30, want: 30 + 20 + 20},
		{name: "the pace of the pool", maxUnavailable: 1, nodes: append(waiting(3), done, draining("a", 30)), durations: updates(8), now: 30, want: 30 + 4*8 + 3*handover/60},
		{name: "between two nodes", maxUnavailable: 1, nodes: append(waiting(3), done), durations: updates(8), now: 30, want: 30 + 3*8},
		{name: "the mean, not the median", maxUnavailable: 1, nodes: append(waiting(3), done), durations: updates(8, 8, 8, 8, 28), now: 30, want: 30 + 3*12},
		{name: "a gap counts for no more than the limit", maxUnavailable: 1, nodes: append(waiting(1), done), durations: updates(10, 10, 10, 10, 600), now: 30, want: 30 + 20},
		{name: "slower than all before", maxUnavailable: 1, nodes: []Progress{done, running("a", 10, phased(updatev1alpha1.PhaseDraining, 10), phased(updatev1alpha1.PhaseRebooting, 30))}, durations: updates(8), now: 30, want: 30 + 5},
		{name: "paused", maxUnavailable: 1, nodes: append(waiting(1), done, paused), durations: updates(8), now: 30, unknown: "the pool is paused"},
		{name: "degraded", maxUnavailable: 1, nodes: append(waiting(1), done, degraded), durations: updates(8), now: 30, unknown: "degraded nodes"},
		{name: "not stuck yet", maxUnavailable: 1, nodes: append(waiting(1), draining("a", 30)), now: 90, want: 30 + 40},
		{name: "stuck", maxUnavailable: 1, nodes: append(waiting(1), draining("a", 30)), now: 90.1, unknown: "node a has been updating for more than 1h,"},
		{name: "stuck beside another", maxUnavailable: 2, nodes: append(waiting(1), draining("b", 80), draining("a", 30)), now: 90.1, unknown: "node a"},
		{name: "stuck, the first by name", maxUnavailable: 2, nodes: append(waiting(1), draining("b", 30), draining("a", 30)), now: 90.1, unknown: "node a"},
		{name: "stuck, the first by name comes first", maxUnavailable: 2, nodes: append(waiting(1), draining("a", 30), draining("b", 30)), now: 90.1, unknown: "node a"},
		{name: "stuck, a later one of an earlier name", maxUnavailable: 2, nodes: append(waiting(1), draining("b", 29), draining("a", 30)), now: 90.1, unknown: "node b"},
		{name: "stuck by the reported start of its drain", maxUnavailable: 1, nodes: append(waiting(1), running("a", 80, phased(updatev1alpha1.PhaseDraining, 30))), now: 90.1, unknown: "node a"},
		{
			name: "the first that reboots", maxUnavailable: 1, now: 40, durations: updates(0.1, 0.1), want: 40 + 5,
			nodes: []Progress{done, done, running("a", 39, phased(updatev1alpha1.PhaseUpdating, 39), phased(updatev1alpha1.PhaseRebooting, 40))},
		},
		{name: "some reboot and some don't", maxUnavailable: 1, nodes: append(waiting(10), done), durations: updates(1, 1, 1, 1, 11), now: 30, want: 30 + 10*3 + 10*handover/60},
		{name: "where all take long", maxUnavailable: 1, nodes: append(waiting(1), done, draining("a", 30)), durations: updates(40, 40), now: 120, want: 30 + 80},
		{name: "stuck where all take long", maxUnavailable: 1, nodes: append(waiting(1), done, draining("a", 30)), durations: updates(40, 40), now: 150.1, unknown: "more than 2h,"},
		{name: "the clock was set back", maxUnavailable: 1, nodes: append(waiting(2), node(insight.PhaseCompleted, 300)), durations: updates(8), now: 30, want: 30 + 2*8},
		{name: "more than a year", maxUnavailable: 1, nodes: append(waiting(100), done), durations: updates(5 * 24 * 60), now: 30, unknown: "more than a year"},
		{name: "no node starts", maxUnavailable: 1, nodes: append(waiting(1), done), durations: updates(8), now: 90.1, unknown: "no node has started"},
	} {
		t.Run(test.name, func(t *testing.T) {
			pool := &Pool{maxUnavailable: test.maxUnavailable, durations: test.durations}
			for _, one := range test.nodes {
				pool.Add(one)
			}
			pool.Finish()
			if test.isNext {
				pool.Wait()
			}
			got := pool.Forecast(minute(test.now))
			if test.want == 0 && !got.completedAt.IsZero() || test.want != 0 && got.completedAt.Sub(minute(test.want)).Abs() > 20*time.Second {
				t.Errorf("complete at minute %.1f, want %.1f", got.completedAt.Sub(dawn).Minutes(), test.want)
			}
			unknown := ""
			if got.unknown != nil {
				unknown = got.unknown.Message
			}
			if (test.unknown == "") != (got.unknown == nil) || !strings.Contains(unknown, test.unknown) {
				t.Errorf("unknown is %q", unknown)
			}
			if got.unobserved != test.unobserved {
				t.Errorf("unobserved is %t", got.unobserved)
			}
		})
	}
}

// TestForecastNextCheck: before that moment the forecast stays, and then the pool is stuck.
func TestForecastNextCheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := drawPool(t)
		first := pool.Forecast(pool.lastEvent)
		if first.nextCheck.IsZero() {
			if got := pool.Forecast(minute(1e6)); got != first {
				t.Errorf("%+v became %+v", first, got)
			}
			return
		}
		span := int(first.nextCheck.Sub(pool.lastEvent) / time.Second)
		moment := pool.lastEvent.Add(time.Duration(rapid.IntRange(0, max(span-1, 0)).Draw(t, "seconds")) * time.Second)
		if got := pool.Forecast(moment); got != first {
			t.Errorf("%+v became %+v after %s", first, got, moment.Sub(pool.lastEvent))
		}
		if got := pool.Forecast(first.nextCheck); got.unknown == nil || !got.nextCheck.IsZero() {
			t.Errorf("%+v became %+v at its next check", first, got)
		}
	})
}

// TestForecastBounds: the end lies ahead, no later than at the slowest pace, and more waiting nodes take longer.
func TestForecastBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := drawPool(t)
		m := newDurationModel(&pool.durations)
		q := newQueue(pool, m, pool.lastEvent)
		each := q.each(pool.lastEvent, pool.running)
		left := q.left(each)
		worst := (each + handover) * float64(pool.waiting+1)
		for _, one := range q.running {
			worst += max(one.elapsed, slices.Max(one.others))
		}
		worst += slices.Max(q.others)
		if left < 0 || left > worst*(1+2.0/steps) {
			t.Fatalf("%.0f seconds are left, %.0f at most", left, worst)
		}
		more := q
		more.waiting += 10 * q.parallel
		if got := more.left(each); got < 9*each || got < left-each {
			t.Errorf("with ten rounds more %.0f are left instead of %.0f, a node takes %.0f", got, left, each)
		}
	})
}

func drawPool(t *rapid.T) *Pool {
	pool := &Pool{maxUnavailable: rapid.IntRange(1, 12).Draw(t, "max unavailable")}
	for at := range rapid.IntRange(0, 12).Draw(t, "running") {
		since := rapid.Float64Range(0, 50).Draw(t, "since")
		one := draining(fmt.Sprint("node-", at), float64(int(since)))
		if rapid.Bool().Draw(t, "reboots") {
			one = running(one.Name, float64(int(since)), one.phases[0], phased(updatev1alpha1.PhaseRebooting, float64(int(since))+3))
		}
		pool.Add(one)
	}
	for range rapid.IntRange(0, 9).Draw(t, "done") {
		pool.Add(node(insight.PhaseCompleted, float64(rapid.IntRange(0, 50).Draw(t, "done at"))))
		pool.durations.add(phaseDurations{
			int32(rapid.IntRange(1, 9000).Draw(t, "whole")), int32(rapid.IntRange(0, 900).Draw(t, "updating")), int32(rapid.IntRange(0, 900).Draw(t, "rebooting")),
		})
	}
	for range rapid.IntRange(0, 30).Draw(t, "waiting") {
		pool.Add(node(insight.PhasePending, -100))
	}
	pool.Finish()
	if rapid.Bool().Draw(t, "next") {
		pool.Wait()
	}
	return pool
}

// TestDurationSample: of many durations a bounded, sorted, uniform sample is kept.
func TestDurationSample(t *testing.T) {
	var durations Durations
	const nodes = 5000
	for at := range int32(nodes) {
		durations.add(phaseDurations{wholeUpdate: at + 1})
		if got := durations[wholeUpdate]; len(got.Seconds) > updatev1alpha1.NodeDurationsMaxSeconds || !slices.IsSorted(got.Seconds) || got.Count != at+1 {
			t.Fatalf("after %d: %v", at+1, got)
		}
	}
	for _, share := range []float64{0.25, 0.5, 0.75} {
		if got := quantile(durations[wholeUpdate].Seconds, share) / nodes; got < share-0.15 || got > share+0.15 {
			t.Errorf("the quantile %v is at %v", share, got)
		}
	}
	if listed := durations.list(); len(listed) != 1 || listed[0].Phase != updatev1alpha1.PhaseDraining {
		t.Errorf("%+v", listed)
	}
}

// TestReadDurations: durations that were edited do no harm.
func TestReadDurations(t *testing.T) {
	many := make([]int32, 100)
	for at := range many {
		many[at] = int32(100 - at)
	}
	read := ReadDurations([]updatev1alpha1.NodeDurations{
		{Phase: "Draining", Count: 3, Seconds: []int32{7, -5, 0, 3}}, {Phase: "Sleeping", Seconds: []int32{1}}, {Phase: "Rebooting", Seconds: many},
	})
	want := []updatev1alpha1.NodeDurations{{Phase: "Draining", Count: 3, Seconds: []int32{3, 7}}}
	if diff := cmp.Diff(want, read.list()[:1]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := read[2]; len(read.list()) != 2 || len(got.Seconds) != updatev1alpha1.NodeDurationsMaxSeconds || got.Count != 64 || got.Seconds[0] != 1 {
		t.Errorf("%+v", read)
	}
	if many[0] != 100 {
		t.Error("what was read was changed")
	}
}

func TestTypical(t *testing.T) {
	for _, test := range []struct {
		seconds []int32
		want    time.Duration
	}{
		{nil, 0},
		{[]int32{1}, 30 * time.Second},
		{[]int32{100, 200}, 150 * time.Second},
		{[]int32{100, 164, 999}, 150 * time.Second},
		{[]int32{700}, 12 * time.Minute},
	} {
		if got := typical(&updatev1alpha1.NodeDurations{Seconds: test.seconds}); got != test.want {
			t.Errorf("%v: %s, want %s", test.seconds, got, test.want)
		}
	}
}

// TestStoredDurations: another client can write any durations.
func TestStoredDurations(t *testing.T) {
	seconds := []int32{math.MinInt32, 0, 60, int32(longestUpdate / time.Second), int32(longestUpdate/time.Second) + 1, math.MaxInt32}
	pool := NewPool(1, []updatev1alpha1.NodeDurations{{Phase: updatev1alpha1.PhaseDraining, Seconds: seconds}, {Phase: "Other", Seconds: seconds}})
	want := []updatev1alpha1.NodeDurations{{Phase: updatev1alpha1.PhaseDraining, Count: 2, Seconds: []int32{60, 604800}}}
	if diff := cmp.Diff(want, pool.NodeDurations()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSet: a pool without a forecast has no estimate, whatever it had before, unless its nodes were not observed.
func TestSet(t *testing.T) {
	before := metav1.NewTime(minute(60))
	for name, test := range map[string]struct {
		forecast Forecast
		want     float64
	}{
		"stuck":       {Forecast{unknown: Missing(updatev1alpha1.NoEstimateStalled, "node a holds up the update")}, 0},
		"complete":    {Forecast{}, 0},
		"unobserved":  {Forecast{unobserved: true}, 60},
		"hardly less": {Forecast{from: minute(30), completedAt: minute(59.6)}, 60},
		"less":        {Forecast{from: minute(30), completedAt: minute(50)}, 50},
	} {
		pool := &updatev1alpha1.MachineConfigPoolInsight{EstimatedCompletedAt: before.DeepCopy()}
		test.forecast.Set(pool, pool.DeepCopy())
		if got := pool.EstimatedCompletedAt; (got == nil) != (test.want == 0) || got != nil && !got.Time.Equal(minute(test.want)) {
			t.Errorf("%s: estimate %s, want minute %v", name, got, test.want)
		}
	}
}
