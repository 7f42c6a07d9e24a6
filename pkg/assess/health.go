package assess

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// HealthCheck is what a row of the tables says of a health check, beside its function. A test fails if one of its exported members
// is missing.
type HealthCheck struct {
	// Name identifies the check. It must not change: it is part of the uids of insights.
	Name string
	// Impact is that of its insights, if the finding has no other.
	Impact updatev1alpha1.ImpactType
	// Causality is the part that its insights have in pkg/causes.
	Causality Causality
	// Reads is what it reads of its object that the assessment of the object does not read as well.
	Reads Reads
	// Appears is when it has an insight, and Response what to do then: cells of the table in docs/insights.md.
	Appears, Response string
	// NextSteps are commands that help, at most three, in which words of placeholders are replaced. It is empty if there are none.
	NextSteps []string
	// HostedNextSteps replace NextSteps for an object of a hosted cluster, nil if they are the same.
	HostedNextSteps []string
	// thresholds are how long the condition lasts before it is reported, zero if it is reported at once.
	thresholds thresholds
}

// Causality is whether an insight may cause another one, or be caused by one.
type Causality int

// The values of Causality. A row without one fails its test.
const (
	NeitherCauseNorEffect Causality = iota + 1
	Cause
	Effect
	CauseAndEffect
)

// check is a row of the table of a kind, and F what its objects are checked by: the object and the results of its assessment.
type check[F any] struct {
	// find returns nil if the condition does not apply.
	find func(facts F) *finding
	row  HealthCheck
}

// healthChecks are all health checks, in the order in which docs/insights.md lists them.
var healthChecks = slices.Concat(
	rowsOf(versionChecks), rowsOf(operatorChecks), rowsOf(nodeChecks), rowsOf(poolChecks), rowsOf(aheadChecks), rowsOf(alertChecks),
	rowsOf(hostedChecks), rowsOf(componentChecks), rowsOf(nodePoolChecks), rowsOf(hostedNodeChecks), rowsOf(machineChecks),
)

func rowsOf[F any](checks []check[F]) []HealthCheck {
	rows := make([]HealthCheck, 0, len(checks))
	for _, one := range checks {
		rows = append(rows, one.row)
	}
	return rows
}

// HealthChecks returns the rows of all health checks.
func HealthChecks() []HealthCheck {
	return slices.Clone(healthChecks)
}

// finding is a condition that needs attention.
type finding struct {
	// since is when the condition started, zero if it is unknown. The thresholds of the check count from then, or from countedSince.
	since, countedSince time.Time
	// level is one that does not depend on the thresholds, impact one that is not the check's.
	level       updatev1alpha1.HealthLevel
	impact      updatev1alpha1.ImpactType
	summary     string
	description string
	reference   string
	// relatedResources are the affected resources besides the assessed one.
	relatedResources []updatev1alpha1.ResourceRef
	// isIncomplete is whether it can't be reported yet, whatever its age.
	isIncomplete bool
	// nextCheck is when the finding changes without an event, and not because of its age; zero if it does not.
	nextCheck time.Time
}

// subject is the assessed object.
type subject struct {
	// key identifies the object among those of its kind, if its name does not.
	key      string
	resource updatev1alpha1.ResourceRef
	part     insight.Part
}

// checkHealth runs the checks of a kind, and returns the insights and when they change without an event.
func checkHealth[F any](checks []check[F], facts F, of subject, now time.Time) ([]insight.ScopedInsight, time.Time) {
	var insights []insight.ScopedInsight
	var next time.Time
	for _, one := range checks {
		found := one.find(facts)
		if found == nil {
			continue
		}
		level, nextCheck := one.row.thresholds.levelAt(later(found.since, found.countedSince), now)
		next = earliest(next, earliest(nextCheck, found.nextCheck))
		if level != "" && !found.isIncomplete {
			found.level = cmp.Or(found.level, level)
			insights = append(insights, insight.ScopedInsight{Part: of.part, Insight: found.insight(one.row, of)})
		}
	}
	return insights, next
}

func (f *finding) insight(check HealthCheck, of subject) updatev1alpha1.Insight {
	resources, more := boundResources(append([]updatev1alpha1.ResourceRef{of.resource}, f.relatedResources...))
	reference := f.reference
	if of.resource.Resource == "nodes" && of.resource.Cluster == updatev1alpha1.ClusterHosted {
		reference = docsHostedTroubleshooting // those of nodes are about the Machine Config Operator
	}
	health := &updatev1alpha1.HealthInsight{
		StartedAt: optionalTime(f.since),
		Scope:     updatev1alpha1.HealthScope{Type: of.part.ScopeType(), Resources: resources},
		Impact: updatev1alpha1.HealthImpact{
			Level:       f.level,
			Type:        cmp.Or(f.impact, check.Impact),
			Summary:     insight.Shorten(insight.OneLine(f.summary), updatev1alpha1.SummaryMaxLength),
			Description: insight.Shorten(f.description, updatev1alpha1.DescriptionMaxLength-len(more)) + more,
		},
		Remediation: updatev1alpha1.HealthRemediation{Reference: reference},
	}
	return updatev1alpha1.Insight{
		UID:    insight.UID("health", check.Name+"/"+cmp.Or(of.key, of.resource.Name)),
		Type:   updatev1alpha1.InsightHealth,
		Health: health,
	}
}

// boundResources returns as many resources as a scope may have, and a sentence with the number of the others.
func boundResources(resources []updatev1alpha1.ResourceRef) (bounded []updatev1alpha1.ResourceRef, more string) {
	if len(resources) <= updatev1alpha1.ScopeMaxResources {
		return resources, ""
	}
	return resources[:updatev1alpha1.ScopeMaxResources],
		fmt.Sprintf(" (And %s.)", insight.Count(len(resources)-updatev1alpha1.ScopeMaxResources, "more resource"))
}

// thresholds are how long a condition lasts before it is reported as a warning, and as an error.
type thresholds struct {
	// warning is the duration that must be exceeded: a condition that is exactly as old is not reported yet.
	warning time.Duration
	// failure is the duration from which on it is an error, zero if never.
	failure time.Duration
}

// levelAt returns the level of a condition that started at a time, and when the level changes without an event. A condition whose
// start is unknown is a warning, and so is one that is reported at once.
func (p thresholds) levelAt(since, now time.Time) (updatev1alpha1.HealthLevel, time.Time) {
	warning, failure := since.Add(p.warning), since.Add(p.failure)
	switch {
	case p.warning == 0:
		return updatev1alpha1.LevelWarning, time.Time{}
	case !now.After(warning):
		return "", warning.Add(tick)
	case p.failure == 0, since.IsZero():
		return updatev1alpha1.LevelWarning, time.Time{}
	case now.Before(failure):
		return updatev1alpha1.LevelWarning, failure
	default:
		return updatev1alpha1.LevelError, time.Time{}
	}
}

// earliest returns the earlier of two times. The zero time is ignored.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// noMessage replaces an empty message in descriptions.
const noMessage = "<no message>"

// because returns a reason in parentheses, as the end of a summary.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", reason)
}
