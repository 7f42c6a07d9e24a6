package status_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
)

func healthReport(name string, level updatev1alpha1.HealthLevel, started *metav1.Time) insight.Report {
	return insight.Report{Subject: insight.Subject{Kind: "Node", Name: name}, Insights: []insight.ScopedInsight{{Part: insight.Part{WorkerPool: "worker"}, Insight: updatev1alpha1.Insight{
		UID: "health-" + name, Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
			StartedAt: started,
			Impact:    updatev1alpha1.HealthImpact{Level: level, Type: updatev1alpha1.ImpactUpdateStalled, Summary: "Node " + name + " is degraded"},
		},
	}}}}
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
