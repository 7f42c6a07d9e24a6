package snapshot

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// TestAlerts checks that responses of Prometheus are read, and that similar files are ignored.
func TestAlerts(t *testing.T) {
	const one = `{"labels": {"alertname": "A"}, "annotations": {"summary": "a"}, "state": "firing", "activeAt": "2025-03-01T11:00:00.5Z", "value": "1e+00"}`
	dir := write(t, map[string]string{
		"alerts.json":        `{"status": "success", "data": {"alerts": [` + one + `]}}`,
		"b/none.json":        `{"status": "success", "data": {"alerts": []}}`,
		"c/error.json":       `{"status": "error", "errorType": "unavailable", "data": {"alerts": []}}`,
		"d/broken.json":      `{"status": "success", "data": {"alerts": [{"labels": 7}]}}`,
		"e/rules.json":       `{"status": "success", "data": {"groups": [{"rules": [{"alerts": [` + one + `]}]}]}}`,
		"f/another.json":     `{"kind": "ConfigMap", "apiVersion": "v1", "data": {"alerts": "[]"}}`,
		"g/unlike.json":      `["alerts"]`,
		"h/text.json":        `{"status": "success", "alerts": [], "data": "text"}`,
		"clusterversion.yml": clusterVersion,
	})
	s := load(t, dir)
	alert := assess.Alert{
		Labels: map[string]string{"alertname": "A"}, Annotations: map[string]string{"summary": "a"}, State: "firing",
		ActiveAt: time.Date(2025, 3, 1, 11, 0, 0, 5e8, time.UTC),
	}
	want := []assess.Alert{alert, alert} // of alerts.json, and of rules.json
	if diff := cmp.Diff(want, s.Alerts); diff != "" {
		t.Errorf("alerts (-want +got):\n%s", diff)
	}
	var files []string
	for _, problem := range problems(s, dir) {
		file, _, _ := strings.Cut(problem, ":")
		files = append(files, file)
	}
	if diff := cmp.Diff([]string{"c/error.json", "d/broken.json"}, files); diff != "" {
		t.Errorf("problems %v (-want +got):\n%s", problems(s, dir), diff)
	}
	if s := load(t, write(t, map[string]string{"none.json": `{"status": "success", "data": {"alerts": []}}`})); s.Alerts == nil {
		t.Error("an empty list of alerts is taken for an unknown one")
	}
}
