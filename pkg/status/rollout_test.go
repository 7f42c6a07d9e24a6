package status

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
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

var dawn = time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)

func minute(minutes float64) time.Time {
	return dawn.Add(time.Duration(minutes * float64(time.Minute)))
}

func phased(phase updatev1alpha1.NodeUpdatePhase, minutes float64) updatev1alpha1.NodePhase {
	return updatev1alpha1.NodePhase{Phase: phase, StartedAt: metav1.NewTime(minute(minutes))}
}

func underway(name string, since float64, phases ...updatev1alpha1.NodePhase) progress {
	return progress{
		name: name, since: minute(since), phases: phases,
		state: insight.NodeState{Phase: insight.NodePhase(phases[len(phases)-1].Phase), Updating: true, Available: true},
	}
}

func draining(name string, since float64) progress {
	return underway(name, since, phased(updatev1alpha1.PhaseDraining, since))
}

func node(phase insight.NodePhase, since float64) progress {
	return progress{state: insight.NodeState{Phase: phase, Available: true}, since: minute(since)}
}

func waiting(count int) []progress {
	return slices.Repeat([]progress{node(insight.PhasePending, -100)}, count)
}

// tooks are whole updates of nodes, in minutes.
func tooks(minutes ...int32) nodeDurations {
	var durations nodeDurations
	for _, one := range minutes {
		durations.add(took{wholeUpdate: one * 60})
	}
	return durations
}

func TestOutlook(t *testing.T) {
	done := node(insight.PhaseCompleted, 30)
	paused, degraded := node(insight.PhasePaused, -9), node(insight.PhasePending, -9)
	degraded.state.Degraded = true
	unseen := draining("a", 30)
	unseen.phases = nil
	for _, test := range []struct {
		name   string
		atOnce int
		nodes  []progress
		tooks  nodeDurations
		now    float64
		// want is the minute at which the pool is expected to be complete, zero if there is no estimate.
		want    float64
		unknown string
	}{
		{name: "empty"},
		{name: "complete", nodes: []progress{done, done}, tooks: tooks(10)},
		{name: "not begun", nodes: waiting(3)},
		{name: "underway when first seen", nodes: append(waiting(3), unseen)},
		{name: "the rule of thumb", atOnce: 1, nodes: append(waiting(2), draining("a", 30)), now: 31, want: 30 + 3*20},
		{name: "as of what happened, not as of now", atOnce: 1, nodes: append(waiting(2), draining("a", 30)), now: 59, want: 30 + 3*20},
		{
			name: "the rule of thumb from a phase", atOnce: 1, now: 40, want: 40 + 5 + 20,
			nodes: append(waiting(1), underway("a", 30, phased(updatev1alpha1.PhaseDraining, 30), phased(updatev1alpha1.PhaseRebooting, 40))),
		},
		{name: "two at once", atOnce: 2, nodes: append(waiting(2), draining("a", 30), draining("b", 30)), now: 30, want: 30 + 2*20},
		{name: "more may begin", atOnce: 4, nodes: append(waiting(3), draining("a", 30)), now: 30, want: 30 + 20},
		{name: "fewer may begin", atOnce: 1, nodes: append(waiting(1), draining("a", 20), draining("b", 30)), now: 30, want: 30 + 20 + 20},
		{name: "the pace of the pool", atOnce: 1, nodes: append(waiting(3), done, draining("a", 30)), tooks: tooks(8), now: 30, want: 30 + 4*8},
		{name: "between two nodes", atOnce: 1, nodes: append(waiting(3), done), tooks: tooks(8), now: 30, want: 30 + 3*8},
		{name: "the mean, not the median", atOnce: 1, nodes: append(waiting(3), done), tooks: tooks(8, 8, 8, 8, 28), now: 30, want: 30 + 3*12},
		{name: "a gap counts for no more than the limit", atOnce: 1, nodes: append(waiting(1), done), tooks: tooks(10, 10, 10, 10, 600), now: 30, want: 30 + 20},
		{name: "slower than all before", atOnce: 1, nodes: []progress{done, underway("a", 10, phased(updatev1alpha1.PhaseDraining, 10), phased(updatev1alpha1.PhaseRebooting, 30))}, tooks: tooks(8), now: 30, want: 30 + 5},
		{name: "paused", atOnce: 1, nodes: append(waiting(1), done, paused), tooks: tooks(8), now: 30, unknown: "the pool is paused"},
		{name: "degraded", atOnce: 1, nodes: append(waiting(1), done, degraded), tooks: tooks(8), now: 30, unknown: "degraded nodes"},
		{name: "not stuck yet", atOnce: 1, nodes: append(waiting(1), draining("a", 30)), now: 90, want: 30 + 40},
		{name: "stuck", atOnce: 1, nodes: append(waiting(1), draining("a", 30)), now: 90.1, unknown: "node a has been updating for more than 1h,"},
		{name: "stuck beside another", atOnce: 2, nodes: append(waiting(1), draining("b", 80), draining("a", 30)), now: 90.1, unknown: "node a"},
		{name: "where all take long", atOnce: 1, nodes: append(waiting(1), done, draining("a", 30)), tooks: tooks(40, 40), now: 120, want: 30 + 80},
		{name: "stuck where all take long", atOnce: 1, nodes: append(waiting(1), done, draining("a", 30)), tooks: tooks(40, 40), now: 150.1, unknown: "more than 2h,"},
		{name: "the clock was set back", atOnce: 1, nodes: append(waiting(2), node(insight.PhaseCompleted, 300)), tooks: tooks(8), now: 30, want: 30 + 2*8},
		{name: "nothing begins", atOnce: 1, nodes: append(waiting(1), done), tooks: tooks(8), now: 90.1, unknown: "no node has begun"},
	} {
		t.Run(test.name, func(t *testing.T) {
			pool := &rollout{atOnce: test.atOnce, durations: test.tooks}
			for _, one := range test.nodes {
				pool.count(one)
			}
			pool.settle()
			got := outlookOf(pool, minute(test.now))
			if test.want == 0 && !got.completedAt.IsZero() || test.want != 0 && got.completedAt.Sub(minute(test.want)).Abs() > 20*time.Second {
				t.Errorf("complete at minute %.1f, want %.1f", got.completedAt.Sub(dawn).Minutes(), test.want)
			}
			if (test.unknown == "") != (got.unknown == "") || !strings.Contains(got.unknown, test.unknown) {
				t.Errorf("unknown is %q", got.unknown)
			}
		})
	}
}

// TestDueIsWhenItChanges: before that moment the outlook stays whatever the time, and then the pool is stuck.
func TestDueIsWhenItChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := drawRollout(t)
		first := outlookOf(pool, pool.last)
		if first.due.IsZero() {
			if got := outlookOf(pool, minute(1e6)); got != first {
				t.Errorf("%+v became %+v", first, got)
			}
			return
		}
		span := int(first.due.Sub(pool.last) / time.Second)
		moment := pool.last.Add(time.Duration(rapid.IntRange(0, max(span-1, 0)).Draw(t, "seconds")) * time.Second)
		if got := outlookOf(pool, moment); got != first {
			t.Errorf("%+v became %+v after %s", first, got, moment.Sub(pool.last))
		}
		if got := outlookOf(pool, first.due); got.unknown == "" || !got.due.IsZero() {
			t.Errorf("%+v became %+v when it was due", first, got)
		}
	})
}

// TestOutlookIsSane: what is expected lies ahead, within what the slowest pace gives, and more nodes that wait take
// longer.
func TestOutlookIsSane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := drawRollout(t)
		p := paceOf(&pool.durations)
		q := queueOf(pool, p, pool.last)
		each := q.each(pool.last, pool.underway)
		left := q.left(each)
		worst := each * float64(pool.waiting+1)
		for _, one := range q.underway {
			worst += max(one.elapsed, slices.Max(one.others))
		}
		worst += slices.Max(q.others)
		if left < 0 || left > worst*(1+2.0/steps) {
			t.Fatalf("%.0f seconds are left, %.0f at most", left, worst)
		}
		more := q
		more.waiting += 10 * q.atOnce
		if got := more.left(each); got < 9*each || got < left-each {
			t.Errorf("with ten rounds more %.0f are left instead of %.0f, a node takes %.0f", got, left, each)
		}
	})
}

func drawRollout(t *rapid.T) *rollout {
	pool := &rollout{atOnce: rapid.IntRange(1, 12).Draw(t, "at once")}
	for at := range rapid.IntRange(0, 12).Draw(t, "underway") {
		since := rapid.Float64Range(0, 50).Draw(t, "since")
		one := draining(fmt.Sprint("node-", at), float64(int(since)))
		if rapid.Bool().Draw(t, "reboots") {
			one = underway(one.name, float64(int(since)), one.phases[0], phased(updatev1alpha1.PhaseRebooting, float64(int(since))+3))
		}
		pool.count(one)
	}
	for range rapid.IntRange(0, 9).Draw(t, "done") {
		pool.count(node(insight.PhaseCompleted, float64(rapid.IntRange(0, 50).Draw(t, "done at"))))
		pool.durations.add(took{
			int32(rapid.IntRange(1, 9000).Draw(t, "whole")), int32(rapid.IntRange(0, 900).Draw(t, "updating")), int32(rapid.IntRange(0, 900).Draw(t, "rebooting")),
		})
	}
	for range rapid.IntRange(0, 30).Draw(t, "waiting") {
		pool.count(node(insight.PhasePending, -100))
	}
	pool.settle()
	return pool
}

// TestKeepPhases: what a node says one after the other, a minute apart, and what is kept.
func TestKeepPhases(t *testing.T) {
	const pending, done = "Pending", "Completed"
	for _, test := range []struct {
		name string
		says []string
		want []updatev1alpha1.NodePhase
		took took
	}{
		{name: "underway when first seen", says: []string{"Draining", "Draining"}},
		{name: "later phases of such a node", says: []string{"Draining", "Updating", "Rebooting"}, want: []updatev1alpha1.NodePhase{phased("Updating", 1), phased("Rebooting", 2)}},
		{name: "such a node is done", says: []string{"Draining", "Updating", "Rebooting", done}, took: took{0, 120, 60}},
		{name: "seen from the start", says: []string{pending, "Draining", "Draining", "Updating"}, want: []updatev1alpha1.NodePhase{phased("Draining", 1), phased("Updating", 3)}},
		{name: "seen to the end", says: []string{pending, "Draining", "Draining", "Updating", "Rebooting", done}, took: took{240, 120, 60}},
		{name: "at work before the drain", says: []string{pending, "Draining", "Updating", "Draining", "Updating"}, want: []updatev1alpha1.NodePhase{phased("Draining", 1), phased("Updating", 4)}},
		{name: "not drained first", says: []string{pending, "Updating", "Draining", "Rebooting"}, want: []updatev1alpha1.NodePhase{phased("Draining", 1), phased("Rebooting", 3)}},
		{name: "not drained at all", says: []string{pending, "Updating", "Rebooting", done}, took: took{120, 120, 60}},
		{name: "given up", says: []string{pending, "Draining", pending}},
		{name: "once more", says: []string{pending, "Draining", pending, "Draining", done}, took: took{wholeUpdate: 60}},
		{name: "missed", says: []string{pending, done}},
		{name: "gone", says: []string{pending, "Draining", "CannotDetermine"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			last := &updatev1alpha1.Insight{}
			var taken took
			for at, says := range test.says {
				status := metav1.ConditionFalse
				if phaseAt(updatev1alpha1.NodeUpdatePhase(says)) >= 0 {
					status = metav1.ConditionTrue
				}
				next := &updatev1alpha1.Insight{Type: updatev1alpha1.InsightNode, Node: &updatev1alpha1.NodeInsight{
					Conditions: []metav1.Condition{{Type: "Updating", Status: status, Reason: says}},
				}}
				keepTimes(next, last, moment{Time: metav1.NewTime(minute(float64(at)))})
				if last.Node != nil {
					taken, _ = tookOf(progressOf(last.Node), progressOf(next.Node))
				}
				last = next
			}
			if diff := cmp.Diff(test.want, last.Node.Phases); diff != "" {
				t.Errorf("phases (-want +got):\n%s", diff)
			}
			if taken != test.took {
				t.Errorf("took %v, want %v", taken, test.took)
			}
		})
	}
}

// TestSampleIsFair: of many durations those that are kept are bounded, sorted, and of the first as of the last.
func TestSampleIsFair(t *testing.T) {
	var durations nodeDurations
	const nodes = 5000
	for at := range int32(nodes) {
		durations.add(took{wholeUpdate: at + 1})
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

// TestReadDurations: what somebody else has written does no harm.
func TestReadDurations(t *testing.T) {
	many := make([]int32, 100)
	for at := range many {
		many[at] = int32(100 - at)
	}
	read := readDurations([]updatev1alpha1.NodeDurations{
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
