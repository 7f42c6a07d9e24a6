package assess

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// HealthCheck is what a row of the tables says of a health check, beside its function. A test fails if one of its exported members
// is missing.
type HealthCheck struct {
	// Name identifies the check. It must not change: it is part of the uids of insights.
	Name string
	// Subject is what its insights are about, and Texts are what they say, by case: NoCase if it has none.
	Subject Noun
	Texts   Texts
	// Impact is that of its insights, if the finding has no other.
	Impact updatev1alpha1.ImpactType
	// FailureImpact replaces Impact where its insights are Errors, empty if it does not.
	FailureImpact updatev1alpha1.ImpactType
	// Causality is the part that its insights have in pkg/updatestatus/causes.
	Causality Causality
	// IsWarningIfCaused is whether its insights are Warnings where another one causes them, whatever their age.
	IsWarningIfCaused bool
	// Reads is what it reads of its object that the assessment of the object does not read as well.
	Reads Reads
	// Appears is when it has an insight, and Response what to do then: cells of the table in docs/updatestatus/insights.md.
	Appears, Response string
	// Then is what happens once that is done: who tries again by itself, or what pushes it. It is told after the next steps.
	Then string
	// NextSteps are commands that help, at most three, in which words of placeholders are replaced. It is empty if there are none.
	NextSteps []updatev1alpha1.Command
	// HostedNextSteps replace NextSteps for an object of a hosted cluster, nil if they are the same.
	HostedNextSteps []updatev1alpha1.Command
	// Thresholds are how long the condition lasts before it is reported, zero if it is reported at once.
	Thresholds Thresholds
	// StartsWhenObserved is whether no object tells when the condition started: its insight starts when the controller first observed it,
	// so that it has lasted at least since then.
	StartsWhenObserved bool
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

// Check is a row of the table of a kind, and F what its objects are checked by: the object and the results of its assessment.
type Check[F any] struct {
	HealthCheck

	// Find returns nil if the condition does not apply.
	Find func(facts F) *Finding
}

// RowsOf returns the rows of the checks of a kind.
func RowsOf[F any](checks []Check[F]) []HealthCheck {
	rows := make([]HealthCheck, 0, len(checks))
	for _, one := range checks {
		rows = append(rows, one.HealthCheck)
	}
	return rows
}

// Finding is a condition that needs attention.
type Finding struct {
	// Since is when the condition started, zero if it is unknown. The thresholds of the check count from then, or from CountedSince.
	Since, CountedSince time.Time
	// Thresholds replace those of the check, unless they are nil.
	Thresholds *Thresholds
	// Level is one that does not depend on the thresholds, Impact one that is not the check's.
	Level  updatev1alpha1.HealthLevel
	Impact updatev1alpha1.ImpactType
	// Origin is Tenant for what anybody who may write objects in a namespace reports, empty for all else.
	Origin updatev1alpha1.HealthOrigin
	// Case is the one of the check's texts that applies, and Words are what its words in braces stand for.
	Case  string
	Words Words
	// Reported is what a component of the cluster reports, nil if none does.
	Reported  *updatev1alpha1.ComponentReport
	Reference string
	// Pods are those that may be why there is the condition, nil if they are those of the subject.
	Pods *Pods
	// NextSteps replace those of the check, unless they are nil.
	NextSteps []updatev1alpha1.Command
	// Blockers are the resources that bring the condition about, and Affected other ones that it is about besides the assessed one.
	Blockers, Affected []updatev1alpha1.ResourceRef
	// IsIncomplete is whether it can't be reported yet, whatever its age.
	IsIncomplete bool
	// NextCheck is when the finding changes without an event, and not because of its age; zero if it does not.
	NextCheck time.Time
}

// Subject is the assessed object.
type Subject struct {
	// Key identifies the object among those of its kind, if its name does not.
	Key      string
	Resource updatev1alpha1.ResourceRef
	Part     insight.Part
	// Scope is what the findings are about, if that is not the part.
	Scope updatev1alpha1.ScopeType
	// Reference replaces those of findings, unless it is empty.
	Reference string
	// Pods are its pods, nil if it has none or they say nothing.
	Pods *Pods
}

// CheckHealth runs the checks of a kind, and returns the insights and when they change without an event.
func CheckHealth[F any](checks []Check[F], facts F, of Subject, now time.Time) ([]insight.ScopedInsight, time.Time) {
	var insights []insight.ScopedInsight
	var next time.Time
	for _, one := range checks {
		found := one.Find(facts)
		if found == nil {
			continue
		}
		thresholds := one.Thresholds
		if found.Thresholds != nil {
			thresholds = *found.Thresholds
		}
		level, nextCheck := thresholds.LevelAt(Later(found.Since, found.CountedSince), now)
		next = Earliest(next, Earliest(nextCheck, found.NextCheck))
		if level != "" && !found.IsIncomplete {
			found.Level = cmp.Or(found.Level, level)
			if found.Level == updatev1alpha1.LevelError {
				found.Impact = cmp.Or(found.Impact, one.FailureImpact)
			}
			insights = append(insights, insight.ScopedInsight{Part: of.Part, Insight: found.insight(one.HealthCheck, of)})
		}
	}
	return insights, next
}

func (f *Finding) insight(check HealthCheck, of Subject) updatev1alpha1.Insight {
	pods := cmp.Or(f.Pods, of.Pods)
	resources, more := f.resources(of, pods.blocker())
	reported := bounded(f.Reported)
	text, words := check.Texts[f.Case], f.Words.with(of.Resource.Name, f.Reported)
	summary := text.quoted(words.in(text.summary(check.Subject)), cmp.Or(f.Reported, &updatev1alpha1.ComponentReport{}).Message)
	health := &updatev1alpha1.HealthInsight{
		Reason:    ReasonOf(check.Name),
		Case:      f.Case,
		Origin:    f.Origin,
		Reported:  reported,
		Pod:       pods.worst(),
		StartedAt: OptionalTime(f.Since),
		Scope:     updatev1alpha1.HealthScope{Type: cmp.Or(of.Scope, of.Part.ScopeType()), Resources: resources},
		Impact: updatev1alpha1.HealthImpact{
			Level:       f.Level,
			Type:        cmp.Or(f.Impact, check.Impact),
			Summary:     withPod(insight.OneLine(summary), pods.worst()),
			Description: insight.Shorten(words.in(text.Description)+describePod(pods.worst()), updatev1alpha1.DescriptionMaxLength-len(more)) + more,
		},
		Remediation: updatev1alpha1.HealthRemediation{
			Reference: cmp.Or(of.Reference, f.Reference), Commands: commandsFor(resources, pods.nextSteps(f.nextSteps(check, of))),
		},
	}
	return updatev1alpha1.Insight{
		UID:    insight.UID("health", check.Name+"/"+cmp.Or(of.Key, of.Resource.Name)),
		Type:   updatev1alpha1.InsightHealth,
		Health: health,
	}
}

// resources returns as many resources as a scope may have, and a sentence with the number of the others.
func (f *Finding) resources(of Subject, pods []updatev1alpha1.ResourceRef) (kept []updatev1alpha1.HealthResource, more string) {
	all := []updatev1alpha1.HealthResource{{ResourceRef: of.Resource, Role: updatev1alpha1.RoleSubject}}
	for _, blocker := range slices.Concat(pods, f.Blockers) {
		all = append(all, updatev1alpha1.HealthResource{ResourceRef: blocker, Role: updatev1alpha1.RoleBlocker})
	}
	for _, affected := range f.Affected {
		all = append(all, updatev1alpha1.HealthResource{ResourceRef: affected, Role: updatev1alpha1.RoleAffected})
	}
	left := len(all) - updatev1alpha1.ScopeMaxResources
	if left <= 0 {
		return all, ""
	}
	return all[:updatev1alpha1.ScopeMaxResources], fmt.Sprintf(" (And %s.)", insight.Count(left, "more resource"))
}

// bounded returns a report whose texts fit the API, nil if there is nothing in it.
func bounded(reported *updatev1alpha1.ComponentReport) *updatev1alpha1.ComponentReport {
	if reported == nil || reported.Reason == "" && reported.Message == "" {
		return nil
	}
	return &updatev1alpha1.ComponentReport{
		Component: insight.Shorten(reported.Component, updatev1alpha1.NameMaxLength),
		Reason:    insight.Shorten(insight.OneLine(reported.Reason), updatev1alpha1.ReportedMaxLength),
		Message:   insight.Shorten(reported.Message, updatev1alpha1.ReportedMaxLength),
	}
}

// nextSteps returns the commands of a finding, or else of its check.
func (f *Finding) nextSteps(check HealthCheck, of Subject) []updatev1alpha1.Command {
	switch {
	case of.Resource.Cluster == updatev1alpha1.ClusterHosted && check.HostedNextSteps != nil:
		return check.HostedNextSteps
	case f.NextSteps != nil:
		return f.NextSteps
	default:
		return check.NextSteps
	}
}

// ReasonOf returns the reason of the insights of a check: its name in CamelCase.
func ReasonOf(check string) string {
	var reason strings.Builder
	for word := range strings.SplitSeq(check, "-") {
		reason.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return reason.String()
}

// Thresholds are how long a condition lasts before it is reported as a warning, and as an error.
type Thresholds struct {
	// Warning is the duration that must be exceeded: a condition that is exactly as old is not reported yet.
	Warning time.Duration
	// Failure is the duration from which on it is an error, zero if never.
	Failure time.Duration
}

// LevelAt returns the level of a condition that started at a time, and when the level changes without an event. A condition whose
// start is unknown is a warning, and so is one that is reported at once.
func (t Thresholds) LevelAt(since, now time.Time) (updatev1alpha1.HealthLevel, time.Time) {
	warning, failure := since.Add(t.Warning), since.Add(t.Failure)
	switch {
	case t.Warning > 0 && !now.After(warning):
		return "", warning.Add(Tick)
	case t.Failure == 0, since.IsZero():
		return updatev1alpha1.LevelWarning, time.Time{}
	case now.Before(failure):
		return updatev1alpha1.LevelWarning, failure
	default:
		return updatev1alpha1.LevelError, time.Time{}
	}
}

// Reads is what is read of an object besides its other fields: the types of its conditions, and its annotations.
type Reads struct {
	Conditions  []string
	Annotations []string
}

// ReadsOf returns what assessments of a kind read: what its health checks declare, and what is read beside. Trimming keeps both.
func ReadsOf[F any](checks []Check[F], all Reads) Reads {
	for _, one := range checks {
		all.Conditions = append(all.Conditions, one.Reads.Conditions...)
		all.Annotations = append(all.Annotations, one.Reads.Annotations...)
	}
	return all
}

// Pick returns the annotations that are read.
func (r Reads) Pick(annotations map[string]string) map[string]string {
	picked := make(map[string]string, len(r.Annotations))
	for _, key := range r.Annotations {
		if value, found := annotations[key]; found {
			picked[key] = value
		}
	}
	return picked
}

// TrimMeta returns what every assessment reads of an object's metadata.
func TrimMeta(full metav1.ObjectMeta) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: full.Name, Namespace: full.Namespace, UID: full.UID, ResourceVersion: full.ResourceVersion}
}
