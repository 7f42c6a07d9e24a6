package nodestate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// daemonPod names the pod of the Machine Config Daemon of a node, whose log tells more. ControllerLog is the log of what drains nodes and
// renders configurations.
const (
	daemonPod     = "oc get pods -n openshift-machine-config-operator -l k8s-app=machine-config-daemon --field-selector spec.nodeName=NODE"
	ControllerLog = "oc logs -n openshift-machine-config-operator deployment/machine-config-controller -c machine-config-controller --tail=200"
)

// A kubelet that restarts is not ready for a while.
var (
	notReadyThresholds = assess.Thresholds{Warning: 5 * time.Minute}
	pressureThresholds = assess.Thresholds{Warning: time.Minute}
	// During its update a node has them for a while.
	updatingThresholds = assess.Thresholds{Warning: 5 * time.Minute}
)

// Checked is a node with its state.
type Checked struct {
	insight.NodeState
	Node *corev1.Node
	// IsRecovering is whether a degraded node is past the step that failed.
	IsRecovering bool
}

// Checks are those of a Node of any cluster.
var Checks = []assess.Check[Checked]{
	{Find: unavailable(corev1.NodeReady), HealthCheck: assess.HealthCheck{
		Name: "node-not-ready", Then: assess.ThenKubelet, Subject: assess.NodeNoun,
		Texts:  assess.Texts{assess.NoCase: {One: "is not ready", Many: "are not ready", Description: conditionText}},
		Impact: updatev1alpha1.ImpactUpdateSpeed, Causality: assess.CauseAndEffect, Thresholds: notReadyThresholds,
		Reads:     assess.Reads{Conditions: []string{string(corev1.NodeReady)}},
		Appears:   "a node that is not being updated has not been Ready for more than 5 minutes",
		Response:  "Check the node's kubelet: `oc describe node NAME`, and its log on the machine's console or by ssh, since `oc adm node-logs` goes through the kubelet.",
		NextSteps: assess.ReadOnly("oc describe node NODE", "ssh core@NODE sudo journalctl -b -u crio -u kubelet"),
	}},
	{Find: unavailable(corev1.NodeDiskPressure), HealthCheck: assess.HealthCheck{
		Name: "node-disk-pressure", Then: assess.ThenKubelet, Subject: assess.NodeNoun,
		Texts:  assess.Texts{assess.NoCase: {One: "has disk pressure", Many: "have disk pressure", Description: conditionText}},
		Impact: updatev1alpha1.ImpactUpdateSpeed, Causality: assess.Cause, Thresholds: pressureThresholds,
		Reads:     assess.Reads{Conditions: []string{string(corev1.NodeDiskPressure)}},
		Appears:   "a node whose kubelet is reporting has had DiskPressure for more than 1 minute (5 minutes while it is being updated)",
		Response:  "Free disk space on the node.",
		NextSteps: assess.ReadOnly("oc describe node NODE", "oc debug node/NODE -- chroot /host df -h"),
	}},
	{Find: unavailable(corev1.NodeNetworkUnavailable), HealthCheck: assess.HealthCheck{
		Name: "node-network-unavailable", Then: assess.ThenKubelet, Subject: assess.NodeNoun,
		Texts:  assess.Texts{assess.NoCase: {One: "has unavailable network", Many: "have unavailable network", Description: conditionText}},
		Impact: updatev1alpha1.ImpactUpdateSpeed, Causality: assess.Cause, Thresholds: pressureThresholds,
		Reads:     assess.Reads{Conditions: []string{string(corev1.NodeNetworkUnavailable)}},
		Appears:   "a node has had NetworkUnavailable for more than 1 minute (5 minutes while it is being updated)",
		Response:  "Check the network pods of the node: `oc get pods -A --field-selector spec.nodeName=NAME`.",
		NextSteps: assess.ReadOnly("oc describe node NODE", "oc get pods -n openshift-ovn-kubernetes -o wide --field-selector spec.nodeName=NODE"),
	}},
	{Find: degraded, HealthCheck: assess.HealthCheck{
		Name: "node-degraded", Then: assess.ThenDaemon, Subject: assess.NodeNoun,
		Texts: assess.Texts{
			caseFailed: {One: "is degraded", Many: "are degraded", Description: assess.Message},
			caseRecovering: {
				One: "is recovering from a failed update", Many: "are recovering from a failed update",
				Description: "The node is past the step that failed. It stays degraded until its update is complete. It failed with: " + assess.Message,
			},
		},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.CauseAndEffect, StartsWhenObserved: true,
		Reads:   assess.Reads{Annotations: []string{ReasonAnnotation}},
		Appears: "the Machine Config Daemon could not apply the node's configuration, or cannot change it to the desired one",
		Response: "The description is the message of the Machine Config Daemon. Resolve its cause; the daemon retries. After the " +
			"step that failed (the node reboots, its failed drain is complete, or it is to be uncordoned), the insight is a " +
			"Warning with the impact Update Speed, because the daemon keeps the state Degraded until the node is done.",
		NextSteps:       assess.ReadOnly(daemonPod, "oc describe node NODE"),
		HostedNextSteps: assess.ReadOnly("oc describe node NODE"), // it has no Machine Config Daemon
	}},
}

// conditionText describes a condition of a node.
const conditionText = "Node has a {condition} condition with Reason {why} and message {quoted}"

// The cases of a degraded node: it has failed, or is past the step that failed.
const (
	caseFailed     = "Failed"
	caseRecovering = "Recovering"
)

// unavailable returns a check for a condition. It ignores that nodes that are being updated are not ready: they are drained and rebooted;
// and all of their conditions until they are ready again.
func unavailable(kind corev1.NodeConditionType) func(Checked) *assess.Finding {
	return func(checked Checked) *assess.Finding {
		node := checked.Node
		at := slices.IndexFunc(node.Status.Conditions, func(one corev1.NodeCondition) bool { return one.Type == kind && isBad(node, &one) })
		if at < 0 || checked.Updating && (kind == corev1.NodeReady || IsNotReady(node)) {
			return nil
		}
		condition, check := node.Status.Conditions[at], nodeConditionChecks[kind]
		return &assess.Finding{
			Since: condition.LastTransitionTime.Time, Thresholds: thresholdsWhile(checked.Updating),
			Words: assess.Words{
				"condition": fmt.Sprintf("%s!=%s", kind, check.good), "why": strconv.Quote(check.message), "quoted": strconv.Quote(condition.Message),
			},
			Reported:  &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentNode, Reason: condition.Reason, Message: condition.Message},
			Reference: reference.MachineConfigOperator,
		}
	}
}

// thresholdsWhile returns the thresholds of a node that is being updated, nil for those of the check.
func thresholdsWhile(updating bool) *assess.Thresholds {
	if !updating {
		return nil
	}
	return &updatingThresholds
}

// IsNotReady returns whether the kubelet of a node is not ready, or does not report.
func IsNotReady(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(one corev1.NodeCondition) bool { return one.Type == corev1.NodeReady && isBad(node, &one) })
}

// drainFailed is what the daemon writes in ReasonAnnotation after it waited in vain for the drain (openshift/machine-config-operator,
// pkg/daemon/drain.go, performDrain).
const drainFailed = "failed to drain node"

// IsDrainFailure returns whether a daemon failed because its node was not drained.
func IsDrainFailure(reason string) bool {
	return strings.Contains(reason, drainFailed)
}

func degraded(checked Checked) *assess.Finding {
	if !checked.Degraded {
		return nil
	}
	reason := checked.Node.Annotations[ReasonAnnotation]
	found := &assess.Finding{
		Case: caseFailed, Level: updatev1alpha1.LevelError, Reference: reference.MachineConfigOperator,
		Reported: &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentMachineConfigDaemon, Message: reason},
	}
	switch {
	case checked.IsRecovering:
		found.Case, found.Level, found.Impact = caseRecovering, "", updatev1alpha1.ImpactUpdateSpeed
	case IsDrainFailure(reason):
		found.NextSteps = assess.ReadOnly(ControllerLog, "oc describe node NODE")
	}
	return found
}
