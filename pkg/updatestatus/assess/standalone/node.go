package standalone

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// ReleaseVersionAnnotation is the version of the release that a MachineConfig belongs to.
const ReleaseVersionAnnotation = "machineconfiguration.openshift.io/release-image-version"

// VersionOf returns the version of the release that a MachineConfig belongs to, empty if it is unknown.
type VersionOf func(machineConfig string) string

// NodeInput is what a node is assessed from.
type NodeInput struct {
	Node *corev1.Node
	// Pool is the MachineConfigPool that the node belongs to, and Custom the custom pools that match it (Pools.Of).
	Pool   *machineconfigv1.MachineConfigPool
	Custom []string
	// VersionOf returns the versions of MachineConfigs. It is not called with an empty name.
	VersionOf VersionOf
	Target    Target
	// MachineConfigNode is that of the node, nil in a cluster without this resource (before 4.19, by default).
	MachineConfigNode *machineconfigv1.MachineConfigNode
	// Drain is what is known about the node's drain, if it is being drained.
	Drain DrainInput

	certificates pendingCertificates
	// hasMigrated is whether it runs a configuration of the migration that the target is.
	hasMigrated bool
}

// withKnownTimes returns the input with the times that are known.
func (in NodeInput) withKnownTimes(now time.Time) NodeInput {
	in.Node = nodestate.WithKnownTimes(in.Node, now)
	in.Drain.UpdateStarted = insight.KnownTime(in.Drain.UpdateStarted, now)
	if in.MachineConfigNode != nil {
		in.MachineConfigNode = assess.WithKnownTimes(in.MachineConfigNode, machineConfigNodeTimes, now)
	}
	if in.Drain.Blockers == nil {
		return in
	}
	blockers := *in.Drain.Blockers
	blockers.Pods = slices.Clone(blockers.Pods)
	for at, pod := range blockers.Pods {
		blockers.Pods[at] = assess.WithKnownTimes(pod, podTimes, now)
	}
	in.Drain.Blockers = &blockers
	return in
}

func podTimes(pod *corev1.Pod) []*metav1.Time {
	return []*metav1.Time{pod.DeletionTimestamp}
}

// Node assesses a node. The result changes without an event when the node has been unavailable, or draining, for long
// enough.
func Node(in NodeInput, now time.Time) assess.Result {
	in = in.withKnownTimes(now)
	facts := factsOf(in)
	updating := nodeUpdating(facts)
	available := nodestate.Available(unavailabilities(facts))
	degraded := nodestate.Degraded(in.Node)
	part := PartOf(in.Pool.Name)
	node := &updatev1alpha1.NodeInsight{
		Name:       in.Node.Name,
		Resource:   assess.NodeRef(in.Node.Name),
		Pool:       in.Pool.Name,
		Version:    assess.FitVersion(facts.currentVersion),
		Conditions: []metav1.Condition{updating, available, degraded},

		DrainStartedAt:  assess.OptionalTime(facts.drainStart()),
		RebootStartedAt: assess.OptionalTime(facts.rebootStart()),
	}
	if updating.Status == metav1.ConditionTrue {
		node.UpdatingTo = assess.FitVersion(updatingTo(facts))
	}
	state := nodestate.Finish(node, available.Message, in.Node.Annotations[nodestate.ReasonAnnotation])
	longDrain := facts.drainLevel(now)
	of := assess.Subject{Resource: node.Resource, Part: part}
	health, nextCheck := assess.CheckHealth(nodestate.Checks, nodestate.Checked{NodeState: state, Node: in.Node, IsRecovering: facts.isRecovering()}, of, now)
	more, moreCheck := assess.CheckHealth(nodeChecks, checkedNode{
		nodeFacts: &facts, custom: in.Custom, now: now, certificates: in.certificates, isPoolUpdating: isPoolUpdating(in.Pool),
	}, of, now)
	insights := []insight.ScopedInsight{{Part: part, Leaving: nodestate.IsLeaving(in.Node), NotReady: nodestate.IsNotReady(in.Node), NotBegun: facts.hasNotBegun(), Insight: updatev1alpha1.Insight{
		UID:  insight.UID("node", in.Node.Name),
		Type: updatev1alpha1.InsightNode,
		Node: node,
	}}}
	result := assess.Result{
		Report:    insight.Report{Subject: assess.NodeSubject(in.Node.Name), Insights: slices.Concat(insights, health, more)},
		NextCheck: assess.Earliest(nextCheck, moreCheck),
		LongDrain: longDrain != "",
	}
	if facts.beingDrained() {
		result.DrainObserved, result.DrainFailedWith = in.Drain.Observed, in.Drain.lastError(facts.drainReported())
	}
	return result
}

func nodeUpdating(facts nodeFacts) metav1.Condition {
	status, reason, message := metav1.ConditionFalse, updatev1alpha1.ReasonPending, ""
	switch {
	case !facts.target.Known:
		status, reason = metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine
		message = unknownTarget
	case facts.updating():
		status, reason, message = metav1.ConditionTrue, updatingReason(facts), updatingMessage(facts)
	case facts.updated():
		reason = updatev1alpha1.ReasonCompleted
	case facts.paused:
		reason = updatev1alpha1.ReasonPaused
	}
	return assess.Condition(updatev1alpha1.ConditionUpdating, status, reason, message, time.Time{})
}

func updatingReason(facts nodeFacts) string {
	switch {
	case facts.draining():
		return updatev1alpha1.ReasonDraining
	case facts.rebooting():
		return updatev1alpha1.ReasonRebooting
	default:
		return updatev1alpha1.ReasonUpdating
	}
}

// updatingTo returns the version that a node is being updated to, empty if that is the target: that of an update before.
func updatingTo(facts nodeFacts) string {
	if to := facts.desiredVersion; to != facts.target.Version {
		return to
	}
	return ""
}

// updatingMessage says where a node is on its way to, if that is not the target, and which step goes on, if that is known.
func updatingMessage(facts nodeFacts) string {
	var sentences []string
	if to := updatingTo(facts); to != "" {
		sentences = append(sentences, fmt.Sprintf("The node is on its way to %s, and to be updated to %s afterwards", to, facts.target.Version))
	}
	if step := facts.step(); step != "" && updatingReason(facts) == updatev1alpha1.ReasonUpdating {
		sentences = append(sentences, insight.OneLine(step))
	}
	return insight.Shorten(strings.Join(sentences, ". "), updatev1alpha1.NodeMessageMaxLength)
}

// unavailabilities returns why a node can't run workloads. The Machine Config Daemon is the reason only if there is no other.
func unavailabilities(facts nodeFacts) []nodestate.Unavailability {
	reasons := nodestate.Unavailabilities(facts.node)
	if len(reasons) == 0 && daemonProcessing(facts) {
		reasons = append(reasons, nodestate.Unavailability{
			Reason:  updatev1alpha1.ReasonMachineConfigDaemonProcessing,
			Message: "Machine Config Daemon is processing the node",
		})
	}
	return reasons
}

// daemonProcessing returns whether the daemon is neither done nor failed. Nodes in image mode are done when their images are
// equal as well.
func daemonProcessing(facts nodeFacts) bool {
	if nodestate.HasFailed(facts.node) {
		return false
	}
	annotations := facts.node.Annotations
	done := facts.state == nodestate.StateDone &&
		facts.currentConfig != "" && facts.currentConfig == facts.desiredConfig &&
		annotations[nodestate.CurrentImageAnnotation] == annotations[nodestate.DesiredImageAnnotation]
	return !done
}
