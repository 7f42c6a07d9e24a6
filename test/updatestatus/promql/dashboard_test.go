package promql

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql"
	corev1 "k8s.io/api/core/v1"
)

// panel is what the console reads of a panel (openshift/monitoring-plugin, web/src/components/dashboards/legacy).
type panel struct {
	ID      int
	Title   string
	Type    string
	Format  string
	Targets []struct{ Expr, RefID, LegendFormat string }
	Styles  []struct{ Pattern, Unit string }
	YAxes   []struct{ Format string }
}

func panels(t *testing.T) []panel {
	t.Helper()
	config := find[*corev1.ConfigMap](t, payload(t), "grafana-dashboard-cluster-update")
	if config.Namespace != "openshift-config-managed" || config.Labels["console.openshift.io/dashboard"] != "true" || len(config.Data) != 1 {
		t.Errorf("the console does not show %s/%s with the labels %v and %d files", config.Namespace, config.Name, config.Labels, len(config.Data))
	}
	var dashboard struct {
		Title string
		Rows  []struct{ Panels []panel }
	}
	for _, content := range config.Data {
		if err := json.Unmarshal([]byte(content), &dashboard); err != nil || dashboard.Title == "" {
			t.Fatalf("title %q, error %v", dashboard.Title, err)
		}
	}
	var all []panel
	for _, row := range dashboard.Rows {
		all = append(all, row.Panels...)
	}
	return all
}

// TestDashboard: each panel is one that the console can show, and has values during the update.
func TestDashboard(t *testing.T) {
	p := newPrometheus(t)
	known := map[int]bool{}
	for _, one := range panels(t) {
		t.Run(one.Title, func(t *testing.T) {
			if known[one.ID] || one.Title == "" || len(one.Targets) == 0 {
				t.Errorf("id %d, %d targets", one.ID, len(one.Targets))
			}
			known[one.ID] = true
			var results []promql.Matrix
			for _, target := range one.Targets {
				if err := p.check(t, target.Expr); err != nil {
					t.Fatal(err)
				}
				result, err := p.evaluate(t, target.Expr)
				if err != nil || len(result) == 0 {
					t.Errorf("%s: %d series, error %v", target.Expr, len(result), err)
				}
				results = append(results, result)
			}
			one.checkShown(t, results)
		})
	}
}

// legendLabels finds the labels in a legend, as the console does.
var legendLabels = regexp.MustCompile(`{{\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*}}`)

// checkShown checks what a panel shows of the results of its targets.
func (p panel) checkShown(t *testing.T, results []promql.Matrix) {
	t.Helper()
	switch p.Type {
	case "singlestat":
		// The console shows the first series.
		if len(results) != 1 || len(results[0]) != 1 {
			t.Errorf("%d results, of the first %d series", len(results), len(results[0]))
		}
	case "graph":
		if len(p.YAxes) != 1 {
			t.Fatalf("%d axes", len(p.YAxes))
		}
		p.Format = p.YAxes[0].Format
		for at, target := range p.Targets {
			if target.LegendFormat == "" {
				t.Errorf("%s has no legend", target.Expr)
			}
			for _, label := range legendLabels.FindAllStringSubmatch(target.LegendFormat, -1) {
				requireLabel(t, results[at], label[1])
			}
		}
	case "table":
		p.checkColumns(t, results)
	default:
		t.Errorf("type %s", p.Type)
	}
	if !slices.Contains([]string{"", "short", "bytes", "percentunit"}, p.Format) {
		t.Errorf("format %s", p.Format)
	}
}

// checkColumns checks that each column of a table is a label of all results, or the value of one.
func (p panel) checkColumns(t *testing.T, results []promql.Matrix) {
	t.Helper()
	for _, column := range p.Styles {
		ref, isValue := strings.CutPrefix(column.Pattern, "Value #")
		if !isValue {
			for _, result := range results {
				requireLabel(t, result, column.Pattern)
			}
		} else if !slices.ContainsFunc(p.Targets, func(one struct{ Expr, RefID, LegendFormat string }) bool { return one.RefID == ref }) {
			t.Errorf("no target has the id %s", ref)
		}
		if column.Unit != "" && column.Unit != "percentunit" {
			t.Errorf("unit %s", column.Unit)
		}
	}
}

func requireLabel(t *testing.T, result promql.Matrix, label string) {
	t.Helper()
	for _, series := range result {
		if !series.Metric.Has(label) {
			t.Errorf("%s has no label %s", series.Metric, label)
		}
	}
}
