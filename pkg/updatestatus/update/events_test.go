package update_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

func TestEvents(t *testing.T) {
	type reports = []insight.Report
	statusWith := func(said reports) *update.Update {
		if said == nil {
			return update.Read(&updatev1alpha1.UpdateStatusStatus{})
		}
		return update.Read(build(nil, noon, nodesReport(said...), controlPlaneReports(said...)))
	}
	running, done := version("4.20.1", "4.20.2", at(0), nil), version("4.20.1", "4.20.2", at(0), at(60))
	updateEvent := func(reason, message string) []update.Event {
		return []update.Event{{Type: "Normal", Reason: reason, Message: message}}
	}
	appeared := update.Event{Type: "Warning", Reason: "HealthInsightAppeared", Message: "Error: Node a is degraded (Update Stalled)"}
	gone := func(node string) update.Event {
		return update.Event{Type: "Normal", Reason: "HealthInsightGone", Message: "Error: Node " + node + " is degraded (Update Stalled)"}
	}
	leveled := func(node string, level updatev1alpha1.HealthLevel) reports {
		return reports{healthReport(node, level, nil)}
	}
	for _, test := range []struct {
		name          string
		before, after reports
		want          []update.Event
	}{
		{name: "finished update, at the start", after: reports{done}},
		{name: "running update, at the start", after: reports{running}, want: updateEvent("UpdateStarted", "The update from 4.20.1 to 4.20.2 started")},
		{
			name: "installation", after: reports{version("", "4.20.2", at(0), nil)},
			want: updateEvent("UpdateStarted", "The update to 4.20.2 started"),
		},
		{
			name: "started", before: reports{done}, after: reports{version("4.20.2", "4.20.3", at(90), nil)},
			want: updateEvent("UpdateStarted", "The update from 4.20.2 to 4.20.3 started"),
		},
		{name: "still running", before: reports{running}, after: reports{running}},
		{
			name: "completed", before: reports{running}, after: reports{done},
			want: updateEvent("UpdateCompleted", "The update from 4.20.1 to 4.20.2 of the control plane completed"),
		},
		{name: "stays completed", before: reports{done}, after: reports{done}},
		{name: "warning", before: reports{running}, after: reports{running, healthReport("a", "Warning", nil)}},
		{name: "raised", before: leveled("a", "Warning"), after: leveled("a", "Error"), want: []update.Event{appeared}},
		{name: "raised further", before: leveled("a", "Error"), after: leveled("a", "Critical")},
		{name: "lowered", before: leveled("a", "Error"), after: leveled("a", "Warning"), want: []update.Event{gone("a")}},
		{name: "one for another", before: leveled("b", "Error"), after: leveled("a", "Error"), want: []update.Event{appeared, gone("b")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, update.NewEventState(statusWith(test.before), after(0)).Next(statusWith(test.after))); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNoSecondEvent checks that what an object or a process has lost for a while has no second event when it returns.
func TestNoSecondEvent(t *testing.T) {
	running := version("4.20.1", "4.20.2", at(0), nil)
	failing := build(nil, noon, controlPlaneReports(running), nodesReport(healthReport("a", updatev1alpha1.LevelError, at(1))))
	empty := &updatev1alpha1.UpdateStatusStatus{}
	truncated := func(part string) *updatev1alpha1.UpdateStatusStatus {
		incomplete := []metav1.Condition{{Type: updatev1alpha1.ConditionInsightsComplete, Status: metav1.ConditionFalse}}
		stored := build(nil, noon, controlPlaneReports(running))
		if part == "control plane" {
			stored.ControlPlane.Conditions = incomplete
		} else {
			stored.WorkerPools = []updatev1alpha1.WorkerPool{{Name: part, Conditions: incomplete}}
		}
		return stored
	}
	for name, tc := range map[string]struct {
		stored  *updatev1alpha1.UpdateStatusStatus
		started time.Time
		next    []*updatev1alpha1.UpdateStatusStatus
		want    []string
	}{
		"the ClusterVersion vanishes and returns": {
			stored: failing, next: []*updatev1alpha1.UpdateStatusStatus{empty, failing}, started: after(5),
			want: []string{"HealthInsightGone", "HealthInsightAppeared"},
		},
		"left out of the control plane before the restart": {
			stored: truncated("control plane"), next: []*updatev1alpha1.UpdateStatusStatus{failing}, started: after(5),
		},
		"left out of a pool before the restart": {
			stored: truncated("worker"), next: []*updatev1alpha1.UpdateStatusStatus{failing}, started: after(5),
		},
		"started after the restart": {
			stored: truncated("worker"), next: []*updatev1alpha1.UpdateStatusStatus{failing}, started: after(1),
			want: []string{"HealthInsightAppeared"},
		},
		"nothing was left out": {
			stored: build(nil, noon, controlPlaneReports(running)), next: []*updatev1alpha1.UpdateStatusStatus{failing}, started: after(5),
			want: []string{"HealthInsightAppeared"},
		},
	} {
		state := update.NewEventState(update.Read(tc.stored), tc.started)
		var got []string
		for _, next := range tc.next {
			for _, event := range state.Next(update.Read(next)) {
				got = append(got, event.Reason)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
