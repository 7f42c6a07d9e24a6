package promql

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/promqltest"
)

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
	all := payload(t)
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
			evaluate(t, expressionOf(t, all, test.alert), test.series, test.fires)
		})
	}
}

// evaluate checks whether an expression fires after series of half an hour.
func evaluate(t *testing.T, expression string, series []string, fires bool) {
	t.Helper()
	script := "load 1m\n"
	for _, one := range append(series, "anything 1x30") {
		script += "  " + one + "\n"
	}
	script += fmt.Sprintf("\neval instant at 30m count(%s)\n", expression)
	if fires {
		script += "  {} 1\n"
	}
	promqltest.RunTest(t, script, promqltest.NewTestEngine(t, false, 0, 1000))
}

// TestHostedAlert evaluates the alert of a hosted cluster, beside another one whose update is stalled.
func TestHostedAlert(t *testing.T) {
	const (
		labels   = `{job="clusters-east/update-status-controller", namespace="clusters", name="east"}`
		stalled  = "update_status_control_plane_stalled" + labels
		updating = "update_status_updating" + labels
		worker   = `update_status_pool_stalled{job="clusters-east/update-status-controller", namespace="clusters", name="east", pool="worker"}`
		gpu      = `update_status_pool_stalled{job="clusters-east/update-status-controller", namespace="clusters", name="east", pool="gpu"}`
	)
	all := ofHostedCluster(t)
	for _, test := range []struct {
		name   string
		series []string
		fires  bool
	}{
		{name: "nothing known"},
		{name: "no update", series: []string{stalled + " 0x30", worker + " 0x30", updating + " 0x30"}},
		{name: "an update", series: []string{stalled + " 0x30", worker + " 0x30", updating + " 1x30"}},
		{name: "a stalled control plane", series: []string{stalled + " 1x30"}, fires: true},
		{name: "a stalled pool", series: []string{stalled + " 0x30", worker + " 1x30", gpu + " 0x30", updating + " 1x30"}, fires: true},
		{name: "a stalled pool without an update", series: []string{stalled + " 0x30", worker + " 1x30", updating + " 0x30"}},
		{name: "a stalled pool, unknown whether there is an update", series: []string{worker + " 1x30"}},
		{name: "both", series: []string{stalled + " 1x30", worker + " 1x30", updating + " 1x30"}, fires: true},
		{name: "stalled, and the last scrapes failed", series: []string{stalled + " 1x26 _x4"}, fires: true},
		{name: "stalled, and no scrape for more than five minutes", series: []string{stalled + " 1x20 _x10"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			other := strings.NewReplacer("east", "west").Replace(stalled) + " 1x30"
			evaluate(t, expressionOf(t, all, "HostedClusterUpdateStalled"), append(test.series, other), test.fires)
		})
	}
}
