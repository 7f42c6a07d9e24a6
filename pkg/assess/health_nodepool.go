package assess

import (
	"cmp"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// nodePoolRefused is about what stops HyperShift from changing the pool: the first of these conditions that is False.
func nodePoolRefused(facts healthFacts) *finding {
	for _, kind := range stopping {
		if found := nodePoolFinding(facts, kind, "", updatev1alpha1.ImpactUpdateStalled, "can't be updated"); found != nil {
			return found
		}
	}
	return nil
}

func nodePoolInPlaceFailed(facts healthFacts) *finding {
	if !facts.nodePool.isInPlaceFailed() {
		return nil
	}
	found := nodePoolFinding(facts, conditionUpdatingVersion, reasonInPlaceFailed, updatev1alpha1.ImpactUpdateStalled, "has failed to update a node in place")
	if found != nil {
		found.level = updatev1alpha1.LevelError
	}
	return found
}

func nodePoolPayloadInvalid(facts healthFacts) *finding {
	return nodePoolFinding(facts, conditionGeneratedPayload, "", updatev1alpha1.ImpactUpdateStalled, "has no valid configuration for new nodes")
}

// nodePoolSkew waits for the control plane: while it is being updated, a pool may be ahead of what it has completed.
func nodePoolSkew(facts healthFacts) *finding {
	if facts.nodePool.controlPlaneUpdating {
		return nil
	}
	return nodePoolFinding(facts, conditionVersionSkew, reasonUnsupportedSkew, updatev1alpha1.ImpactUnknown,
		"has a version that the control plane does not support")
}

func nodePoolUnhealthy(facts healthFacts) *finding {
	return nodePoolFinding(facts, conditionPoolReady, reasonTooManyUnhealthy, updatev1alpha1.ImpactClusterCapacity, "has too many unhealthy nodes")
}

// nodePoolFinding returns a finding about a condition that is False, with a reason if one is given, and current.
func nodePoolFinding(facts healthFacts, kind, reason string, impact updatev1alpha1.ImpactType, words string) *finding {
	condition := facts.nodePool.current(kind)
	if condition == nil || condition.Status != metav1.ConditionFalse || reason != "" && condition.Reason != reason {
		return nil
	}
	return &finding{
		since:       condition.LastTransitionTime.Time,
		level:       updatev1alpha1.LevelWarning,
		impact:      impact,
		summary:     fmt.Sprintf("Node pool %s %s%s", facts.nodePool.Name, words, because(condition.Reason)),
		description: cmp.Or(condition.Message, noMessage),
		reference:   docsHostedUpdating,
	}
}

func nodePoolMachinesNotReady(facts healthFacts) *finding {
	found := nodePoolFinding(facts, conditionMachinesReady, "", updatev1alpha1.ImpactUpdateSpeed, "has waited long for its Machines")
	if found != nil {
		found.level, found.nextCheck = machinePatience.judge(found.since, facts.now)
	}
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
