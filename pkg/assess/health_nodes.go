package assess

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Pages about the conditions of nodes and pools.
const (
	docsMachineConfigOperator = "https://docs.openshift.com/container-platform/latest/post_installation_configuration/machine-configuration-tasks.html#understanding-the-machine-config-operator"
	docsPausedPools           = "https://docs.openshift.com/container-platform/latest/support/troubleshooting/troubleshooting-operator-issues.html#troubleshooting-disabling-autoreboot-mco_troubleshooting-operator-issues"
)

// A kubelet that restarts is not ready for a while.
var (
	notReadyThresholds = thresholds{warning: 5 * time.Minute}
	pressureThresholds = thresholds{warning: time.Minute}
)

// checkedNode is a node with its state, and the custom pools that match it.
type checkedNode struct {
	*nodeFacts
	insight.NodeState
	custom []string
	now    time.Time
}

// nodeChecks are those of a Node, also one of a hosted cluster.
var nodeChecks = []check[checkedNode]{
	{unavailableNode(corev1.NodeReady, "is not ready"), HealthCheck{
		Name: "node-not-ready", Impact: updatev1alpha1.ImpactUpdateSpeed, Causality: Cause, thresholds: notReadyThresholds,
		Reads:     Reads{Conditions: []string{string(corev1.NodeReady)}},
		Appears:   "a node that is not being updated has not been Ready for more than 5 minutes",
		Response:  "Check the node's kubelet: `oc describe node NAME`, `oc adm node-logs NAME -u kubelet`.",
		NextSteps: []string{"oc describe node NODE", "oc adm node-logs NODE -u kubelet --since=-1h"},
	}},
	{unavailableNode(corev1.NodeDiskPressure, "has disk pressure"), HealthCheck{
		Name: "node-disk-pressure", Impact: updatev1alpha1.ImpactUpdateSpeed, Causality: Cause, thresholds: pressureThresholds,
		Reads:     Reads{Conditions: []string{string(corev1.NodeDiskPressure)}},
		Appears:   "a node that is not being updated, and whose kubelet is reporting, has had DiskPressure for more than 1 minute",
		Response:  "Free disk space on the node.",
		NextSteps: []string{"oc describe node NODE", "oc debug node/NODE -- chroot /host df -h"},
	}},
	{unavailableNode(corev1.NodeNetworkUnavailable, "has unavailable network"), HealthCheck{
		Name: "node-network-unavailable", Impact: updatev1alpha1.ImpactUpdateSpeed, Causality: Cause, thresholds: pressureThresholds,
		Reads:    Reads{Conditions: []string{string(corev1.NodeNetworkUnavailable)}},
		Appears:  "a node that is not being updated has had NetworkUnavailable for more than 1 minute",
		Response: "Check the network pods of the node: `oc get pods -A --field-selector spec.nodeName=NAME`.",
		NextSteps: []string{
			"oc describe node NODE",
			"oc get pods -n openshift-ovn-kubernetes -o wide --field-selector spec.nodeName=NODE",
		},
	}},
	{degradedNode, HealthCheck{
		Name: "node-degraded", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: CauseAndEffect,
		Reads:   Reads{Annotations: []string{ReasonAnnotation}},
		Appears: "the Machine Config Daemon could not apply the node's configuration, or cannot change it to the desired one",
		Response: "The description is that of the daemon, which retries by itself when the cause is resolved. Past the step that " +
			"failed (it reboots, its failed drain is done, it is to be uncordoned) it is a Warning, Update Speed: the daemon " +
			"leaves the state Degraded until the node is done.",
		NextSteps:       []string{"oc describe node NODE", daemonLogs},
		HostedNextSteps: []string{"oc describe node NODE"}, // it has no Machine Config Daemon
	}},
	{nodeDrainBlocked, HealthCheck{
		Name: "node-drain-blocked", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: Cause, thresholds: drainThresholds,
		Appears:  "a node has been draining for more than 10 minutes",
		Response: "See the start of the description: [it depends on the cause](#a-drain-that-takes-long).",
		NextSteps: []string{
			"oc describe poddisruptionbudget -n NAMESPACE BUDGET",
			"oc describe pod -n NAMESPACE POD",
			"oc get pods -A -o wide --field-selector spec.nodeName=NODE",
		},
	}},
	{nodeInSeveralPools, HealthCheck{
		Name: "node-in-several-pools", Impact: updatev1alpha1.ImpactUpdateStalled, Causality: Cause,
		Appears:   "more than one custom pool matches a node",
		Response:  "Change the node's labels or the pools' selectors so that one custom pool matches.",
		NextSteps: []string{"oc get node NODE --show-labels", "oc get machineconfigpools"},
	}},
}

// unavailableNode returns a check for a condition. It ignores nodes that are being updated: they are drained and rebooted, and not
// ready for a while.
func unavailableNode(kind corev1.NodeConditionType, words string) func(checkedNode) *finding {
	return func(checked checkedNode) *finding {
		node := checked.node
		at := slices.IndexFunc(node.Status.Conditions, func(one corev1.NodeCondition) bool { return one.Type == kind && isBad(node, &one) })
		if checked.Updating || at < 0 {
			return nil
		}
		condition, check := node.Status.Conditions[at], nodeConditionChecks[kind]
		return &finding{
			since:   condition.LastTransitionTime.Time,
			summary: fmt.Sprintf("Node %s %s", node.Name, words),
			description: fmt.Sprintf("Node has a %s!=%s condition with Reason %q and message %q",
				kind, check.good, check.message, condition.Message),
			reference: docsMachineConfigOperator,
		}
	}
}

func degradedNode(checked checkedNode) *finding {
	if !checked.Degraded {
		return nil
	}
	name, reason := checked.node.Name, cmp.Or(checked.node.Annotations[ReasonAnnotation], noMessage)
	if checked.isRecovering() {
		return &finding{
			impact:  updatev1alpha1.ImpactUpdateSpeed,
			summary: fmt.Sprintf("Node %s is recovering from a failed update", name),
			description: "The node is past the step that failed. It stays degraded until its update is complete. It failed with: " +
				reason,
			reference: docsMachineConfigOperator,
		}
	}
	return &finding{
		level:       updatev1alpha1.LevelError,
		summary:     fmt.Sprintf("Node %s is degraded", name),
		description: reason,
		reference:   docsMachineConfigOperator,
	}
}

func nodeInSeveralPools(checked checkedNode) *finding {
	if len(checked.custom) < 2 {
		return nil
	}
	var pools []updatev1alpha1.ResourceRef
	for _, name := range checked.custom {
		pools = append(pools, poolRef(name))
	}
	return &finding{
		summary: fmt.Sprintf("Node %s matches several custom pools: %s",
			checked.node.Name, strings.Join(checked.custom, ", ")),
		description: "A node can belong to one custom pool only. The Machine Config Operator does not update the node until the " +
			"labels of the node or the node selectors of the pools are changed so that at most one custom pool matches.",
		reference:        docsMachineConfigOperator,
		relatedResources: pools,
	}
}
