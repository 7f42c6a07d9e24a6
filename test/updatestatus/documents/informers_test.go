package documents_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

// minimal has the files that docs/updatestatus/informers.md shows.
const minimal = "test/updatestatus/examples/minimal"

// TestInformerExamples compares the files that docs/updatestatus/informers.md shows with those that are tested, and their length with what is promised.
func TestInformerExamples(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root(t), "docs", "updatestatus", "informers.md"))
	if err != nil {
		t.Fatal(err)
	}
	for file, most := range map[string]int{"alert.yaml": 12, "rbac.yaml": 20, "main.go": 40, "minimal.sh": 24} {
		content, err := os.ReadFile(filepath.Join(root(t), minimal, file))
		if err != nil {
			t.Fatal(err)
		}
		languages := map[string]string{".yaml": "yaml", ".go": "go", ".sh": "sh"}
		if block := "\n```" + languages[filepath.Ext(file)] + "\n" + string(content) + "```\n"; !strings.Contains(string(page), block) {
			t.Errorf("docs/updatestatus/informers.md does not show %s as it is", file)
		}
		if lines := strings.Count(string(content), "\n"); lines > most {
			t.Errorf("%s has %d lines, more than %d", file, lines, most)
		}
	}
}

// TestInformerAlert checks that the alert of docs/updatestatus/informers.md is reported though it started to fire before the update.
func TestInformerAlert(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(root(t), minimal, "alert.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var rule monitoringv1.PrometheusRule
	if err := yaml.UnmarshalStrict(content, &rule); err != nil {
		t.Fatal(err)
	}
	one, started := rule.Spec.Groups[0].Rules[0], time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	alert := assess.Alert{Labels: one.Labels, Annotations: one.Annotations, State: "firing", ActiveAt: started.Add(-time.Hour)}
	alert.Labels["alertname"], alert.Labels["namespace"], alert.Labels["node"] = one.Alert, rule.Namespace, "worker-3"
	reports := assess.Alerts(assess.AlertsInput{
		Alerts: []assess.Alert{alert}, Update: ledger.Update{Unfinished: true, Started: started}, Now: started.Add(time.Hour),
	})
	if len(reports) != 1 || reports[0].Insights[0].Insight.Health.Impact.Summary != "Alert is firing: The array rebuilds disks (node worker-3)" {
		t.Errorf("reports: %+v", reports)
	}
}
