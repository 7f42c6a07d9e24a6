package assess_test

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/causes"
)

var rewrite = flag.Bool("update", false, "write the health checks to the page")

const (
	page      = "../../docs/insights.md"
	pageBegin = "<!-- begin checks: hack/update-insights.sh -->\n"
	pageEnd   = "<!-- end checks -->\n"
)

// TestHealthRows fails if something of a health check is missing in its row.
func TestHealthRows(t *testing.T) {
	names := map[string]bool{}
	for _, check := range checks.All() {
		if names[check.Name] {
			t.Errorf("%s: there are two rows", check.Name)
		}
		names[check.Name] = true
		for _, missing := range missingOf(check) {
			t.Errorf("%s: its row has no %s", check.Name, missing)
		}
		if len(check.NextSteps) > 3 || len(check.HostedNextSteps) > 3 {
			t.Errorf("%s has more than three next steps", check.Name)
		}
		if warning, _ := check.Thresholds(); warning > 0 && !strings.Contains(check.Appears, "more than "+minutes(warning)) {
			t.Errorf("%s appears after more than %s, and its row says %q", check.Name, minutes(warning), check.Appears)
		}
	}
}

// missingOf returns what a row must have and has not.
func missingOf(check assess.HealthCheck) []string {
	var missing []string
	for name, value := range map[string]any{
		"Name": check.Name, "Impact": check.Impact, "Causality": check.Causality, "Appears": check.Appears, "Response": check.Response,
		"NextSteps": check.NextSteps,
	} {
		if reflect.ValueOf(value).IsZero() {
			missing = append(missing, name)
		}
	}
	return missing
}

// TestCausality compares the rows with the edges of pkg/causes.
func TestCausality(t *testing.T) {
	isCause, isEffect := map[string]string{}, map[string]string{}
	for _, edge := range slices.Concat(causes.Edges(), causes.HostedEdges()) {
		for _, check := range edge.Causes.Checks {
			isCause[check] = edge.Name
		}
		for _, check := range edge.Effects.Checks {
			isEffect[check] = edge.Name
		}
	}
	says := map[assess.Causality][2]bool{
		assess.NeitherCauseNorEffect: {false, false}, assess.Cause: {true, false}, assess.Effect: {false, true}, assess.CauseAndEffect: {true, true},
	}
	for _, check := range checks.All() {
		cause, effect := isCause[check.Name], isEffect[check.Name]
		if of := says[check.Causality]; of[0] != (cause != "") || of[1] != (effect != "") {
			t.Errorf("%s: its row says that it is a cause (%t) or an effect (%t); the edges of pkg/causes: a cause (%q), an effect (%q)",
				check.Name, of[0], of[1], cause, effect)
		}
		delete(isCause, check.Name)
		delete(isEffect, check.Name)
	}
	for _, unknown := range []map[string]string{isCause, isEffect} {
		for check, edge := range unknown {
			t.Errorf("edge %s: there is no health check %s", edge, check)
		}
	}
}

// TestInsightsPage compares docs/insights.md with the rows and the results of their cases, or writes it with -update.
func TestInsightsPage(t *testing.T) {
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, hasBegin := strings.Cut(string(content), pageBegin)
	written, after, hasEnd := strings.Cut(rest, pageEnd)
	if !hasBegin || !hasEnd {
		t.Fatalf("%s has no place for the health checks", page)
	}
	want := "| check | appears | level | impact | what to do |\n|---|---|---|---|---|\n"
	for _, check := range checks.All() {
		mark, levels := observed(t, check)
		want += fmt.Sprintf("| %s%s | %s | %s | %s | %s |\n", check.Name, mark, check.Appears, levels, check.Impact, check.Response)
	}
	if *rewrite {
		if err := os.WriteFile(page, []byte(before+pageBegin+want+pageEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, written); diff != "" {
		t.Errorf("%s, write it with hack/update-insights.sh (-want +got):\n%s", page, diff)
	}
}

// observed returns what the cases of a check show: a mark if the start is unknown, and the levels.
func observed(t *testing.T, check assess.HealthCheck) (mark, levels string) {
	t.Helper()
	var all []string
	for _, test := range healthCases[check.Name] {
		for _, one := range health(test.result(start.Add(test.at))) {
			if level := levelOf(check, one.Health.Impact.Level); !slices.Contains(all, level) {
				all = append(all, level)
			}
			if one.Health.StartedAt == nil {
				mark = " †"
			}
			reference, err := url.Parse(one.Health.Remediation.Reference)
			if err != nil || reference.Scheme != "https" || reference.Host == "" {
				t.Errorf("%s: reference %q is no page", check.Name, one.Health.Remediation.Reference)
			}
		}
	}
	return mark, strings.Join(all, "; ")
}

func levelOf(check assess.HealthCheck, level updatev1alpha1.HealthLevel) string {
	if _, failure := check.Thresholds(); failure > 0 && level == updatev1alpha1.LevelError {
		return fmt.Sprintf("%s from %s on", level, minutes(failure))
	}
	return string(level)
}

func minutes(duration time.Duration) string {
	if duration == time.Minute {
		return "1 minute"
	}
	return fmt.Sprintf("%d minutes", duration/time.Minute)
}
