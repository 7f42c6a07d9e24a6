package assess

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Pages about the conditions of nodes and pools.
const (
	docsMachineConfigOperator = "https://docs.openshift.com/container-platform/latest/post_installation_configuration/machine-configuration-tasks.html#understanding-the-machine-config-operator"
	docsPausedPools           = "https://docs.openshift.com/container-platform/latest/support/troubleshooting/troubleshooting-operator-issues.html#troubleshooting-disabling-autoreboot-mco_troubleshooting-operator-issues"
)

// A kubelet that restarts is not ready for a while.
var (
	notReadyPatience = patience{warning: 5 * time.Minute}
	pressurePatience = patience{warning: time.Minute}
)

func nodeNotReady(facts healthFacts) *finding {
	return unavailableNode(facts, nodeProblem{corev1.NodeReady, "is not ready", notReadyPatience})
}

func nodeDiskPressure(facts healthFacts) *finding {
	return unavailableNode(facts, nodeProblem{corev1.NodeDiskPressure, "has disk pressure", pressurePatience})
}

func nodeNetworkUnavailable(facts healthFacts) *finding {
	return unavailableNode(facts, nodeProblem{corev1.NodeNetworkUnavailable, "has unavailable network", pressurePatience})
}

type nodeProblem struct {
	condition corev1.NodeConditionType
	words     string
	patience  patience
}

// unavailableNode ignores nodes that are being updated: they are drained and rebooted, and not ready for a while.
func unavailableNode(facts healthFacts, problem nodeProblem) *finding {
	if facts.nodeState.Updating {
		return nil
	}
	check := nodeConditionChecks[problem.condition]
	for at := range facts.node.node.Status.Conditions {
		condition := &facts.node.node.Status.Conditions[at]
		if condition.Type != problem.condition || !isBad(facts.node.node, condition) {
			continue
		}
		since := condition.LastTransitionTime.Time
		level, nextCheck := problem.patience.judge(since, facts.now)
		return &finding{
			since:   since,
			level:   level,
			impact:  updatev1alpha1.ImpactUpdateSpeed,
			summary: fmt.Sprintf("Node %s %s", facts.node.node.Name, problem.words),
			description: fmt.Sprintf("Node has a %s!=%s condition with Reason %q and message %q",
				condition.Type, check.good, check.message, condition.Message),
			reference: docsMachineConfigOperator,
			nextCheck: nextCheck,
		}
	}
	return nil
}

func degradedNode(facts healthFacts) *finding {
	if !facts.nodeState.Degraded {
		return nil
	}
	name, reason := facts.node.node.Name, cmp.Or(facts.node.node.Annotations[ReasonAnnotation], noMessage)
	if facts.node.isRecovering() {
		return &finding{
			level:   updatev1alpha1.LevelWarning,
			impact:  updatev1alpha1.ImpactUpdateSpeed,
			summary: fmt.Sprintf("Node %s is recovering from a failed update", name),
			description: "The node is past the step that failed. It stays degraded until its update is complete. It failed with: " +
				reason,
			reference: docsMachineConfigOperator,
		}
	}
	return &finding{
		level:       updatev1alpha1.LevelError,
		impact:      updatev1alpha1.ImpactUpdateStalled,
		summary:     fmt.Sprintf("Node %s is degraded", name),
		description: reason,
		reference:   docsMachineConfigOperator,
	}
}

func nodeInSeveralPools(facts healthFacts) *finding {
	if len(facts.custom) < 2 {
		return nil
	}
	var pools []updatev1alpha1.ResourceRef
	for _, name := range facts.custom {
		pools = append(pools, poolRef(name))
	}
	return &finding{
		level:  updatev1alpha1.LevelWarning,
		impact: updatev1alpha1.ImpactUpdateStalled,
		summary: fmt.Sprintf("Node %s matches several custom pools: %s",
			facts.node.node.Name, strings.Join(facts.custom, ", ")),
		description: "A node can belong to one custom pool only. The Machine Config Operator does not update the node until the " +
			"labels of the node or the node selectors of the pools are changed so that at most one custom pool matches.",
		reference: docsMachineConfigOperator,
		others:    pools,
	}
}

func poolPaused(facts healthFacts) *finding {
	if !facts.pool.Spec.Paused || facts.poolCounts.excluded == 0 {
		return nil
	}
	return &finding{
		level:   updatev1alpha1.LevelWarning,
		impact:  updatev1alpha1.ImpactUpdateStalled,
		summary: fmt.Sprintf("Outdated nodes in a paused pool '%s' will not be updated", facts.pool.Name),
		description: "Pool is paused, which stops all changes to the nodes in the pool, including updates. " +
			"The nodes will not be updated until the pool is unpaused by the administrator.",
		reference: docsPausedPools,
	}
}

func poolSelectorUnparsable(facts healthFacts) *finding {
	if facts.selectorError == "" {
		return nil
	}
	return &finding{
		level:       updatev1alpha1.LevelWarning,
		impact:      updatev1alpha1.ImpactUpdateStalled,
		summary:     fmt.Sprintf("The node selector of pool '%s' cannot be parsed", facts.pool.Name),
		description: "The pool has no nodes until its node selector is corrected: " + facts.selectorError,
		reference:   docsMachineConfigOperator,
	}
}
