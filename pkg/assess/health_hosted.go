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

// problem is a condition of an object of HyperShift that needs attention.
type problem struct {
	// words follow the object in the summary.
	words  string
	impact updatev1alpha1.ImpactType
	// patience has no warning if the problem is reported at once.
	patience patience
	// reference is docsHostedTroubleshooting if it is empty.
	reference string
}

// finding returns what is reported about an object with a condition.
func (p problem) finding(object string, condition metav1.Condition, now time.Time) *finding {
	found := &finding{
		since:       condition.LastTransitionTime.Time,
		level:       updatev1alpha1.LevelWarning,
		impact:      p.impact,
		summary:     fmt.Sprintf("%s %s%s", object, p.words, because(condition.Reason)),
		description: cmp.Or(condition.Message, noMessage),
		reference:   cmp.Or(p.reference, docsHostedTroubleshooting),
	}
	if p.patience.warning > 0 {
		found.level, found.nextCheck = p.patience.judge(found.since, now)
	}
	return found
}

// hostedFailing is no problem of a hosted cluster without nodes: its payload can't be complete.
func hostedFailing(facts healthFacts) *finding {
	found := hostedFinding(facts, conditionVersionSucceeding,
		problem{words: "is failing to proceed with the update", impact: updatev1alpha1.ImpactUpdateStalled})
	if found != nil && facts.noNodes {
		found.level = updatev1alpha1.LevelInfo
		found.description += payloadNeedsNodes
	}
	return found
}

func hostedUnavailable(facts healthFacts) *finding {
	return hostedFinding(facts, conditionHostedAvailable, unavailable("is unavailable"))
}

func hostedEtcdUnavailable(facts healthFacts) *finding {
	return hostedFinding(facts, conditionEtcd, unavailable("has an unavailable etcd"))
}

func hostedAPIServerUnavailable(facts healthFacts) *finding {
	return hostedFinding(facts, conditionKubeAPIServer, unavailable("has an unavailable API server"))
}

func hostedDisconnected(facts healthFacts) *finding {
	return hostedFinding(facts, conditionDataPlaneConnected,
		problem{words: "has no connection to its nodes", impact: updatev1alpha1.ImpactUpdateStalled, patience: unavailablePatience})
}

func unavailable(words string) problem {
	return problem{words: words, impact: updatev1alpha1.ImpactAPIAvailability, patience: unavailablePatience}
}

// hostedFinding is about a condition of a HostedCluster that is False.
func hostedFinding(facts healthFacts, kind string, problem problem) *finding {
	hosted := facts.hosted.hosted
	condition := meta.FindStatusCondition(hosted.Status.Conditions, kind)
	if condition == nil || condition.Status != metav1.ConditionFalse {
		return nil
	}
	return problem.finding("Hosted cluster "+hosted.Name, *condition, facts.now)
}

func componentUnavailable(facts healthFacts) *finding {
	available := meta.FindStatusCondition(facts.component.Status.Conditions, conditionComponentAvailable)
	if available == nil || available.Status != metav1.ConditionFalse {
		return nil
	}
	return unavailable("is unavailable").finding(componentWords+facts.component.Name, *available, facts.now)
}

func componentNotReconciled(facts healthFacts) *finding {
	return rolloutFinding(facts, reasonReconciliationError,
		problem{words: "can't be reconciled", impact: updatev1alpha1.ImpactUpdateStalled, patience: reconciliationPatience})
}

func componentSlow(facts healthFacts) *finding {
	return rolloutFinding(facts, reasonWaitingForRollout,
		problem{words: "is taking long to roll out", impact: updatev1alpha1.ImpactUpdateSpeed, patience: rolloutPatience})
}

const componentWords = "Control plane component "

// rolloutFinding is about a rollout that is not complete for a reason.
func rolloutFinding(facts healthFacts, reason string, problem problem) *finding {
	rollout := meta.FindStatusCondition(facts.component.Status.Conditions, conditionRolloutComplete)
	if rollout == nil || rollout.Status != metav1.ConditionFalse || rollout.Reason != reason {
		return nil
	}
	current := *rollout
	current.LastTransitionTime = metav1.NewTime(facts.rolledOutSince)
	return problem.finding(componentWords+facts.component.Name, current, facts.now)
}
