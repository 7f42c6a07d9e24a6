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
func written(t *testing.T, subject Subject, script string) []Transition {
	t.Helper()
	var transitions []Transition
	for moment, state := range parse(t, script) {
		transitions = append(transitions, Transition{Subject: subject, State: state, At: at(moment)})
	}
	return transitions
}

func seen(t *testing.T, subject Subject, script string) []Sighting {
	t.Helper()
	var sightings []Sighting
	for moment, state := range parse(t, script) {
		sightings = append(sightings, Sighting{At: at(moment), States: States{subject: state}})
	}
	return sightings
}

func parse(t *testing.T, script string) func(yield func(int, string) bool) {
	t.Helper()
	return func(yield func(int, string) bool) {
		for part := range strings.SplitSeq(script, ", ") {
			var moment int
			var state string
			if _, err := fmt.Sscan(part, &moment, &state); err != nil {
				t.Fatalf("%q: %v", part, err)
			}
			if !yield(moment, state) {
				return
			}
		}
	}
}

func milliseconds(of ...int) []time.Duration {
	var lags []time.Duration
	for _, one := range of {
		lags = append(lags, time.Duration(one)*time.Millisecond)
	}
	return lags
}

func TestMeasure(t *testing.T) {
	for _, tc := range []struct {
		name, written, seen string
		want                Result
	}{
		{
			name:    "each transition in a version of its own",
			written: "100 Draining, 200 Rebooting",
			seen:    "0 Pending, 110 Draining, 230 Rebooting",
			want:    Result{Lags: milliseconds(10, 30)},
		},
		{
			name:    "the second came before the first was shown",
			written: "100 Draining, 110 Rebooting",
			seen:    "0 Pending, 150 Rebooting",
			want:    Result{Lags: milliseconds(40), Overtaken: 1},
		},
		{
			name:    "a state that comes again, the first time unseen",
			written: "100 Draining, 110 Updating, 130 Draining, 900 Updating, 990 Rebooting",
			seen:    "0 Pending, 150 Draining, 930 Updating, 999 Rebooting",
			want:    Result{Lags: milliseconds(9, 20, 30), Overtaken: 2},
		},
		{
			name:    "there and back, unseen, without a version afterwards",
			written: "100 Degraded, 110 Healthy",
			seen:    "0 Healthy",
			want:    Result{Overtaken: 2},
		},
		{
			name:    "there and back and there: the last one that fits is the one that was seen",
			written: "100 Degraded, 110 Healthy, 120 Degraded",
			seen:    "0 Healthy, 150 Degraded",
			want:    Result{Lags: milliseconds(30), Overtaken: 2},
		},
		{
			name:    "a version from before the transition does not show it",
			written: "100 Draining",
			seen:    "90 Draining, 160 Draining",
			want:    Result{Lags: milliseconds(60)},
		},
		{
			name:    "never shown",
			written: "100 Draining, 200 Rebooting",
			seen:    "0 Pending, 110 Draining, 300 Draining",
			want:    Result{Lags: milliseconds(10), Missing: 1},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.want.Kind = Nodes
			want := []Result{tc.want, {Kind: Operators}}
			got := Measure(written(t, node, tc.written), seen(t, node, tc.seen))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMeasureSeveralSubjects(t *testing.T) {
	transitions := append(written(t, node, "100 Draining"), written(t, other, "120 Draining")...)
	transitions = append(transitions, written(t, anyone, "130 Updated")...)
	sightings := []Sighting{
		{At: at(125), States: States{node: "Draining", other: "Pending", anyone: "Progressing"}},
		{At: at(135), States: States{node: "Draining", other: "Draining", anyone: "Updated"}},
	}
	want := []Result{{Kind: Nodes, Lags: milliseconds(15, 25)}, {Kind: Operators, Lags: milliseconds(5)}}
	if diff := cmp.Diff(want, Measure(transitions, sightings)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
