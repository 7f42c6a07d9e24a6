package lag

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	began  = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	node   = Subject{Kind: Nodes, Name: "a"}
	other  = Subject{Kind: Nodes, Name: "b"}
	anyone = Subject{Kind: Operators, Name: "etcd"}
)

func at(milliseconds int) time.Time {
	return began.Add(time.Duration(milliseconds) * time.Millisecond)
}

// written returns transitions of a subject, from "MILLISECONDS STATE, …".
func written(t *testing.T, subject Subject, script string) (transitions []Transition) {
	t.Helper()
	for part := range strings.SplitSeq(script, ", ") {
		moment, state := 0, ""
		if _, err := fmt.Sscan(part, &moment, &state); err != nil {
			t.Fatalf("%q: %v", part, err)
		}
		transitions = append(transitions, Transition{Subject: subject, State: state, At: at(moment)})
	}
	return transitions
}

func milliseconds(of ...int) (lags []time.Duration) {
	for _, lag := range of {
		lags = append(lags, time.Duration(lag)*time.Millisecond)
	}
	return lags
}

func TestMeasure(t *testing.T) {
	for name, tc := range map[string]struct {
		written, seen string
		want          Result
	}{
		"each transition in a version of its own":              {"100 Draining, 200 Rebooting", "0 Pending, 110 Draining, 230 Rebooting", Result{Lags: milliseconds(10, 30)}},
		"versions about something else do not count again":     {"100 Draining", "105 Pending, 110 Draining, 120 Draining", Result{Lags: milliseconds(10)}},
		"the second came before the first was shown":           {"100 Draining, 110 Rebooting", "0 Pending, 150 Rebooting", Result{Lags: milliseconds(40), Overtaken: 1}},
		"there and back, unseen, with a version afterwards":    {"100 Degraded, 110 Healthy", "0 Healthy, 150 Healthy", Result{Lags: milliseconds(40), Overtaken: 1}},
		"there and back, unseen, without a version afterwards": {"100 Degraded, 110 Healthy", "0 Healthy", Result{Overtaken: 2}},
		"the last one that fits is the one that was seen":      {"100 Degraded, 110 Healthy, 120 Degraded", "0 Healthy, 150 Degraded", Result{Lags: milliseconds(30), Overtaken: 2}},
		"a version from before the transition":                 {"100 Draining", "90 Draining, 160 Draining", Result{Lags: milliseconds(60)}},
		"never shown":                                          {"100 Draining, 200 Rebooting", "0 Pending, 110 Draining, 300 Draining", Result{Lags: milliseconds(10), Missing: 1}},
		"nothing of it was ever shown":                         {"100 Draining, 200 Rebooting", "300 Pending", Result{Overtaken: 1, Missing: 1}},
		"a state that comes again, the first time unseen": {
			"100 Draining, 110 Updating, 130 Draining, 900 Updating, 990 Rebooting", "0 Pending, 150 Draining, 930 Updating, 999 Rebooting",
			Result{Lags: milliseconds(9, 20, 30), Overtaken: 2},
		},
	} {
		var sightings []Sighting
		for _, seen := range written(t, node, tc.seen) {
			sightings = append(sightings, Sighting{At: seen.At, States: States{node: seen.State}})
		}
		tc.want.Kind = Nodes
		if diff := cmp.Diff(tc.want, Measure(Nodes, written(t, node, tc.written), sightings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestMeasureSeveralSubjects(t *testing.T) {
	transitions := append(written(t, node, "100 Draining"), written(t, other, "120 Draining")...)
	transitions = append(transitions, written(t, anyone, "130 Updated")...)
	sightings := []Sighting{
		{At: at(125), States: States{node: "Draining", other: "Pending", anyone: "Progressing"}},
		{At: at(135), States: States{node: "Draining", other: "Draining", anyone: "Updated"}},
	}
	for _, want := range []Result{{Kind: Nodes, Lags: milliseconds(15, 25)}, {Kind: Operators, Lags: milliseconds(5)}} {
		if diff := cmp.Diff(want, Measure(want.Kind, transitions, sightings)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestPercentile(t *testing.T) {
	result := Result{Lags: milliseconds(1, 2, 3)}
	for percent, want := range map[int]time.Duration{1: time.Millisecond, 50: 2 * time.Millisecond, 67: 3 * time.Millisecond, 95: 3 * time.Millisecond} {
		if got := result.Percentile(percent); got != want {
			t.Errorf("%d%%: got %s, want %s", percent, got, want)
		}
	}
	if got := (Result{}).Percentile(95); got != 0 {
		t.Errorf("without lags: %s", got)
	}
}
