package checks

import (
	"slices"
	"strings"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/assess/informers"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
)

var all = slices.Concat(standalone.HealthChecks(), informers.HealthChecks(), hosted.HealthChecks())

// All returns all health checks, in the order in which docs/insights.md lists them.
func All() []assess.HealthCheck {
	return slices.Clone(all)
}

// NameOf returns the name of the health check of an insight by its uid, "" if it is none that is known.
func NameOf(uid string) string {
	return checkOf(uid).Name
}

// IsReason returns whether a reason is that of the insights of a check.
func IsReason(reason string) bool {
	return slices.ContainsFunc(all, func(check assess.HealthCheck) bool { return assess.ReasonOf(check.Name) == reason })
}

// StartsWhenObserved returns whether a health insight starts when the controller first observed it, since no object tells when its
// condition started: it has lasted at least since then. The start of an insight of an unknown check is that of its condition.
func StartsWhenObserved(uid string) bool {
	return checkOf(uid).StartsWhenObserved
}

// checkOf returns the health check of an insight, empty if it is not known.
func checkOf(uid string) assess.HealthCheck {
	var found assess.HealthCheck
	for _, check := range all {
		if strings.HasPrefix(uid, "health-"+check.Name+"-") && len(check.Name) > len(found.Name) {
			found = check
		}
	}
	return found
}
