package estimate

import (
	"math"
	"slices"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

func TestLimit(t *testing.T) {
	for _, test := range []struct {
		name      string
		durations Durations
		want      float64
	}{
		{name: "no durations", want: 3600},
		{name: "short ones", durations: updates(10), want: 3600},
		{name: "three medians", durations: updates(40, 40), want: 7200},
		{name: "three times the spread above the third quartile", durations: updates(10, 10, 100, 100), want: 6000 + 3*5400},
	} {
		if got := newDurationModel(&test.durations).limit; got != test.want {
			t.Errorf("%s: %.0f s, want %.0f", test.name, got, test.want)
		}
	}
}

func TestPresentPhase(t *testing.T) {
	const draining, updating, rebooting = updatev1alpha1.PhaseDraining, updatev1alpha1.PhaseUpdating, updatev1alpha1.PhaseRebooting
	var both Durations
	both.add(phaseDurations{600, 0, 300})
	elsewhere := running("a", 0, phased(draining, 5))
	elsewhere.State.Phase = insight.PhaseRebooting
	uncordoned := running("a", 0, phased(draining, 0), phased(rebooting, 10))
	uncordoned.State.Phase = insight.PhaseUpdating
	unobserved := running("a", 0, phased(rebooting, 10))
	unobserved.phases = nil
	for _, test := range []struct {
		name      string
		durations Durations
		node      Progress
		now       float64
		at        int
		elapsed   float64
	}{
		{name: "the last of its phases", durations: both, node: running("a", 0, phased(draining, 0), phased(rebooting, 10)), now: 15, at: 2, elapsed: 300},
		{name: "its only phase", durations: both, node: running("a", 0, phased(rebooting, 10)), now: 15, at: 2, elapsed: 300},
		{name: "no phase", durations: both, node: unobserved, now: 15, at: wholeUpdate, elapsed: 900},
		{name: "no node went on from there", durations: updates(10), node: running("a", 0, phased(updating, 10)), now: 15, at: wholeUpdate, elapsed: 900},
		{name: "no node has rebooted", durations: updates(10), node: running("a", 0, phased(rebooting, 10)), now: 15, at: 2, elapsed: 300},
		{name: "uncordoned after its reboot", durations: both, node: uncordoned, now: 15, at: 2, elapsed: 300},
		{name: "it started before it was observed", durations: updates(10), node: running("a", 10, phased(updating, 5)), now: 15, at: wholeUpdate, elapsed: 600},
		{name: "no node is done", node: running("a", 0, phased(rebooting, 10)), now: 15, at: 2, elapsed: 300},
		{name: "the start of the phase was not observed", node: elsewhere, now: 15, at: wholeUpdate, elapsed: 900},
		{name: "a clock was set back", durations: both, node: running("a", 20, phased(rebooting, 20)), now: 15, at: 2},
		{name: "a clock was set back, no phase", durations: updates(10), node: running("a", 20, phased(updating, 20)), now: 15, at: wholeUpdate},
	} {
		at, elapsed := newDurationModel(&test.durations).present(test.node, minute(test.now))
		if at != test.at || elapsed != test.elapsed {
			t.Errorf("%s: phase %d for %.0f s, want %d for %.0f", test.name, at, elapsed, test.at, test.elapsed)
		}
	}
}

func TestRunningNode(t *testing.T) {
	others := []float64{10, 20, 30}
	for _, test := range []struct {
		elapsed, rest, longest float64
		// within are times, and the probabilities that the node is done then.
		within map[float64]float64
	}{
		{elapsed: 0, rest: 20, longest: 30, within: map[float64]float64{9: 0, 10: 1. / 3, 19: 1. / 3, 20: 2. / 3, 30: 1}},
		{elapsed: 10, rest: 15, longest: 20, within: map[float64]float64{0: 0, 9: 0, 10: 0.5, 20: 1}},
		{elapsed: 30, rest: 7.5, longest: 7.5, within: map[float64]float64{7: 0, 7.5: 1, 8: 1}},
	} {
		node := runningNode{elapsed: test.elapsed, others: others}
		if node.rest() != test.rest || node.longest() != test.longest {
			t.Errorf("after %.0f s: %.1f s left, %.1f at most", test.elapsed, node.rest(), node.longest())
		}
		for time, want := range test.within {
			if got := node.doneWithin(time); got != want {
				t.Errorf("after %.0f s: done within %.1f s with probability %.2f, want %.2f", test.elapsed, time, got, want)
			}
		}
	}
}

func TestSlots(t *testing.T) {
	nodes := func(elapsed ...float64) (all []runningNode) {
		for _, one := range elapsed {
			all = append(all, runningNode{elapsed: one, others: []float64{100}})
		}
		return all
	}
	for _, test := range []struct {
		running  []runningNode
		parallel int
		want     []float64
	}{
		{nodes(40), 3, []float64{0, 0, 60 + handover}},
		{nodes(10, 40), 2, []float64{60 + handover, 90 + handover}},
		{nodes(10, 40, 90), 2, []float64{60 + handover, 90 + handover}},
		{nil, 1, []float64{0}},
	} {
		if got := (queue{running: test.running, parallel: test.parallel}).slots(); !slices.Equal(got, test.want) {
			t.Errorf("%d running, %d at a time: %v, want %v", len(test.running), test.parallel, got, test.want)
		}
	}
}

func TestLastStart(t *testing.T) {
	for _, test := range []struct {
		slots   []float64
		waiting int
		want    float64
	}{
		{[]float64{0, 0}, 2, 0},
		{[]float64{0, 0}, 3, 10},
		{[]float64{5}, 2, 15},
		{[]float64{0, 7}, 3, 10},
		{[]float64{0, 7}, 4, 17},
	} {
		if got := lastStart(test.slots, 10, test.waiting); math.Abs(got-test.want) > 0.01 {
			t.Errorf("%d waiting for %v: %.2f, want %.0f", test.waiting, test.slots, got, test.want)
		}
	}
}

// TestNodesAtTheLastStart lists how long the nodes have been running when the last one starts.
func TestNodesAtTheLastStart(t *testing.T) {
	one := []runningNode{{elapsed: 1, others: []float64{11}}}
	for _, test := range []struct {
		name      string
		running   []runningNode
		slots     []float64
		waiting   int
		lastStart float64
		want      []float64
	}{
		{name: "a node that still runs", running: one, lastStart: 4, want: []float64{5}},
		{name: "a node that is done just then", running: one, lastStart: 10},
		{name: "two slots, one node", slots: []float64{0, 4}, waiting: 1, lastStart: 4, want: []float64{4}},
		{name: "two slots, two nodes", slots: []float64{0, 4}, waiting: 2, lastStart: 4, want: []float64{4, 0}},
		{name: "a slot that is free later", slots: []float64{0, 5}, waiting: 2, lastStart: 4, want: []float64{4}},
		{name: "the second node of a slot", slots: []float64{1}, waiting: 2, lastStart: 14, want: []float64{3}},
	} {
		var got []float64
		for _, node := range (queue{running: test.running, waiting: test.waiting}).at(test.slots, 10, test.lastStart) {
			got = append(got, node.elapsed)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestSlowest compares with the expected maximum of numbers that are 10, 20, 30 or 40 with the same probability.
func TestSlowest(t *testing.T) {
	expected := func(nodes float64) float64 {
		return 10 * (4 - math.Pow(0.25, nodes) - math.Pow(0.5, nodes) - math.Pow(0.75, nodes))
	}
	for nodes, want := range map[int]float64{0: 0, 1: 25, 2: expected(2), 3: expected(3), 64: expected(64), 65: expected(66)} {
		all := slices.Repeat([]runningNode{{others: []float64{10, 20, 30, 40}}}, nodes)
		if got := slowest(all); math.Abs(got-want) > 1e-6 {
			t.Errorf("of %d nodes: %v, want %v", nodes, got, want)
		}
	}
	different := []runningNode{{others: []float64{10}}, {others: []float64{40}}, {elapsed: 8, others: []float64{4}}}
	if got := slowest(different); math.Abs(got-40) > 1e-6 {
		t.Errorf("of different nodes: %v", got)
	}
}

func TestMeanOfDoneAndRunning(t *testing.T) {
	q := queue{others: []float64{600, 1200}}
	for _, test := range []struct {
		name    string
		running []Progress
		want    float64
	}{
		{name: "none running", want: 900},
		{name: "one running", running: []Progress{draining("a", 0)}, want: (600 + 1200 + 900 + 300) / 3.},
		{name: "a clock was set back", running: []Progress{draining("a", 20)}, want: 900},
		{name: "slower than all", running: []Progress{draining("a", -15)}, want: (600 + 1200 + 1800 + 450) / 3.},
	} {
		if got := q.each(minute(15), test.running); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestFinish(t *testing.T) {
	for completed, want := range map[int]bool{0: false, 1: true, 2: false} {
		pool := &Pool{durations: updates(10), completed: completed, total: 2}
		pool.Finish()
		if got := len(pool.NodeDurations()) > 0; got != want {
			t.Errorf("%d of 2 nodes are done: the durations are kept: %t", completed, got)
		}
	}
}

// TestDurationsOfUnobservedStart checks that a duration is only known from phases that were observed.
func TestDurationsOfUnobservedStart(t *testing.T) {
	done := node(insight.PhaseCompleted, 30)
	unobserved := draining("a", 0)
	unobserved.phases = nil
	later := running("a", 0, phased(updatev1alpha1.PhaseDraining, 5), phased(updatev1alpha1.PhaseRebooting, 20))
	for name, test := range map[string]struct {
		before Progress
		want   phaseDurations
	}{
		"no phase":                              {before: unobserved},
		"a phase after the start of the update": {before: later, want: phaseDurations{0, 0, 600}},
	} {
		if got := durationsOf(test.before, done); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
