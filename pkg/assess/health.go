package assess

import (
	"cmp"
	"fmt"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// HealthCheck is an entry of the table of health checks.
type HealthCheck struct {
	// Name identifies the check for ever: the uids of its insights are made of it.
	Name string
	// Kind is the kind of the object that the check is about.
	Kind string
	// check returns nil if the condition does not hold. It is asked about objects of its kind only.
	check func(healthFacts) *finding
}

// healthChecks are all health checks, in the order in which docs/insights.md lists them. A check is one entry here, one
// function, one row there and one case in its test.
var healthChecks = []HealthCheck{
	{"cluster-version-failing-unknown", kindClusterVersion, failingUnknown},
	{"cluster-version-failing", kindClusterVersion, failing},
	{"previous-update-incomplete", kindClusterVersion, previousIncomplete},
	{"cluster-operator-unavailable", kindClusterOperator, operatorUnavailable},
	{"cluster-operator-degraded", kindClusterOperator, operatorDegraded},
	{"node-not-ready", kindNode, nodeNotReady},
	{"node-disk-pressure", kindNode, nodeDiskPressure},
	{"node-network-unavailable", kindNode, nodeNetworkUnavailable},
	{"node-degraded", kindNode, degradedNode},
	{"node-drain-blocked", kindNode, nodeDrainBlocked},
	{"node-in-several-pools", kindNode, nodeInSeveralPools},
	{"pool-paused", kindMachineConfigPool, poolPaused},
	{"pool-selector-unparsable", kindMachineConfigPool, poolSelectorUnparsable},
	{"alert-firing", kindAlert, alertFires},
}

// HealthChecks returns the table of health checks.
func HealthChecks() []HealthCheck {
	return append([]HealthCheck(nil), healthChecks...)
}

// healthFacts are what health checks judge: the object that an assessment is about, and what that has found out. Only
// the members of one kind are set.
type healthFacts struct {
	now time.Time

	// clusterVersion is set with operators.
	clusterVersion *configv1.ClusterVersion
	operators      operators

	clusterOperator *configv1.ClusterOperator

	// node is set with nodeState and custom, the custom pools that match it.
	node      *nodeFacts
	nodeState insight.NodeState
	custom    []string

	// pool is set with poolCounts and selectorError.
	pool          *machineconfigv1.MachineConfigPool
	poolCounts    NodeCounts
	selectorError string

	// alert is set with started, when the update started.
	alert   *Alert
	started time.Time
}

// finding is a condition that needs attention.
type finding struct {
	// since is when it began, zero if the object does not tell.
	since       time.Time
	level       updatev1alpha1.HealthLevel
	impact      updatev1alpha1.ImpactType
	summary     string
	description string
	reference   string
	// others are the resources involved besides the one that the assessment is about.
	others []updatev1alpha1.ResourceRef
	// nextCheck is when the finding changes by the clock alone, zero if it does not. A finding without a level has not
	// lasted long enough yet.
	nextCheck time.Time
}

// subject is what the findings of an assessment are about.
type subject struct {
	kind string
	// key tells it from all others of the kind, if its name does not.
	key      string
	resource updatev1alpha1.ResourceRef
	part     insight.Part
}

// checkHealth runs every check of the table, and returns the insights and when they change by the clock alone.
func checkHealth(facts healthFacts, about subject) ([]insight.ScopedInsight, time.Time) {
	var placed []insight.ScopedInsight
	var next time.Time
	for _, check := range healthChecks {
		if check.Kind != about.kind {
			continue
		}
		found := check.check(facts)
		if found == nil {
			continue
		}
		next = earliest(next, found.nextCheck)
		if found.level != "" {
			placed = append(placed, insight.ScopedInsight{Part: about.part, Insight: found.insight(check.Name, about)})
		}
	}
	return placed, next
}

func (f *finding) insight(check string, about subject) updatev1alpha1.Insight {
	resources, more := boundResources(append([]updatev1alpha1.ResourceRef{about.resource}, f.others...))
	health := &updatev1alpha1.HealthInsight{
		StartedAt: optionalTime(f.since),
		Scope:     updatev1alpha1.HealthScope{Type: about.part.ScopeType(), Resources: resources},
		Impact: updatev1alpha1.HealthImpact{
			Level:       f.level,
			Type:        f.impact,
			Summary:     insight.Shorten(insight.OneLine(f.summary), updatev1alpha1.SummaryMaxLength),
			Description: insight.Shorten(f.description, updatev1alpha1.DescriptionMaxLength-len(more)) + more,
		},
		Remediation: updatev1alpha1.HealthRemediation{Reference: f.reference},
	}
	return updatev1alpha1.Insight{
		UID:    healthUID(check, cmp.Or(about.key, about.resource.Name)),
		Type:   updatev1alpha1.InsightHealth,
		Health: health,
	}
}

// healthUID is the uid of what a check finds about an object. A slash is in no name: a check and an object never look like
// another check and another object.
func healthUID(check, key string) string {
	return insight.UID("health", check+"/"+key)
}

// boundResources returns as many resources as a scope may have, and a sentence that counts the others.
func boundResources(resources []updatev1alpha1.ResourceRef) (bounded []updatev1alpha1.ResourceRef, more string) {
	if len(resources) <= updatev1alpha1.ScopeMaxResources {
		return resources, ""
	}
	return resources[:updatev1alpha1.ScopeMaxResources],
		fmt.Sprintf(" (And %s.)", insight.Count(len(resources)-updatev1alpha1.ScopeMaxResources, "more resource"))
}

// patience is how long a condition lasts before it counts, and before it counts as an error.
type patience struct {
	// warning is how long it must have lasted and passed: a condition that is exactly as old does not count yet.
	warning time.Duration
	// failure is from when on it is an error, zero if never.
	failure time.Duration
}

// judge returns the level of a condition that began at a time, and when the level changes by the clock alone.
func (p patience) judge(since, now time.Time) (updatev1alpha1.HealthLevel, time.Time) {
	warning, failure := since.Add(p.warning), since.Add(p.failure)
	switch {
	case !now.After(warning):
		return "", warning.Add(tick)
	case p.failure == 0:
		return updatev1alpha1.LevelWarning, time.Time{}
	case now.Before(failure):
		return updatev1alpha1.LevelWarning, failure
	default:
		return updatev1alpha1.LevelError, time.Time{}
	}
}

func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// because is a reason in parentheses, as summaries end with.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", reason)
}

func orNoMessage(message string) string {
	if message == "" {
		return "<no message>"
	}
	return message
}
