package healthcases

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

var rewrite = flag.Bool("update", false, "write the health checks to the page")

const (
	page      = "docs/updatestatus/insights.md"
	pageBegin = "<!-- begin checks: hack/updatestatus/update-insights.sh -->\n"
	pageEnd   = "<!-- end checks -->\n"
)

// ComparePage compares the lines of some checks in docs/updatestatus/insights.md with their rows and the results of their cases, or writes them with
// -update. The lines of other checks stay as they are, in the order of all checks.
func (c Cases) ComparePage(t *testing.T, own []assess.HealthCheck, start time.Time) {
	t.Helper()
	path := filepath.Join(repository.RootOf(t), page)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, hasBegin := strings.Cut(string(content), pageBegin)
	written, after, hasEnd := strings.Cut(rest, pageEnd)
	if !hasBegin || !hasEnd {
		t.Fatalf("%s has no place for the health checks", page)
	}
	lines := linesOf(written)
	for _, check := range own {
		mark, levels := c.observed(t, check, start)
		lines[check.Name] = fmt.Sprintf("| %s%s | %s | %s | %s | %s |\n", check.Name, mark, check.Appears, levels, insight.Words(check.Impact), check.Response+" "+check.Then)
	}
	want := "| check | appears | level | impact | what to do |\n|---|---|---|---|---|\n"
	for _, check := range checks.All() {
		want += lines[check.Name]
	}
	if *rewrite {
		if err := os.WriteFile(path, []byte(before+pageBegin+want+pageEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, written); diff != "" {
		t.Errorf("%s, write it with hack/updatestatus/update-insights.sh (-want +got):\n%s", page, diff)
	}
}

// linesOf returns the lines of a table by the first word of their first cell.
func linesOf(written string) map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(written) {
		if words := strings.Fields(line); len(words) > 1 {
			lines[words[1]] = line
		}
	}
	return lines
}

// observed returns a mark if insights of a check start when they are first observed, as each does for which a case has no start; and the
// levels that its cases have.
func (c Cases) observed(t *testing.T, check assess.HealthCheck, start time.Time) (mark, levels string) {
	t.Helper()
	if check.StartsWhenObserved {
		mark = " †"
	}
	var all []string
	for _, test := range c[check.Name] {
		for _, one := range Health(test.Result(start.Add(test.At))) {
			if level := levelOf(check, one.Health.Impact.Level); !slices.Contains(all, level) {
				all = append(all, level)
			}
			if one.Health.StartedAt == nil && !check.StartsWhenObserved && one.Health.Origin == "" {
				t.Errorf("%s has an insight without a start, and its row does not say StartsWhenObserved", check.Name)
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
	if check.Thresholds.Failure > 0 && level == updatev1alpha1.LevelError {
		return fmt.Sprintf("%s from %s on", level, Minutes(check.Thresholds.Failure))
	}
	return string(level)
}

// Minutes returns a duration as the page has it.
func Minutes(duration time.Duration) string {
	if duration == time.Minute {
		return "1 minute"
	}
	return fmt.Sprintf("%d minutes", duration/time.Minute)
}
