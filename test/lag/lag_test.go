package lag

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
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
			name:    "versions about something else do not count again",
			written: "100 Draining",
			seen:    "105 Pending, 110 Draining, 120 Draining",
			want:    Result{Lags: milliseconds(10)},
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
			name:    "there and back, unseen, with a version afterwards",
			written: "100 Degraded, 110 Healthy",
			seen:    "0 Healthy, 150 Healthy",
			want:    Result{Lags: milliseconds(40), Overtaken: 1},
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
		{
			name:    "nothing of it was ever shown",
			written: "100 Draining, 200 Rebooting",
			seen:    "300 Pending",
			want:    Result{Overtaken: 1, Missing: 1},
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

func TestMeasureTruncated(t *testing.T) {
	gone := func(milliseconds int) Sighting { return Sighting{At: at(milliseconds), Truncated: true} }
	full := func(milliseconds int) Sighting { return Sighting{At: at(milliseconds), Truncated: true, Full: true} }
	shows := func(milliseconds int, state string) Sighting {
		return Sighting{At: at(milliseconds), Truncated: true, States: States{node: state}}
	}
	for _, tc := range []struct {
		name, written string
		seen          []Sighting
		want          Result
	}{
		{
			name:    "left out, and taken in long after",
			written: "100 Completed",
			seen:    []Sighting{shows(90, "Rebooting"), gone(150), shows(9000, "Completed")},
			want:    Result{LeftOut: 1},
		},
		{
			name:    "taken in with what is worth more",
			written: "100 Draining",
			seen:    []Sighting{gone(90), gone(120), shows(180, "Draining")},
			want:    Result{Lags: milliseconds(80)},
		},
		{
			name:    "overtaken by what is left out, and shown again",
			written: "100 Rebooting, 110 Completed, 300 Pending, 500 Draining",
			seen:    []Sighting{shows(90, "Draining"), gone(150), gone(310), gone(510), shows(520, "Draining")},
			want:    Result{LeftOut: 2, Overtaken: 1, Lags: milliseconds(20)},
		},
		{
			name:    "a version from before the transition leaves nothing out",
			written: "100 Completed",
			seen:    []Sighting{gone(90), shows(140, "Completed")},
			want:    Result{Lags: milliseconds(40)},
		},
		{
			name:    "worth more, and never shown",
			written: "100 Draining",
			seen:    []Sighting{gone(90), gone(120)},
			want:    Result{Missing: 1},
		},
		{
			name:    "no room even for what is worth more",
			written: "100 Draining, 300 Rebooting",
			seen:    []Sighting{full(90), full(150), shows(9000, "Rebooting")},
			want:    Result{LeftOut: 1, Lags: milliseconds(8700)},
		},
		{
			name:    "there is room, and yet it is not shown",
			written: "100 Completed",
			seen:    []Sighting{{At: at(120)}},
			want:    Result{Missing: 1},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.want.Kind = Nodes
			if diff := cmp.Diff(tc.want, Measure(written(t, node, tc.written), tc.seen)[0]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSee(t *testing.T) {
	us := &updatev1alpha1.UpdateStatus{}
	if See(us, began).Truncated {
		t.Error("an object that says nothing is truncated")
	}
	us.Status.Conditions = []metav1.Condition{{
		Type: updatev1alpha1.ConditionInsightsComplete, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonTruncated,
	}}
	if !See(us, began).Truncated {
		t.Error("an object that says so is not truncated")
	}
	for reason, full := range map[string]bool{updatev1alpha1.ReasonDraining: true, updatev1alpha1.ReasonPending: false} {
		us.Status.WorkerPools = []updatev1alpha1.WorkerPool{{Informers: []updatev1alpha1.Informer{{Insights: []updatev1alpha1.Insight{{
			Node: &updatev1alpha1.NodeInsight{Name: "a", Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Reason: reason}}},
		}}}}}}
		if See(us, began).Full != full {
			t.Errorf("a truncated object with a node that is %s: full is %t", reason, !full)
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
	want := []Result{{Kind: Nodes, Lags: milliseconds(15, 25)}, {Kind: Operators, Lags: milliseconds(5)}}
	if diff := cmp.Diff(want, Measure(transitions, sightings)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
