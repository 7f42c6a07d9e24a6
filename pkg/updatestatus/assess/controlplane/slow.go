package controlplane

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// The cases of an operator that is slow.
const (
	caseSlow   = "Slow"
	caseSlower = "SlowerThanBefore"
)

// Slow is what is known of an operator that an update waits for.
type Slow struct {
	Operator *updatev1alpha1.ClusterOperatorInsight
	// Since is since when the update waits for it, zero if that is unknown; Started is when the update did.
	Since, Started time.Time
	// Took is what it took in earlier updates, the newest first.
	Took []time.Duration
	// NodesMoved is, for machine-config, when a node was last observed to get on with its update, and NodesPatience how long nodes may take until
	// the next one does.
	NodesMoved    time.Time
	NodesPatience time.Duration
}

// SlowChecks are those of an operator that an update waits for, which are run where the records of earlier updates are known.
var SlowChecks = []assess.Check[Slow]{
	{Find: slow, HealthCheck: assess.HealthCheck{
		Name: "operator-slow", Then: assess.ThenOperator, Subject: assess.OperatorNoun,
		Texts: assess.Texts{
			caseSlow:   {One: "is taking longer to update than usual", Many: "are taking longer to update than usual", Description: assess.Message},
			caseSlower: {One: "is taking longer to update than before ({usual})", Many: "are taking longer to update than before", Description: assess.Message},
		},
		Impact: updatev1alpha1.ImpactUpdateSpeed, FailureImpact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.CauseAndEffect,
		StartsWhenObserved: true,
		Appears: "an operator below the release of the update progresses, or the Cluster Version Operator waits for it, for more than three times " +
			"what it took in the last updates (at least two in the records), and at least 15 minutes; without records for more than 30 minutes. " +
			"Error from six times, at least two hours. machine-config: more than 90 minutes without records, and no node has got on with its " +
			"update for 45 minutes or twice what nodes of its pool usually take",
		Response:  "See what the operator waits for: its message, and the pods of its namespaces.",
		NextSteps: assess.ReadOnly("oc describe clusteroperator OPERATOR", "oc adm inspect clusteroperator/OPERATOR"),
	}},
}

// How long an operator may take. The Cluster Version Operator itself reports operators after 30 minutes, and machine-config after 90
// (openshift/cluster-version-operator, pkg/cvo/status.go, convertErrorToProgressingForUpdateEffectNone), counted from the start of its process.
const (
	// UsualPatience is that for an operator of which there are no records.
	UsualPatience         = 30 * time.Minute
	machineConfigPatience = 90 * time.Minute
	leastPatience         = 15 * time.Minute
	// NodesPatience is how long nodes may take at least until one gets on with its update: bare metal reboots for 25 minutes, and a node that takes longer than
	// this has a health insight of its own (package nodestate).
	NodesPatience = 45 * time.Minute
	longWait      = 2 * time.Hour
	// recordsNeeded is how many records tell what an operator usually takes, and comparedWith with how many it is compared.
	recordsNeeded, comparedWith = 2, 3
)

// slow returns that an update waits for an operator for longer than usual. Of objects of a moment it may not be known since when: then
// the update itself has taken as long.
func slow(operator Slow) *assess.Finding {
	message := ""
	if updating := meta.FindStatusCondition(operator.Operator.Conditions, updatev1alpha1.ConditionUpdating); updating != nil {
		message = updating.Message
	}
	found := &assess.Finding{
		Since: operator.Since, Case: caseSlow, Thresholds: &assess.Thresholds{Warning: operator.patience(), Failure: longWait},
		Reported:  &updatev1alpha1.ComponentReport{Component: operator.Operator.Name, Reason: operator.Operator.Reason, Message: message},
		Reference: reference.Updating,
	}
	if operator.Since.IsZero() {
		found.CountedSince = operator.Started
	}
	if took := operator.compared(); took != nil {
		shortest, longest := slices.Min(took), slices.Max(took)
		found.Thresholds.Failure = max(longWait, 6*longest)
		found.Case = caseSlower
		found.Words = assess.Words{"usual": fmt.Sprintf("%s in the last %d updates", minutesBetween(shortest, longest), len(took))}
	}
	if !operator.NodesMoved.IsZero() {
		found.CountedSince = assess.Later(found.CountedSince, operator.NodesMoved.Add(operator.NodesPatience-found.Thresholds.Warning))
	}
	return found
}

// WaitedSince returns whether an update waits for an operator, and since when, as far as that is known: since it progresses, or since the
// Cluster Version Operator names it. A condition may be older than the update.
func WaitedSince(version *updatev1alpha1.ClusterVersionInsight, operator *updatev1alpha1.ClusterOperatorInsight) (since time.Time, isWaited bool) {
	state := insight.OperatorStateOf(operator)
	if state.Progress == insight.OperatorUpdated {
		return time.Time{}, false
	}
	for _, waited := range version.WaitingOn {
		if waited.Name == operator.Name {
			since, isWaited = assess.TimeOf(waited.Since), true
		}
	}
	if state.Progress == insight.OperatorUpdating {
		since, isWaited = assess.Earliest(since, assess.Later(state.Since.Time, assess.TimeOf(version.StartedAt))), true
	}
	return since, isWaited
}

// compared returns what the operator took in the last updates, nil if there are too few.
func (s Slow) compared() []time.Duration {
	if len(s.Took) < recordsNeeded {
		return nil
	}
	return s.Took[:min(len(s.Took), comparedWith)]
}

// patience returns how long the update may wait for the operator.
func (s Slow) patience() time.Duration {
	if took := s.compared(); took != nil {
		return max(leastPatience, 3*slices.Max(took))
	}
	if s.Operator.Name == MachineConfigOperator {
		return machineConfigPatience
	}
	return UsualPatience
}

// minutesBetween writes a range of durations in minutes.
func minutesBetween(shortest, longest time.Duration) string {
	from, to := insight.Duration(shortest.Round(time.Minute)), insight.Duration(longest.Round(time.Minute))
	if from == to {
		return from
	}
	return from + " to " + to
}

// Standstill is what is known of a control plane that makes no progress, for which nothing else is the reason.
type Standstill struct {
	Version *updatev1alpha1.ClusterVersionInsight
	// Operators is how many there are, and Updated how many are updated.
	Operators, Updated int
	// LongestStep is the longest time that an operator took in the records.
	LongestStep time.Duration
}

// StandstillChecks are those of a control plane for whose standstill nothing else is the reason.
var StandstillChecks = []assess.Check[Standstill]{
	{Find: standstill, HealthCheck: assess.HealthCheck{
		Name: "control-plane-no-progress", Then: assess.ThenVersionOperator,
		Texts: assess.Texts{assess.NoCase: {
			Sentence: "The control plane makes no progress, and nothing says why",
			Description: "No manifest was applied for the first time, no operator reached the release, and no condition of an operator changed. " +
				"{updated} of {operators} cluster operators are updated{manifests}.",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, StartsWhenObserved: true,
		Appears: "no operator has reached the release, no further manifest was applied and no condition of an operator changed for 30 minutes, or " +
			"twice the longest that an operator took in the records, and nothing else explains it; Error from 2 hours on. In files, where the " +
			"assessment is Stalled and nothing explains it",
		Response: "The log of the Cluster Version Operator says what it does.",
		NextSteps: assess.ReadOnly("oc logs -n openshift-cluster-version deployment/cluster-version-operator", "oc get pods -n openshift-cluster-version",
			"oc get clusteroperators"),
	}},
}

// standstill returns that a control plane makes no progress. Of objects of a moment it is not known since when.
func standstill(facts Standstill) *assess.Finding {
	version := facts.Version
	found := &assess.Finding{
		Since:      assess.TimeOf(version.ProgressedAt),
		Thresholds: &assess.Thresholds{Warning: max(UsualPatience, 2*facts.LongestStep), Failure: max(longWait, 2*facts.LongestStep)},
		Words: assess.Words{
			"updated": fmt.Sprint(facts.Updated), "operators": fmt.Sprint(facts.Operators), "manifests": manifestsText(version.Manifests),
		},
		Reference: reference.Updating,
	}
	if version.ProgressedAt == nil {
		found.CountedSince, found.Level = assess.TimeOf(version.StartedAt), updatev1alpha1.LevelWarning
		found.IsIncomplete = version.Assessment != updatev1alpha1.AssessmentStalled
	}
	return found
}

func manifestsText(manifests *updatev1alpha1.ManifestProgress) string {
	if manifests == nil {
		return ""
	}
	return fmt.Sprintf(", %d of %d manifests are applied", manifests.Applied, manifests.Total)
}
