package assess

import (
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
	// PostConfigActionAnnotation is what the daemon does after it has written the configuration.
	PostConfigActionAnnotation = annotationPrefix + "post-config-action"

	// ReleaseVersionAnnotation is the version of the release that a MachineConfig belongs to.
	ReleaseVersionAnnotation = annotationPrefix + "release-image-version"
)

// NodeAnnotations returns the annotations of a node that assessments read.
func NodeAnnotations() []string {
	return []string{
		CurrentConfigAnnotation, DesiredConfigAnnotation, CurrentImageAnnotation, DesiredImageAnnotation,
		StateAnnotation, ReasonAnnotation, DesiredDrainAnnotation, LastAppliedDrainAnnotation,
		PostConfigActionAnnotation,
	}
}

// The values of StateAnnotation that matter.
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

// drainVerb is the prefix of a DesiredDrainAnnotation that requests a drain and not an uncordon.
const drainVerb = "drain-"

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

// ConfigsOf returns the names of the MachineConfigs whose versions an assessment of a node reads. They may be empty.
func ConfigsOf(node *corev1.Node) []string {
	return []string{node.Annotations[CurrentConfigAnnotation], node.Annotations[DesiredConfigAnnotation]}
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

		DrainStartedAt: optionalTime(facts.drainStart()),
	}
	state := insight.StateOf(node)
	node.EstToComplete = nodeEstimate(state)
	node.Message = nodeMessage(state, available.Message, in.Node.Annotations[ReasonAnnotation])
	longDrain, _ := facts.drainLevel(now)
	health, nextCheck := checkHealth(
		healthFacts{now: now, node: &facts, nodeState: state, custom: in.Custom}, subject{kind: kindNode, resource: node.Resource, part: part})
	insights := []insight.ScopedInsight{{Part: part, Insight: updatev1alpha1.Insight{
		UID:  insight.UID("node", in.Node.Name),
		Type: updatev1alpha1.InsightNode,
		Node: node,
	}}}
	return Result{
		Report:    insight.Report{Subject: NodeSubject(in.Node.Name), Insights: append(insights, health...)},
		NextCheck: nextCheck,
		LongDrain: longDrain != "",
	}
}

// nodeFacts are the annotations of a node and what they refer to.
type nodeFacts struct {
	node           *corev1.Node
	target         Target
	state          string
	currentConfig  string
	desiredConfig  string
	currentVersion string
	desiredVersion string
	// poolConfig is the MachineConfig that the nodes of the pool should run.
	poolConfig string
	paused     bool
	drain      DrainInput
}

func factsOf(in NodeInput) nodeFacts {
	annotations := in.Node.Annotations
	facts := nodeFacts{
		node:          in.Node,
		target:        in.Target,
		state:         annotations[StateAnnotation],
		currentConfig: annotations[CurrentConfigAnnotation],
		desiredConfig: annotations[DesiredConfigAnnotation],
		poolConfig:    in.Pool.Spec.Configuration.Name,
		paused:        in.Pool.Spec.Paused,
		drain:         in.Drain,
	}
	if facts.currentConfig != "" {
		facts.currentVersion = in.VersionOf(facts.currentConfig)
	}
	if facts.desiredConfig != "" {
		facts.desiredVersion = in.VersionOf(facts.desiredConfig)
	}
	return facts
}

func (f nodeFacts) updated() bool {
	if f.currentVersion == "" || f.currentVersion != f.target.Version {
		return false
	}
	if !f.target.Migrating {
		return true
	}
	return f.desiredConfig == "" || f.currentConfig == f.desiredConfig && f.desiredConfig == f.poolConfig
}

// updating is false during the rollout of a MachineConfig without a new release: such a node already runs the target. A node
// on its way to the target stays updating when the pool gets another MachineConfig meanwhile; in a migration, where versions
// are the same, only the pool's MachineConfig tells where the node is going.
func (f nodeFacts) updating() bool {
	return !f.updated() && f.currentVersion != "" && f.desiredVersion != "" && f.desiredVersion == f.target.Version &&
		f.currentConfig != f.desiredConfig && (f.currentVersion != f.desiredVersion || f.desiredConfig == f.poolConfig)
}

// draining is also true for a node whose daemon has not started yet: its desired configuration is set, and its state is
// still Done.
func (f nodeFacts) draining() bool {
	desired := f.node.Annotations[DesiredDrainAnnotation]
	applied := f.node.Annotations[LastAppliedDrainAnnotation]
	if desired == "" || applied == "" {
		return false
	}
	return desired != applied && strings.HasPrefix(desired, drainVerb) || f.state == stateDone
}

func nodeUpdating(facts nodeFacts) metav1.Condition {
	status, reason, message := metav1.ConditionFalse, updatev1alpha1.ReasonPending, ""
	switch {
	case !facts.target.Known:
		status, reason = metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine
		message = unknownTarget
	case facts.updating():
		status, reason = metav1.ConditionTrue, updatingReason(facts)
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
	case facts.state == stateRebooting || facts.node.Annotations[PostConfigActionAnnotation] == stateRebooting:
		return updatev1alpha1.ReasonRebooting
	default:
		return updatev1alpha1.ReasonUpdating
	}
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
