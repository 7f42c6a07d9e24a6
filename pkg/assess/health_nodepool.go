package assess

import (
	"cmp"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// nodePoolRefused is about what stops HyperShift from changing the pool: the first of these conditions that is False.
func nodePoolRefused(facts healthFacts) *finding {
	for _, kind := range stopping {
		if found := nodePoolFinding(facts, kind, "", problem{words: "can't be updated", impact: updatev1alpha1.ImpactUpdateStalled}); found != nil {
			return found
		}
	}
	return nil
}

func nodePoolInPlaceFailed(facts healthFacts) *finding {
	if !facts.nodePool.isInPlaceFailed() {
		return nil
	}
	found := nodePoolFinding(facts, conditionUpdatingVersion, reasonInPlaceFailed,
		problem{words: "has failed to update a node in place", impact: updatev1alpha1.ImpactUpdateStalled})
	if found != nil {
		found.level = updatev1alpha1.LevelError
	}
	return found
}

func nodePoolPayloadInvalid(facts healthFacts) *finding {
	return nodePoolFinding(facts, conditionGeneratedPayload, "",
		problem{words: "has no valid configuration for new nodes", impact: updatev1alpha1.ImpactUpdateStalled})
}

// skewPatience is beyond what HyperShift takes to assess a pool again after the control plane is complete.
var skewPatience = patience{warning: 5 * time.Minute}

// nodePoolSkew waits for the payload: while it is being updated, a pool may be ahead of what it has completed.
func nodePoolSkew(facts healthFacts) *finding {
	payload := facts.nodePool.payload
	if payload.State != configv1.CompletedUpdate {
		return nil
	}
	found := nodePoolFinding(facts, conditionVersionSkew, reasonUnsupportedSkew,
		problem{words: "has a version that the control plane does not support", impact: updatev1alpha1.ImpactUnknown})
	if found != nil {
		found.level, found.nextCheck = skewPatience.judge(later(found.since, timeOf(payload.CompletionTime)), facts.now)
	}
	return found
}

func nodePoolUnhealthy(facts healthFacts) *finding {
	return nodePoolFinding(facts, conditionPoolReady, reasonTooManyUnhealthy,
		problem{words: "has too many unhealthy nodes", impact: updatev1alpha1.ImpactClusterCapacity})
}

// nodePoolFinding returns a finding about a condition that is False, with a reason if one is given, and current.
func nodePoolFinding(facts healthFacts, kind, reason string, problem problem) *finding {
	condition := facts.nodePool.current(kind)
	if condition == nil || condition.Status != metav1.ConditionFalse || reason != "" && condition.Reason != reason {
		return nil
	}
	problem.reference = docsHostedUpdating
	return problem.finding("Node pool "+facts.nodePool.Name, *condition, facts.now)
}

// nodePoolMachinesNotReady is about Machines that are not ready for long. In a rollout there is always one that is not: a new one,
// or an old one that is drained, which is another check.
func nodePoolMachinesNotReady(facts healthFacts) *finding {
	found := nodePoolFinding(facts, conditionMachinesReady, "",
		problem{words: "has waited long for its Machines", impact: updatev1alpha1.ImpactUpdateSpeed})
	if found == nil || facts.joining.Count == 0 && facts.poolCounts.draining > 0 {
		return nil
	}
	found.since = later(found.since, facts.joining.Since)
	found.level, found.nextCheck = machinePatience.judge(found.since, facts.now)
	return found
}

func nodePoolPaused(facts healthFacts) *finding {
	if !facts.paused || facts.poolCounts.excluded == 0 {
		return nil
	}
	return &finding{
		level:   updatev1alpha1.LevelWarning,
		impact:  updatev1alpha1.ImpactUpdateStalled,
		summary: fmt.Sprintf("Outdated nodes in paused node pool %s will not be updated", facts.nodePool.Name),
		description: "The NodePool or its HostedCluster has pausedUntil, which stops all changes to the nodes of the pool, including updates. " +
			"The nodes will not be updated until it has passed or is removed.",
		reference: docsHostedUpdating,
	}
}

// nodePoolOnDelete is about a pool whose outdated nodes are replaced when people delete their Machines.
func nodePoolOnDelete(facts healthFacts) *finding {
	replace := facts.nodePool.Spec.Management.Replace
	controlPlane := insight.ControlPlaneNamespace(types.NamespacedName{Namespace: facts.nodePool.Namespace, Name: facts.nodePool.Spec.ClusterName})
	if facts.nodePool.inPlace || replace == nil || replace.Strategy != strategyOnDelete || facts.poolCounts.pending == 0 || facts.paused {
		return nil
	}
	return &finding{
		level:   updatev1alpha1.LevelWarning,
		impact:  updatev1alpha1.ImpactUpdateStalled,
		summary: fmt.Sprintf("Nodes of node pool %s wait for the deletion of their Machines", facts.nodePool.Name),
		description: fmt.Sprintf("The NodePool has the strategy OnDelete: a node is replaced when an administrator deletes its Machine, in namespace %s "+
			"of the management cluster. Waiting: %s.", controlPlane, insight.Count(int(facts.poolCounts.pending), "node")),
		reference: docsHostedUpdating,
	}
}

// hostedDrain is the drain of a node of a hosted cluster.
type hostedDrain struct {
	node string
	// since is when it started, zero if the node is not drained or that is not known.
	since time.Time
	// message is what the Cluster API says about it.
	message string
}

// hostedDrainLong is about a node that has been draining for long. What blocks the drain is in the hosted cluster.
func hostedDrainLong(facts healthFacts) *finding {
	if facts.drain.since.IsZero() {
		return nil
	}
	level, nextCheck := drainPatience.judge(facts.drain.since, facts.now)
	return &finding{
		since:   facts.drain.since,
		level:   level,
		impact:  updatev1alpha1.ImpactUpdateStalled,
		summary: fmt.Sprintf("Node %s is taking long to drain, cause unknown", facts.drain.node),
		description: "A drain waits for every pod that a PodDisruptionBudget protects; without a nodeDrainTimeout in the NodePool it waits for ever. " +
			cmp.Or(facts.drain.message, noMessage),
		reference: docsHostedTroubleshooting,
		nextCheck: nextCheck,
	}
}

func machineFailed(facts healthFacts) *finding {
	if facts.machine.Status.Phase != phaseFailed {
		return nil
	}
	return &finding{
		level:       updatev1alpha1.LevelError,
		impact:      updatev1alpha1.ImpactUpdateStalled,
		summary:     fmt.Sprintf("Machine %s has failed", facts.machine.Name),
		description: cmp.Or(*cmp.Or(facts.machine.Status.FailureMessage, new(string)), noMessage),
		reference:   docsHostedTroubleshooting,
	}
}
