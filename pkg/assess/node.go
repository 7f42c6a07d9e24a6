package assess

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// The annotations that the Machine Config Operator and its daemon set on nodes
// (openshift/machine-config-operator, pkg/daemon/constants).
const (
	annotationPrefix = "machineconfiguration.openshift.io/"

	// CurrentConfigAnnotation names the MachineConfig that a node runs.
	CurrentConfigAnnotation = annotationPrefix + "currentConfig"
	// DesiredConfigAnnotation names the MachineConfig that a node should run.
	DesiredConfigAnnotation = annotationPrefix + "desiredConfig"
	// CurrentImageAnnotation is the operating system image that a node in image mode runs.
	CurrentImageAnnotation = annotationPrefix + "currentImage"
	// DesiredImageAnnotation is the operating system image that a node in image mode should run.
	DesiredImageAnnotation = annotationPrefix + "desiredImage"
	// StateAnnotation is the state of the Machine Config Daemon.
	StateAnnotation = annotationPrefix + "state"
	// ReasonAnnotation is why the daemon failed.
	ReasonAnnotation = annotationPrefix + "reason"
	// DesiredDrainAnnotation is the drain or uncordon that the daemon requests.
	DesiredDrainAnnotation = annotationPrefix + "desiredDrain"
	// LastAppliedDrainAnnotation is the last drain or uncordon that was completed.
	LastAppliedDrainAnnotation = annotationPrefix + "lastAppliedDrain"
	// PostConfigActionAnnotation is what the daemon does after it has applied a configuration: postConfigActionRebooting from the
	// request of the reboot until the daemon runs again, which sets it to the empty string. Since 4.15; see pkg/daemon/update.go
	// (reboot) and pkg/daemon/daemon.go (syncNode).
	PostConfigActionAnnotation = annotationPrefix + "post-config-action"

	// ReleaseVersionAnnotation is the version of the release that a MachineConfig belongs to.
	ReleaseVersionAnnotation = annotationPrefix + "release-image-version"
)

// postConfigActionRebooting is the value of PostConfigActionAnnotation while a node reboots.
const postConfigActionRebooting = "Rebooting"

// The values of StateAnnotation that matter. The daemon defines stateRebooting and never writes it (pkg/daemon/constants): it is
// read from objects of unknown origin.
const (
	stateDone           = "Done"
	stateRebooting      = "Rebooting"
	stateDegraded       = "Degraded"
	stateUnreconcilable = "Unreconcilable"
)

// degradedReasons are the reasons of Degraded by the state of the daemon.
var degradedReasons = map[string]string{
	stateDegraded:       updatev1alpha1.ReasonNodeDegraded,
	stateUnreconcilable: updatev1alpha1.ReasonNodeUnreconcilable,
}

// The prefixes of DesiredDrainAnnotation and LastAppliedDrainAnnotation, before the name of the MachineConfig.
const (
	drainVerb    = "drain-"
	uncordonVerb = "uncordon-"
)

// Target is the release that the cluster's nodes are updated to.
type Target struct {
	// Known is whether the ClusterVersion has a history, and the release of its newest update is loaded.
	Known bool
	// Version is the version of the newest update.
	Version string
	// Migrating is whether a migration to multi-architecture is in progress: the version stays, the images change.
	Migrating bool
}

// unknownTarget is the message of nodes and pools without a target.
const unknownTarget = "The ClusterVersion does not report the version that the nodes are updated to"

// TargetOf returns the target of nodes. The ClusterVersion may be nil.
func TargetOf(version *configv1.ClusterVersion) Target {
	if version == nil || len(version.Status.History) == 0 {
		return Target{}
	}
	progressing := findCondition(version.Status.Conditions, configv1.OperatorProgressing)
	return Target{
		Known:     version.Status.History[0].Version != "",
		Version:   version.Status.History[0].Version,
		Migrating: migrating(version.Status.History) && isTrue(progressing),
	}
}

// String returns the name of the target, which is never empty. Different targets have different names.
func (t Target) String() string {
	switch {
	case !t.Known:
		return "unknown"
	case t.Migrating:
		return t.Version + ", another architecture"
	default:
		return t.Version
	}
}

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
}

// Node assesses a node. The result changes without an event when the node has been unavailable, or draining, for long
// enough.
func Node(in NodeInput, now time.Time) Result {
	in = in.withKnownTimes(now)
	facts := factsOf(in)
	updating := nodeUpdating(facts)
	available := nodeAvailable(facts)
	degraded := nodeDegraded(facts)
	part := PartOf(in.Pool.Name)
	node := &updatev1alpha1.NodeInsight{
		Name:         in.Node.Name,
		Resource:     nodeRef(in.Node.Name),
		PoolResource: poolRef(in.Pool.Name),
		ScopeType:    part.ScopeType(),
		Version:      fitVersion(facts.currentVersion),
		Conditions:   []metav1.Condition{updating, available, degraded},

		DrainStartedAt:  optionalTime(facts.drainStart()),
		RebootStartedAt: optionalTime(facts.rebootStart()),
	}
	state := insight.StateOf(node)
	node.EstToComplete = nodeEstimate(state)
	node.Message = nodeMessage(state, available.Message, in.Node.Annotations[ReasonAnnotation])
	longDrain := facts.drainLevel(now)
	health, nextCheck := checkHealth(nodeChecks,
		checkedNode{nodeFacts: &facts, NodeState: state, custom: in.Custom, now: now}, subject{resource: node.Resource, part: part}, now)
	insights := []insight.ScopedInsight{{Part: part, Insight: updatev1alpha1.Insight{
		UID:  insight.UID("node", in.Node.Name),
		Type: updatev1alpha1.InsightNode,
		Node: node,
	}}}
	result := Result{
		Report:    insight.Report{Subject: NodeSubject(in.Node.Name), Insights: append(insights, health...)},
		NextCheck: nextCheck,
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
	return condition(updatev1alpha1.ConditionUpdating, status, reason, message, time.Time{})
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

// OnItsWayMessage is how the message of Updating starts while a node is being updated to another version than the target: that of an
// update before.
const OnItsWayMessage = "The node is on its way to "

// updatingMessage says where a node is on its way to, if that is not the target, and which step goes on, if that is known.
func updatingMessage(facts nodeFacts) string {
	var sentences []string
	if to := facts.desiredVersion; to != "" && to != facts.target.Version {
		sentences = append(sentences, fmt.Sprintf("%s%s, and to be updated to %s afterwards", OnItsWayMessage, to, facts.target.Version))
	}
	if step := facts.step(); step != "" && updatingReason(facts) == updatev1alpha1.ReasonUpdating {
		sentences = append(sentences, insight.OneLine(step))
	}
	return insight.Shorten(strings.Join(sentences, ". "), updatev1alpha1.NodeMessageMaxLength)
}

func nodeDegraded(facts nodeFacts) metav1.Condition {
	reason, degraded := degradedReasons[facts.state]
	if facts.desiredConfig == "" || !degraded {
		return condition(updatev1alpha1.ConditionDegraded, metav1.ConditionFalse, updatev1alpha1.ReasonAsExpected, "", time.Time{})
	}
	message := insight.Shorten(facts.node.Annotations[ReasonAnnotation], updatev1alpha1.NodeMessageMaxLength)
	return condition(updatev1alpha1.ConditionDegraded, metav1.ConditionTrue, reason, message, time.Time{})
}

// nodeEstimate returns how long the phase of a node takes by the rule of thumb, nil if that is not known. Once nodes of its
// pool are done, the status has what these took.
func nodeEstimate(state insight.NodeState) *metav1.Duration {
	switch {
	case state.Phase == insight.PhaseCompleted:
		return &metav1.Duration{}
	case state.Degraded || !state.Available && !state.Updating:
		return nil
	case state.Updating:
		return &metav1.Duration{Duration: state.Phase.RuleOfThumb()}
	case state.Phase == insight.PhasePaused:
		return &metav1.Duration{}
	default:
		return nil
	}
}

func nodeMessage(state insight.NodeState, unavailable, degraded string) string {
	message := ""
	switch {
	case state.Degraded && degraded != "":
		message = degraded
	case !state.Available && !state.Updating:
		message = unavailable
	}
	return insight.Shorten(insight.OneLine(message), updatev1alpha1.NodeMessageMaxLength)
}

func poolRef(name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Group: machineconfigv1.GroupName, Resource: "machineconfigpools", Name: name}
}
