package standalone_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

// ownChecks are those of this package.
func ownChecks() []assess.HealthCheck {
	return healthcases.Own(standalone.HealthChecks(), assess.RowsOf(controlplane.OperatorChecks), assess.RowsOf(controlplane.UpdateChecks), assess.RowsOf(controlplane.SlowChecks), assess.RowsOf(controlplane.StandstillChecks), assess.RowsOf(nodestate.Checks), assess.RowsOf(nodestate.LateChecks), assess.HealthChecks())
}

func TestHealth(t *testing.T) {
	healthCases.Run(t, ownChecks(), start)
}

func TestInsightsPage(t *testing.T) {
	healthCases.ComparePage(t, ownChecks(), start)
}

func TestHealthTextsAreShortened(t *testing.T) {
	long := strings.Repeat("日本語 ", 10<<10)
	for name, result := range map[string]func(time.Time) assess.Result{
		"node":     nodeResult(nil, builders.DegradedBecause(long)),
		"version":  versionResult(failing(configv1.ConditionTrue, long, long), 1),
		"selector": poolResult(standalone.MachineConfigPoolInput{Pool: pool(), SelectorError: long}),
	} {
		for _, one := range healthcases.Health(result(start.Add(time.Hour))) {
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
		one := healthcases.Health(nodeResult(custom)(start))[0].Health
		if len(one.Scope.Resources) != updatev1alpha1.ScopeMaxResources || !strings.HasSuffix(one.Impact.Description, "custom pool matches."+more) {
			t.Errorf("%d custom pools: %d resources, %s", count, len(one.Scope.Resources), one.Impact.Description)
		}
	}
}
