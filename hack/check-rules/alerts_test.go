package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/promqltest"
	"sigs.k8s.io/yaml"
)

const manifest = "../../manifests/0000_90_update-status-controller_02_prometheusrule-DevPreviewNoUpgrade.yaml"

// expressionOf returns the expression of an alert.
func expressionOf(t *testing.T, alert string) string {
	t.Helper()
	content, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	var rule struct {
		Spec struct {
			Groups []struct {
				Rules []struct{ Alert, Expr string }
			}
		}
	}
	if err := yaml.Unmarshal(content, &rule); err != nil {
		t.Fatal(err)
	}
	for _, group := range rule.Spec.Groups {
		for _, one := range group.Rules {
			if one.Alert == alert {
				return strings.Join(strings.Fields(one.Expr), " ")
			}
		}
	}
	t.Fatalf("%s has no alert %s", manifest, alert)
	return ""
}

// TestAlerts evaluates the alerts after series of half an hour.
func TestAlerts(t *testing.T) {
	const (
		notAvailable = "UpdateStatusControllerNotAvailable"
		isStalled    = "ClusterUpdateStalled"
		needsHelp    = "ClusterUpdateNeedsAttention"
		poolStalled  = "ClusterUpdatePoolStalled"

		available = `update_status_available{job="update-status-controller", pod="a"}`
		stalled   = `update_status_control_plane_stalled{job="update-status-controller", pod="a"}`
		worker    = `update_status_pool_stalled{job="update-status-controller", pod="a", pool="worker"}`
		master    = `update_status_pool_stalled{job="update-status-controller", pod="a", pool="master"}`
		updating  = `update_status_updating{job="update-status-controller", pod="a"}`
		attention = `update_status_needs_attention{job="update-status-controller", pod="a"}`
		succeeded = `update_status_writes_total{job="update-status-controller", pod="a", result="success"}`
		failed    = `update_status_writes_total{job="update-status-controller", pod="a", result="error"}`
	)
	for _, test := range []struct {
		name   string
		alert  string
		series []string
		fires  bool
	}{
		{
			name: "no problem", alert: notAvailable,
			series: []string{available + " 1x30", succeeded + " 7+1x30", failed + " 0x30"},
		},
		{
			name: "no writes", alert: notAvailable,
			series: []string{available + " 1x30", succeeded + " 7x30", failed + " 2x30"},
		},
		{
			name: "not available", alert: notAvailable, fires: true,
			series: []string{available + " 0x30", succeeded + " 7+1x30", failed + " 0x30"},
		},
		{name: "no process", alert: notAvailable, fires: true},
		{
			name: "no leader", alert: notAvailable, fires: true,
			series: []string{`up{job="update-status-controller", pod="a"} 1x30`, succeeded + " 0x30", failed + " 0x30"},
		},
		{
			name: "one leader of two processes", alert: notAvailable,
			series: []string{available + " 1x30", strings.ReplaceAll(failed, `"a"`, `"b"`) + " 0x30", failed + " 0x30"},
		},
		{
			name: "all writes fail", alert: notAvailable, fires: true,
			series: []string{available + " 1x30", succeeded + " 7x30", failed + " 0+1x30"},
		},
		{
			name: "all writes failed and there was none since", alert: notAvailable,
			series: []string{available + " 1x30", succeeded + " 7x30", failed + " 0x10 1+1x5 6x15"},
		},
		{
			name: "some writes fail", alert: notAvailable,
			series: []string{available + " 1x30", succeeded + " 7+1x30", failed + " 0+1x30"},
		},
		{name: "stalled", alert: isStalled, series: []string{stalled + " 1x30"}, fires: true},
		{name: "not stalled", alert: isStalled, series: []string{stalled + " 0x30"}},
		{name: "unknown", alert: isStalled},
		{name: "stalled, and the last scrapes failed", alert: isStalled, series: []string{stalled + " 1x26 _x4"}, fires: true},
		{name: "stalled, and no scrape for more than five minutes", alert: isStalled, series: []string{stalled + " 1x20 _x10"}},
		{name: "the last scrapes failed", alert: notAvailable, series: []string{available + " 1x26 _x4"}},
		{name: "not available, and the last scrapes failed", alert: notAvailable, series: []string{available + " 0x26 _x4"}, fires: true},
		{name: "no scrape for more than five minutes", alert: notAvailable, series: []string{available + " 1x20 _x10"}, fires: true},
		{name: "a stalled pool", alert: poolStalled, series: []string{worker + " 1x30", updating + " 1x30"}, fires: true},
		{name: "a stalled pool of the control plane", alert: poolStalled, series: []string{master + " 1x30", updating + " 1x30"}},
		{name: "no stalled pool", alert: poolStalled, series: []string{worker + " 0x30", updating + " 1x30"}},
		{name: "a stalled pool without an update", alert: poolStalled, series: []string{worker + " 1x30", updating + " 0x30"}},
		{name: "a stalled pool, and the last scrapes failed", alert: poolStalled, series: []string{worker + " 1x26 _x4", updating + " 1x26 _x4"}, fires: true},
		{name: "needs attention in an update", alert: needsHelp, series: []string{attention + " 1x30", updating + " 1x30"}, fires: true},
		{name: "needs attention without an update", alert: needsHelp, series: []string{attention + " 1x30", updating + " 0x30"}},
		{name: "an update without a problem", alert: needsHelp, series: []string{attention + " 0x30", updating + " 1x30"}},
		{name: "needs attention, and the last scrapes failed", alert: needsHelp, series: []string{attention + " 1x26 _x4", updating + " 1x26 _x4"}, fires: true},
		{name: "nothing known of an update", alert: needsHelp, series: []string{attention + " 1x30"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			script := "load 1m\n"
			for _, series := range append(test.series, "anything 1x30") {
				script += "  " + series + "\n"
			}
			script += fmt.Sprintf("\neval instant at 30m count(%s)\n", expressionOf(t, test.alert))
			if test.fires {
				script += "  {} 1\n"
			}
			promqltest.RunTest(t, script, promqltest.NewTestEngine(t, false, 0, 1000))
		})
	}
}
