package assess_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// health returns the health insights of a result.
func health(result assess.Result) []updatev1alpha1.Insight {
	var insights []updatev1alpha1.Insight
	for _, scoped := range result.Report.Insights {
		if scoped.Insight.Health != nil {
			insights = append(insights, scoped.Insight)
		}
	}
	return insights
}

func healthLine(one updatev1alpha1.Insight) string {
	since := "-"
	if one.Health.StartedAt != nil {
		since = one.Health.StartedAt.UTC().Format(time.TimeOnly)
	}
	var resources []string
	for _, resource := range one.Health.Scope.Resources {
		name := resource.Resource
		if resource.Group != "" {
			name += "." + resource.Group
		}
		resources = append(resources, name+"/"+resource.Name)
	}
	impact := one.Health.Impact
	return strings.Join([]string{string(impact.Level), string(impact.Type), since, impact.Summary, impact.Description, strings.Join(resources, " ")}, " | ")
}

// TestHealth runs every case through all checks: no other check may have an insight.
func TestHealth(t *testing.T) {
	for _, check := range checks.All() {
		cases := healthCases[check.Name]
		if len(cases) < 2 {
			t.Errorf("%s needs a case with an insight and one without", check.Name)
		}
		for _, test := range cases {
			t.Run(check.Name+"/"+test.name, func(t *testing.T) {
				var got []string
				for _, one := range health(test.result(start.Add(test.at))) {
					got = append(got, healthLine(one))
					if !strings.HasPrefix(one.UID, "health-"+check.Name+"-") {
						t.Errorf("uid %s", one.UID)
					}
				}
				if text := strings.Join(got, "\n"); text != test.want {
					t.Errorf("got  %s\nwant %s\n(Objects have only what their rows declare in Reads.)", text, test.want)
				}
			})
		}
	}
}

// TestHealthNextCheck follows NextCheck through the levels of conditions that last.
func TestHealthNextCheck(t *testing.T) {
	degraded := operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", ""), is(configv1.OperatorAvailable, configv1.ConditionFalse, "Down", ""))
	var got []string
	for now := changed; !now.IsZero(); {
		result := degraded(now)
		var levels []string
		for _, one := range health(result) {
			levels = append(levels, string(one.Health.Impact.Level))
		}
		got = append(got, fmt.Sprintf("%s %v", now.Sub(changed).Truncate(time.Second), levels))
		now = result.NextCheck
	}
	want := []string{"0s []", "5m0s [Warning Warning]", "20m0s [Error Warning]", "40m0s [Error Error]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
}

func TestHealthUIDsAreStable(t *testing.T) {
	uids := func(result func(time.Time) assess.Result, at time.Duration) []string {
		var all []string
		for _, one := range health(result(start.Add(at))) {
			all = append(all, one.UID)
		}
		return all
	}
	first := uids(operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "one")), time.Hour)
	later := uids(operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Worse", "two")), 3*time.Hour)
	if !slices.Equal(first, later) {
		t.Errorf("a change of the message changes the uid from %v to %v", first, later)
	}
	both := uids(operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "", ""), is(configv1.OperatorAvailable, configv1.ConditionFalse, "", "")), time.Hour)
	if len(both) != 2 || both[0] == both[1] {
		t.Errorf("two conditions of an operator: %v", both)
	}
}

func TestHealthTextsAreShortened(t *testing.T) {
	long := strings.Repeat("日本語 ", 100<<10)
	for name, result := range map[string]func(time.Time) assess.Result{
		"operator": operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, long, long)),
		"node":     nodeResult(nil, builders.DegradedBecause(long)),
		"version":  versionResult(failing(configv1.ConditionTrue, long, long), 1),
		"selector": poolResult(standalone.MachineConfigPoolInput{Pool: pool(), SelectorError: long}),
	} {
		for _, one := range health(result(start.Add(time.Hour))) {
			impact := one.Health.Impact
			if n := utf8.RuneCountInString(impact.Summary); n > updatev1alpha1.SummaryMaxLength {
				t.Errorf("%s: a summary of %d characters", name, n)
			}
			if n := utf8.RuneCountInString(impact.Description); n != updatev1alpha1.DescriptionMaxLength || !strings.HasSuffix(impact.Description, "…") {
				t.Errorf("%s: a description of %d characters", name, n)
			}
		}
	}
}

func TestResourcesAreBounded(t *testing.T) {
	for count, more := range map[int]string{15: "", 16: " (And 1 more resource.)", 40: " (And 25 more resources.)"} {
		var custom []string
		for at := range count {
			custom = append(custom, fmt.Sprintf("custom-%02d", at))
		}
		one := health(nodeResult(custom)(start))[0].Health
		if len(one.Scope.Resources) != updatev1alpha1.ScopeMaxResources || !strings.HasSuffix(one.Impact.Description, "custom pool matches."+more) {
			t.Errorf("%d custom pools: %d resources, %s", count, len(one.Scope.Resources), one.Impact.Description)
		}
	}
}

// TestHostedReferences: of checks that hosted clusters share with others, the pages are those about hosted clusters.
func TestHostedReferences(t *testing.T) {
	superseded := func(w *hostedWorld) {
		w.begins(w.hc.Status.Version, "4.22.5")
		w.begins(w.hc.Status.Version, versionB)
	}
	for name, test := range map[string]struct {
		result func(time.Time) assess.Result
		want   string
	}{
		"previous update": {hostedResult(superseded), "hosted_control_planes/hcp-updating.html"},
		"node":            {hostedNodeResult(func(w *hostedWorld) { w.ready("a", corev1.ConditionFalse) }), "hosted_control_planes/hcp-troubleshooting.html"},
	} {
		found := health(test.result(start.Add(time.Hour)))
		if len(found) != 1 || !strings.HasSuffix(found[0].Health.Remediation.Reference, test.want) {
			t.Errorf("%s: %+v, want %s", name, found, test.want)
		}
	}
}
