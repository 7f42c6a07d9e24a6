package checks

import (
	"slices"
	"strings"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/informers"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
)

var all = slices.Concat(standalone.HealthChecks(), informers.HealthChecks(), hosted.HealthChecks())

// All returns all health checks, in the order in which docs/updatestatus/insights.md lists them.
func All() []assess.HealthCheck {
	return slices.Clone(all)
}

// IsReason returns whether a reason is that of the insights of a check.
func IsReason(reason string) bool {
	return slices.ContainsFunc(all, func(check assess.HealthCheck) bool { return assess.ReasonOf(check.Name) == reason })
}

// Of returns the health check of an insight by its uid, empty if it is none that is known.
func Of(uid string) assess.HealthCheck {
	var found assess.HealthCheck
	for _, check := range all {
		if strings.HasPrefix(uid, "health-"+check.Name+"-") && len(check.Name) > len(found.Name) {
			found = check
		}
	}
	return found
}
