package promql

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/alertmanager/config"
	"github.com/prometheus/alertmanager/dispatch"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/controller"
)

// blocks returns the code blocks of a document in a language.
func blocks(t *testing.T, path, language string) []string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, part := range strings.Split(string(content), "```"+language+"\n")[1:] {
		code, _, _ := strings.Cut(part, "```")
		found = append(found, strings.TrimSpace(code))
	}
	return found
}

func documents(t *testing.T) []string {
	t.Helper()
	paths := []string{filepath.Join(root, "README.md")}
	for _, pattern := range []string{"docs/updatestatus/*.md", "docs/updatestatus/runbooks/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d documents, error %v", pattern, len(found), err)
		}
		paths = append(paths, found...)
	}
	return paths
}

// metricNames finds the names of metrics in a text.
var metricNames = regexp.MustCompile(`\bupdate_status_[a-z_]+[a-z]\b[^.…]`)

// TestDocuments: each expression of a document has values during the update, and each metric that one names exists.
func TestDocuments(t *testing.T) {
	p := newPrometheus(t)
	exists := map[string]bool{}
	for _, one := range controller.Definitions() {
		exists[one.Name] = true
	}
	expressions := 0
	for _, path := range documents(t) {
		for _, expression := range blocks(t, path, "promql") {
			expressions++
			if err := p.check(t, expression); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if result, err := p.evaluate(t, expression); err != nil || len(result) == 0 {
				t.Errorf("%s: %s has no value", path, expression)
			}
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range metricNames.FindAllString(string(content), -1) {
			if name = name[:len(name)-1]; !exists[name] {
				t.Errorf("%s names %s, which is no metric", path, name)
			}
		}
	}
	if expressions == 0 {
		t.Error("no document has an expression")
	}
}

// TestRoute plays the example of docs/updatestatus/monitoring.md: the alerts of its rule, and where the Alertmanager sends them and the others.
func TestRoute(t *testing.T) {
	examples := blocks(t, filepath.Join(root, "docs", "updatestatus", "monitoring.md"), "yaml")
	if len(examples) != 2 {
		t.Fatalf("%d examples", len(examples))
	}
	content, err := yaml.Marshal(map[string]any{"groups": groups(t, examples[0])})
	if err != nil {
		t.Fatal(err)
	}
	parsed, problems := rulefmt.Parse(content, false, model.LegacyValidation)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	loaded, err := config.Load(examples[1])
	if err != nil {
		t.Fatal(err)
	}
	route := dispatch.NewRoute(loaded.Route, nil)
	requireReasons(t, loaded.Route)

	p := newPrometheus(t)
	example := parsed.Groups[0].Rules[0]
	if err := p.check(t, example.Expr); err != nil {
		t.Fatal(err)
	}
	firing, err := p.evaluate(t, example.Expr)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, series := range firing {
		alert := model.LabelSet{"alertname": model.LabelValue(example.Alert)}
		for name, value := range series.Metric.Map() {
			alert[model.LabelName(name)] = model.LabelValue(value)
		}
		got[string(alert["reason"])] = receiver(route, alert)
	}
	want := map[string]string{
		"NodeDrainBlocked": "applications", "NodeDegraded": "cluster", "ClusterOperatorDegraded": "cluster", "ClusterVersionFailing": "cluster",
	}
	if !maps.Equal(got, want) {
		t.Errorf("receivers %v, want %v", got, want)
	}
	for alert, want := range map[string]string{
		"ClusterUpdateStalled": "cluster", "UpdateStatusControllerNotAvailable": "cluster", "Watchdog": "default",
	} {
		if got := receiver(route, model.LabelSet{"alertname": model.LabelValue(alert)}); got != want {
			t.Errorf("%s: receiver %s, want %s", alert, got, want)
		}
	}
}

// requireReasons checks that each reason in the matchers of routes is that of a health check.
func requireReasons(t *testing.T, route *config.Route) {
	t.Helper()
	known := map[string]bool{}
	for _, check := range checks.All() {
		known[assess.ReasonOf(check.Name)] = true
	}
	for _, one := range route.Routes {
		for _, matcher := range one.Matchers {
			if matcher.Name != "reason" {
				continue
			}
			for _, reason := range strings.Split(matcher.Value, "|") {
				if !known[reason] {
					t.Errorf("no health check has the reason %s", reason)
				}
			}
		}
	}
}

// groups returns the groups of an AlertingRule, which has the format of a rule file of Prometheus.
func groups(t *testing.T, rule string) any {
	t.Helper()
	var read struct {
		Spec struct{ Groups any }
	}
	if err := yaml.Unmarshal([]byte(rule), &read); err != nil {
		t.Fatal(err)
	}
	return read.Spec.Groups
}

// receiver returns the receivers of an alert.
func receiver(route *dispatch.Route, alert model.LabelSet) string {
	var names []string
	for _, one := range route.Match(alert) {
		names = append(names, one.RouteOpts.Receiver)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
