package snapshot

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// TestAlerts reads the answers of Prometheus from among other files, and passes over what only looks like one.
func TestAlerts(t *testing.T) {
	const one = `{"labels": {"alertname": "A"}, "annotations": {"summary": "a"}, "state": "firing", "activeAt": "2025-03-01T11:00:00.5Z", "value": "1e+00"}`
	folder := write(t, map[string]string{
		"alerts.json":        `{"status": "success", "data": {"alerts": [` + one + `]}}`,
		"b/none.json":        `{"status": "success", "data": {"alerts": []}}`,
		"c/refused.json":     `{"status": "error", "errorType": "unavailable", "data": {"alerts": []}}`,
		"d/broken.json":      `{"status": "success", "data": {"alerts": [{"labels": 7}]}}`,
		"e/rules.json":       `{"status": "success", "data": {"groups": [{"rules": [{"alerts": [` + one + `]}]}]}}`,
		"f/another.json":     `{"kind": "ConfigMap", "apiVersion": "v1", "data": {"alerts": "[]"}}`,
		"g/unlike.json":      `["alerts"]`,
		"clusterversion.yml": clusterVersion,
	})
	s := load(t, folder)
	want := []assess.Alert{{
		Labels: map[string]string{"alertname": "A"}, Annotations: map[string]string{"summary": "a"}, State: "firing",
		ActiveAt: time.Date(2025, 3, 1, 11, 0, 0, 5e8, time.UTC),
	}}
	if diff := cmp.Diff(want, s.Alerts); diff != "" {
		t.Errorf("alerts (-want +got):\n%s", diff)
	}
	var said []string
	for _, problem := range problems(s, folder) {
		file, _, _ := strings.Cut(problem, ":")
		said = append(said, file)
	}
	if diff := cmp.Diff([]string{"c/refused.json", "d/broken.json"}, said); diff != "" {
		t.Errorf("problems %v (-want +got):\n%s", problems(s, folder), diff)
	}
	if s := load(t, write(t, map[string]string{"none.json": `{"status": "success", "data": {"alerts": []}}`})); s.Alerts == nil {
		t.Error("that no alert fires is not known")
	}
}
