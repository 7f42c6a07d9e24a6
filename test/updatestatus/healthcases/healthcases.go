package healthcases

import (
	"slices"
	"strings"
	"testing"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Case is a case of a health check.
type Case struct {
	Name string
	// Result assesses the object.
	Result func(now time.Time) assess.Result
	// At is how long after the start it is assessed.
	At time.Duration
	// Want is the expected health insight as "LEVEL | IMPACT | since | summary | description | resources", empty for none.
	Want string
}

// Cases are the cases of health checks, by their names.
type Cases map[string][]Case

// Run runs every case through all checks of its object: no other check may have an insight.
func (c Cases) Run(t *testing.T, checks []assess.HealthCheck, start time.Time) {
	t.Helper()
	for _, check := range checks {
		cases := c[check.Name]
		if len(cases) < 2 {
			t.Errorf("%s needs a case with an insight and one without", check.Name)
		}
		for _, test := range cases {
			t.Run(check.Name+"/"+test.Name, func(t *testing.T) {
				var got []string
				for _, one := range Health(test.Result(start.Add(test.At))) {
					got = append(got, line(one))
					needsNobody := strings.HasPrefix(check.Response, "No action required")
					if isInfo := one.Health.Impact.Level == updatev1alpha1.LevelInfo; needsNobody && !isInfo {
						t.Errorf("the row says %q, and the level is %s", check.Response, one.Health.Impact.Level)
					}
					if !strings.HasPrefix(one.UID, "health-"+check.Name+"-") {
						t.Errorf("uid %s", one.UID)
					}
				}
				if text := strings.Join(got, "\n"); text != test.Want {
					t.Errorf("got  %s\nwant %s\n(Objects have only what their rows declare in Reads.)", text, test.Want)
				}
			})
		}
	}
}

// Own returns the checks without those of other packages.
func Own(checks []assess.HealthCheck, others ...[]assess.HealthCheck) []assess.HealthCheck {
	isOther := func(check assess.HealthCheck) bool {
		return slices.ContainsFunc(slices.Concat(others...), func(other assess.HealthCheck) bool { return other.Name == check.Name })
	}
	return slices.DeleteFunc(checks, isOther)
}

// Health returns the health insights of a result.
func Health(result assess.Result) []updatev1alpha1.Insight {
	var insights []updatev1alpha1.Insight
	for _, scoped := range result.Report.Insights {
		if scoped.Insight.Health != nil {
			insights = append(insights, scoped.Insight)
		}
	}
	return insights
}

func line(one updatev1alpha1.Insight) string {
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
	return strings.Join([]string{string(impact.Level), insight.Words(impact.Type), since, impact.Summary, impact.Description, strings.Join(resources, " ")}, " | ")
}
