package hosted_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

func TestHealth(t *testing.T) {
	healthCases.Run(t, hosted.HealthChecks(), start)
}

func TestInsightsPage(t *testing.T) {
	healthCases.ComparePage(t, hosted.HealthChecks(), start)
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
		"previous update": {hostedResult(superseded), "hosted_control_planes/hcp-updating"},
		"node":            {hostedNodeResult(func(w *hostedWorld) { w.ready("a", corev1.ConditionFalse) }), "hosted_control_planes/hcp-troubleshooting"},
	} {
		found := healthcases.Health(test.result(start.Add(time.Hour)))
		if len(found) != 1 || !strings.HasSuffix(found[0].Health.Remediation.Reference, test.want) {
			t.Errorf("%s: %+v, want %s", name, found, test.want)
		}
	}
}

// TestNoAction: an insight that needs nobody is Info.
func TestNoAction(t *testing.T) {
	for _, check := range hosted.HealthChecks() {
		for _, test := range healthCases[check.Name] {
			if strings.HasPrefix(check.Response, "No action required") && test.Want != "" && !strings.HasPrefix(test.Want, "Info | None | ") {
				t.Errorf("%s, %s: %s", check.Name, test.Name, test.Want)
			}
		}
	}
}
