package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestSample measures some of the updates of docs/estimates.md, with wider bounds than hack/update-estimates.sh has for all of them.
func TestSample(t *testing.T) {
	wider := bounds{covered: 0.75, width: 0.5, pool: 0.3, together: 0.2}
	if err := wider.check(measure(scenarios(), 4), measureRanges(sequences(), 1)); err != nil {
		t.Error(err)
	}
}

// TestBounds fails each of the bounds.
func TestBounds(t *testing.T) {
	rows, measured := measure(scenarios()[:4], 1), measureRanges(sequences()[:1], 1)
	for _, test := range []struct {
		bounds bounds
		want   string
	}{
		{bounds{0, 2, 2, 2}, ""},
		{bounds{1.1, 2, 2, 2}, "cover the end"},
		{bounds{0, 0.01, 2, 2}, "of what is left"},
		{bounds{0, 2, 0.001, 2}, "virtual machines, 30 nodes, 1 at a time"},
		{bounds{0, 2, 2, 0.001}, "over all pools"},
	} {
		err := test.bounds.check(rows, measured)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%+v: %v", test.bounds, err)
		}
	}
}

// TestPlayIsDeterministic: else the page would never stay.
func TestPlayIsDeterministic(t *testing.T) {
	scenario := Scenario{Nodes: 5, MaxUnavailable: 2, Times: times()[1]}
	first := Play(scenario, 7)
	if diff := cmp.Diff(first, Play(scenario, 7)); diff != "" {
		t.Errorf("(-first +again):\n%s", diff)
	}
	if cmp.Equal(first, Play(scenario, 8)) {
		t.Error("another seed plays the same")
	}
	for at, moment := range first {
		if moment.Done != at+1 || at > 0 && moment.At.Before(first[at-1].At) {
			t.Errorf("moment %d is %+v", at, moment)
		}
	}
	if last := first[len(first)-1]; last.Done != scenario.Nodes || !last.Estimate.IsZero() {
		t.Errorf("the end is %+v", last)
	}
}

func TestDoneAt(t *testing.T) {
	for _, test := range []struct{ share, nodes, want int }{{10, 3, 1}, {75, 3, 2}, {25, 6, 1}, {50, 6, 3}, {25, 60, 15}} {
		if got := doneAt(test.share, test.nodes); got != test.want {
			t.Errorf("%d %% of %d are %d, want %d", test.share, test.nodes, got, test.want)
		}
	}
}

func TestQuantile(t *testing.T) {
	for _, test := range []struct{ share, want float64 }{{0.5, 3}, {0.9, 5}, {0.2, 1}} {
		if got := quantile([]float64{1, 2, 3, 4, 5}, test.share); got != test.want {
			t.Errorf("%v: %v, want %v", test.share, got, test.want)
		}
	}
}

func TestListTimes(t *testing.T) {
	slow := times()[1]
	if slow.Slow == 0 || !strings.Contains(listTimes(), "- long drains: 8 minutes (0.8) to drain,") {
		t.Errorf("%s", listTimes())
	}
	if slow.SlowTo-slow.SlowFrom < time.Minute {
		t.Error("slow drains don't differ")
	}
}
