package manifests_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
)

// TestRunbooks: each alert links to a page that says what it means, what to look at and what to do, and each page is of an alert.
func TestRunbooks(t *testing.T) {
	const repository = "https://github.com/openshift/cluster-version-operator/blob/main/"
	pages, err := filepath.Glob(filepath.Join(root(t), "docs", "updatestatus", "runbooks", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	alerts := 0
	_, ofHosted := readMonitoring(t)
	for _, group := range slices.Concat(find[*monitoringv1.PrometheusRule](t, name).Spec.Groups, ofHosted.Spec.Groups) {
		for _, rule := range group.Rules {
			alerts++
			path, linked := strings.CutPrefix(rule.Annotations["runbook_url"], repository)
			if !linked || filepath.Base(path) != rule.Alert+".md" {
				t.Errorf("%s: runbook %q", rule.Alert, rule.Annotations["runbook_url"])
				continue
			}
			content, err := os.ReadFile(filepath.Join(root(t), path))
			if err != nil {
				t.Error(err)
			}
			for _, want := range []string{"# " + rule.Alert, "## What it means", "## What to look at", "## What to do"} {
				if !strings.Contains(string(content), want+"\n") {
					t.Errorf("%s: no %q", path, want)
				}
			}
		}
	}
	if alerts != len(pages) {
		t.Errorf("%d alerts, %d runbooks", alerts, len(pages))
	}
}
