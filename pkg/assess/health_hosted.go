package assess

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Pages about hosted clusters.
const (
	docsHostedUpdating        = "https://docs.openshift.com/container-platform/latest/hosted_control_planes/hcp-updating.html"
	docsHostedTroubleshooting = "https://docs.openshift.com/container-platform/latest/hosted_control_planes/hcp-troubleshooting.html"
)

var (
	// reconciliationPatience is that of an operator that is degraded.
	reconciliationPatience = degradedPatience
	// rolloutPatience is beyond what the slowest component takes: etcd, one member after the other.
	rolloutPatience = patience{warning: 20 * time.Minute}
	// machinePatience is beyond what a host takes to boot: bare metal half an hour.
	machinePatience = patience{warning: 40 * time.Minute}
)

// hostedBlocked is about a release that HyperShift refuses to update to. A pause is another check.
func hostedBlocked(facts healthFacts) *finding {
	hosted := facts.hosted.hosted
	if !facts.hosted.isRefused() || facts.paused || !facts.hosted.isAnotherAsked() {
		return nil
	}
	progressing := meta.FindStatusCondition(hosted.Status.Conditions, conditionProgressing)
	description := cmp.Or(progressing.Message, noMessage)
	if image := meta.FindStatusCondition(hosted.Status.Conditions, conditionReleaseImage); image != nil && image.Status == metav1.ConditionFalse {
		description += "\n" + image.Message
	}
	return &finding{
		since:       progressing.LastTransitionTime.Time,
		level:       updatev1alpha1.LevelWarning,
		impact:      updatev1alpha1.ImpactUpdateStalled,
		summary:     fmt.Sprintf("The update of hosted cluster %s is blocked", hosted.Name),
		description: fmt.Sprintf("The release %s is asked for. %s", hosted.Spec.Release.Image, description),
		reference:   docsHostedUpdating,
	}
}

// hostedPaused is about an update that is asked for, or has started, while HyperShift is paused. A payload that is being applied goes on.
func hostedPaused(facts healthFacts) *finding {
	goesOn := slices.Equal(facts.hosted.unfinished, []string{payloadTrack})
	if !facts.paused || (facts.hosted.isComplete() || goesOn) && !facts.hosted.isAnotherAsked() {
		return nil
	}
	hosted := facts.hosted.hosted
	return &finding{
		level:   updatev1alpha1.LevelWarning,
		impact:  updatev1alpha1.ImpactUpdateStalled,
		summary: fmt.Sprintf("Hosted cluster %s is paused and will not be updated", hosted.Name),
		description: fmt.Sprintf("The HostedCluster has pausedUntil %q, which stops all changes to its control plane and its node pools, "+
			"including updates. A payload that is being applied goes on.", *hosted.Spec.PausedUntil),
		reference: docsHostedUpdating,
	}
}

// hostedFailing is no problem of a hosted cluster without nodes: its payload can't be complete.
func hostedFailing(facts healthFacts) *finding {
	found := hostedFinding(facts, hostedProblem{
		condition: conditionVersionSucceeding, words: "is failing to proceed with the update", impact: updatev1alpha1.ImpactUpdateStalled,
	})
	if found != nil && facts.noNodes {
		found.level = updatev1alpha1.LevelInfo
		found.description += payloadNeedsNodes
	}
	return found
}

func hostedUnavailable(facts healthFacts) *finding {
	return hostedFinding(facts, hostedProblem{conditionHostedAvailable, "is unavailable", unavailablePatience, updatev1alpha1.ImpactAPIAvailability})
}

func hostedEtcdUnavailable(facts healthFacts) *finding {
	return hostedFinding(facts, hostedProblem{conditionEtcd, "has an unavailable etcd", unavailablePatience, updatev1alpha1.ImpactAPIAvailability})
}

func hostedAPIServerUnavailable(facts healthFacts) *finding {
	return hostedFinding(facts, hostedProblem{
		conditionKubeAPIServer, "has an unavailable API server", unavailablePatience, updatev1alpha1.ImpactAPIAvailability,
	})
}

func hostedDisconnected(facts healthFacts) *finding {
	return hostedFinding(facts, hostedProblem{
		conditionDataPlaneConnected, "has no connection to its nodes", unavailablePatience, updatev1alpha1.ImpactUpdateStalled,
	})
}

// hostedProblem is a condition of a HostedCluster that is False.
type hostedProblem struct {
	condition string
	words     string
	// patience has no warning if the problem is reported at once.
	patience patience
	impact   updatev1alpha1.ImpactType
}

func hostedFinding(facts healthFacts, problem hostedProblem) *finding {
	hosted := facts.hosted.hosted
	condition := meta.FindStatusCondition(hosted.Status.Conditions, problem.condition)
	if condition == nil || condition.Status != metav1.ConditionFalse {
		return nil
	}
	found := &finding{
		since:       condition.LastTransitionTime.Time,
		level:       updatev1alpha1.LevelWarning,
		impact:      problem.impact,
		summary:     fmt.Sprintf("Hosted cluster %s %s%s", hosted.Name, problem.words, because(condition.Reason)),
		description: cmp.Or(condition.Message, noMessage),
		reference:   docsHostedTroubleshooting,
	}
	if problem.patience.warning > 0 {
		found.level, found.nextCheck = problem.patience.judge(found.since, facts.now)
	}
	return found
}

func componentUnavailable(facts healthFacts) *finding {
	available := meta.FindStatusCondition(facts.component.Status.Conditions, conditionComponentAvailable)
	if available == nil || available.Status != metav1.ConditionFalse {
		return nil
	}
	return componentFinding(facts, *available, componentProblem{"is unavailable", unavailablePatience, updatev1alpha1.ImpactAPIAvailability})
}

func componentNotReconciled(facts healthFacts) *finding {
	return rolloutFinding(facts, reasonReconciliationError, componentProblem{"can't be reconciled", reconciliationPatience, updatev1alpha1.ImpactUpdateStalled})
}

func componentSlow(facts healthFacts) *finding {
	return rolloutFinding(facts, reasonWaitingForRollout, componentProblem{"is taking long to roll out", rolloutPatience, updatev1alpha1.ImpactUpdateSpeed})
}

// componentProblem is what is wrong with a component.
type componentProblem struct {
	words    string
	patience patience
	impact   updatev1alpha1.ImpactType
}

// rolloutFinding is about a rollout that is not complete for a reason.
func rolloutFinding(facts healthFacts, reason string, problem componentProblem) *finding {
	rollout := meta.FindStatusCondition(facts.component.Status.Conditions, conditionRolloutComplete)
	if rollout == nil || rollout.Status != metav1.ConditionFalse || rollout.Reason != reason {
		return nil
	}
	current := *rollout
	current.LastTransitionTime = metav1.NewTime(facts.rolledOutSince)
	return componentFinding(facts, current, problem)
}

func componentFinding(facts healthFacts, condition metav1.Condition, problem componentProblem) *finding {
	since := condition.LastTransitionTime.Time
	level, nextCheck := problem.patience.judge(since, facts.now)
	return &finding{
		since:       since,
		level:       level,
		impact:      problem.impact,
		summary:     fmt.Sprintf("Control plane component %s %s%s", facts.component.Name, problem.words, because(condition.Reason)),
		description: cmp.Or(condition.Message, noMessage),
		reference:   docsHostedTroubleshooting,
		nextCheck:   nextCheck,
	}
}
