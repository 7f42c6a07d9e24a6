package status_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/status"
)

func update(previous, target string, started, completed *metav1.Time) insight.Report {
	report := versionReport(nil)
	version := report.Insights[0].Insight.ClusterVersion
	version.StartedAt, version.CompletedAt = started, completed
	if previous != "" {
		version.Versions.Previous = &updatev1alpha1.Version{Version: previous}
	}
	if target != "" {
		version.Versions.Target = &updatev1alpha1.Version{Version: target}
	}
	return report
}

func healthReport(name string, level updatev1alpha1.HealthLevel, started *metav1.Time) insight.Report {
	return insight.Report{Subject: insight.Subject{Kind: "Node", Name: name}, Insights: []insight.ScopedInsight{{Part: insight.Part{WorkerPool: "worker"}, Insight: updatev1alpha1.Insight{
		UID: "health-" + name, Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
			StartedAt: started,
			Impact:    updatev1alpha1.HealthImpact{Level: level, Type: updatev1alpha1.ImpactUpdateStalled, Summary: "Node " + name + " is degraded"},
		},
	}}}}
}

func TestEvents(t *testing.T) {
	type reports = []insight.Report
	statusWith := func(said reports) *updatev1alpha1.UpdateStatusStatus {
		if said == nil {
			return &updatev1alpha1.UpdateStatusStatus{}
		}
		return build(nil, noon, nodesReport(said...), controlPlaneReports(said...))
	}
	running, done := update("4.20.1", "4.20.2", at(0), nil), update("4.20.1", "4.20.2", at(0), at(60))
	updateEvent := func(reason, message string) []status.Event {
		return []status.Event{{Type: "Normal", Reason: reason, Message: message}}
	}
	appeared := status.Event{Type: "Warning", Reason: "HealthInsightAppeared", Message: "Error: Node a is degraded (Update Stalled)"}
	gone := func(node string) status.Event {
		return status.Event{Type: "Normal", Reason: "HealthInsightGone", Message: "Error: Node " + node + " is degraded (Update Stalled)"}
	}
	leveled := func(node string, level updatev1alpha1.HealthLevel) reports {
		return reports{healthReport(node, level, nil)}
	}
	for _, test := range []struct {
		name          string
		before, after reports
		want          []status.Event
	}{
		{name: "finished update, at the start", after: reports{done}},
		{name: "running update, at the start", after: reports{running}, want: updateEvent("UpdateStarted", "The update from 4.20.1 to 4.20.2 started")},
		{
			name: "installation", after: reports{update("", "4.20.2", at(0), nil)},
			want: updateEvent("UpdateStarted", "The update to 4.20.2 started"),
		},
		{
			name: "started", before: reports{done}, after: reports{update("4.20.2", "4.20.3", at(90), nil)},
			want: updateEvent("UpdateStarted", "The update from 4.20.2 to 4.20.3 started"),
		},
		{name: "still running", before: reports{running}, after: reports{running}},
		{
			name: "completed", before: reports{running}, after: reports{done},
			want: updateEvent("UpdateCompleted", "The update from 4.20.1 to 4.20.2 of the control plane completed"),
		},
		{name: "stays completed", before: reports{done}, after: reports{done}},
		{name: "warning", before: reports{running}, after: reports{running, healthReport("a", "Warning", nil)}},
		{name: "raised", before: leveled("a", "Warning"), after: leveled("a", "Error"), want: []status.Event{appeared}},
		{name: "raised further", before: leveled("a", "Error"), after: leveled("a", "Critical")},
		{name: "lowered", before: leveled("a", "Error"), after: leveled("a", "Warning"), want: []status.Event{gone("a")}},
		{name: "one for another", before: leveled("b", "Error"), after: leveled("a", "Error"), want: []status.Event{appeared, gone("b")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, status.NewEventState(statusWith(test.before), after(0)).Next(statusWith(test.after))); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStartOfHealthInsights(t *testing.T) {
	startOf := func(built *updatev1alpha1.UpdateStatusStatus) *metav1.Time {
		return built.WorkerPools[0].Informers[0].Insights[0].Health.StartedAt
	}
	observe := func(previous *updatev1alpha1.UpdateStatusStatus, minute int, report insight.Report) (*updatev1alpha1.UpdateStatusStatus, *metav1.Time) {
		built := build(previous, after(minute), nodesReport(report), controlPlaneReports())
		return built, startOf(built)
	}
	first, started := observe(nil, 0, healthReport("a", "Warning", nil))
	if !started.Equal(at(0)) {
		t.Errorf("a condition of unknown start began at %s, not when it was first seen", started)
	}
	second, started := observe(first, 5, healthReport("a", "Error", nil))
	if !started.Equal(at(0)) {
		t.Errorf("a condition that stays began at %s", started)
	}
	if _, started = observe(second, 9, healthReport("a", "Error", at(-30))); !started.Equal(at(-30)) {
		t.Errorf("a real start was not taken over, but %s", started)
	}
	shown := status.Build(status.Input{Ledger: view(nodesReport(healthReport("a", "Error", nil)), controlPlaneReports()), Now: noon})
	if started = startOf(&shown); started != nil {
		t.Errorf("a condition in files started at %s, which is not known", started)
	}
}

func TestHealthCountInCondition(t *testing.T) {
	built := build(nil, noon, nodesReport(healthReport("a", "Warning", nil), healthReport("b", "Error", nil), poolReport("worker", "True")), controlPlaneReports(versionReport(nil)))
	if got := built.WorkerPools[0].Conditions[0].Message; got != "Health insights: 2, the worst of level Error" {
		t.Errorf("the worker pool says %q", got)
	}
	if got := built.ControlPlane.Conditions[0].Message; got != "" {
		t.Errorf("the control plane says %q", got)
	}
}

// TestNoSecondEvent checks that what an object or a process has lost for a while has no second event when it returns.
func TestNoSecondEvent(t *testing.T) {
	running := update("4.20.1", "4.20.2", at(0), nil)
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
		state := status.NewEventState(tc.stored, tc.started)
		var got []string
		for _, next := range tc.next {
			for _, event := range state.Next(next) {
				got = append(got, event.Reason)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
