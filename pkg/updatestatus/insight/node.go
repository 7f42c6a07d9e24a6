package insight

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// NodePhase is where a node is in its update: the reason of its Updating condition.
type NodePhase string

// The phases of a node.
const (
	PhaseDraining  NodePhase = updatev1alpha1.ReasonDraining
	PhaseUpdating  NodePhase = updatev1alpha1.ReasonUpdating
	PhaseRebooting NodePhase = updatev1alpha1.ReasonRebooting
	PhasePaused    NodePhase = updatev1alpha1.ReasonPaused
	PhasePending   NodePhase = updatev1alpha1.ReasonPending
	PhaseCompleted NodePhase = updatev1alpha1.ReasonCompleted
	PhaseUnknown   NodePhase = updatev1alpha1.ReasonCannotDetermine
)

// NodePhases returns all phases, in the order in which nodes are shown.
func NodePhases() []NodePhase {
	return []NodePhase{
		PhaseDraining, PhaseUpdating, PhaseRebooting, PhasePaused, PhasePending, PhaseCompleted, PhaseUnknown,
	}
}

// rulesOfThumb are how long the phases of a node's update take, each by itself: twenty minutes in all. They are shown and
// estimated with for as long as no node of the pool is done.
var rulesOfThumb = map[NodePhase]time.Duration{
	PhaseDraining: 10 * time.Minute, PhaseUpdating: 5 * time.Minute, PhaseRebooting: 5 * time.Minute,
}

// RuleOfThumb returns how long the phase usually takes, zero if it is none of a node's update.
func (p NodePhase) RuleOfThumb() time.Duration {
	return rulesOfThumb[p]
}

// Seconds returns the seconds of an estimate.
func Seconds(estimate time.Duration) *int32 {
	seconds := int32(estimate / time.Second)
	return &seconds
}

// EstimateOf returns how long a node is expected to take from the start of its phase on, and whether that is known.
func EstimateOf(node *updatev1alpha1.NodeInsight) (estimate time.Duration, isKnown bool) {
	if node.EstimatedSeconds == nil {
		return 0, false
	}
	return time.Duration(*node.EstimatedSeconds) * time.Second, true
}

// NodeState is what the conditions of a node insight say. The counts of pools, truncation and the client use it.
type NodeState struct {
	// Phase is the reason of Updating, PhaseUnknown without one. A newer controller may have other phases.
	Phase NodePhase
	// Updating is whether the node is on its way to another version.
	Updating bool
	// Available is whether the node can run workloads. A node without the condition counts as available.
	Available bool
	// Degraded is whether the node failed to update.
	Degraded bool
	// VersionKnown is whether it is known which version the node runs. That of a node that has just joined is not.
	VersionKnown bool
}

// HasJoined returns whether the node has just joined: the Machine Config Daemon has not written down yet what it runs. A node
// that is available and has no version is one whose MachineConfig is not known.
func (s NodeState) HasJoined() bool {
	return s.Phase != PhaseCompleted && !s.Updating && !s.VersionKnown && !s.Available
}

// IsBehind returns whether the node does not run the target version, and has not just joined.
func (s NodeState) IsBehind() bool {
	return s.Phase != PhaseCompleted && !s.HasJoined()
}

// StateOf reads the conditions of a node insight.
func StateOf(node *updatev1alpha1.NodeInsight) NodeState {
	state := NodeState{Phase: PhaseUnknown, Available: true, VersionKnown: node.Version != ""}
	if updating := meta.FindStatusCondition(node.Conditions, updatev1alpha1.ConditionUpdating); updating != nil {
		state.Phase = NodePhase(updating.Reason)
		state.Updating = updating.Status == metav1.ConditionTrue
	}
	state.Available = !meta.IsStatusConditionFalse(node.Conditions, updatev1alpha1.ConditionAvailable)
	state.Degraded = meta.IsStatusConditionTrue(node.Conditions, updatev1alpha1.ConditionDegraded)
	return state
}

// NodeAssessment says in a word, for people, how a node is.
type NodeAssessment string

// The assessments of a node, in the order in which they apply and in which nodes are shown: the worst first.
const (
	// NodeDegraded is a node that failed to update.
	NodeDegraded NodeAssessment = "Degraded"
	// NodeUnavailable is a node that cannot run workloads and is not being updated.
	NodeUnavailable NodeAssessment = "Unavailable"
	// NodeProgressing is a node that is being drained, updated or rebooted.
	NodeProgressing NodeAssessment = "Progressing"
	// NodeExcluded is a node that is not updated, because its pool is paused.
	NodeExcluded NodeAssessment = "Excluded"
	// NodeOutdated is a node that has not started to update.
	NodeOutdated NodeAssessment = "Outdated"
	// NodeCompleted is a node that runs the target version.
	NodeCompleted NodeAssessment = "Completed"
	// NodeUnknown is a node whose state is unknown.
	NodeUnknown NodeAssessment = "Unknown"
)

// Assessment returns the first assessment that applies to a node.
func (s NodeState) Assessment() NodeAssessment {
	switch {
	case s.Degraded:
		return NodeDegraded
	case !s.Available && !s.Updating:
		return NodeUnavailable
	case s.Updating:
		return NodeProgressing
	case s.Phase == PhasePaused:
		return NodeExcluded
	case s.Phase == PhasePending:
		return NodeOutdated
	case s.Phase == PhaseCompleted:
		return NodeCompleted
	default:
		return NodeUnknown
	}
}

var (
	assessmentRank = rank(NodeDegraded, NodeUnavailable, NodeProgressing, NodeExcluded, NodeOutdated, NodeCompleted)
	phaseRank      = rank(NodePhases()...)
)

func rank[T comparable](ordered ...T) func(T) int {
	ranks := make(map[T]int, len(ordered))
	for at, value := range ordered {
		ranks[value] = at
	}
	return func(value T) int {
		if at, known := ranks[value]; known {
			return at
		}
		return len(ordered)
	}
}

// CompareNodes orders nodes as people want to see them: by assessment, the worst first, then by phase, then by name.
func CompareNodes(a, b NodeState, aName, bName string) int {
	return cmp.Or(
		cmp.Compare(assessmentRank(a.Assessment()), assessmentRank(b.Assessment())),
		cmp.Compare(phaseRank(a.Phase), phaseRank(b.Phase)),
		cmp.Compare(aName, bName),
	)
}

// StalledBy returns why a health insight stalls the update of a pool, as the end of a sentence, empty if it does not. Nodes that stall it
// do so at any level; a pool itself does when its insight is an error, as until then it may be slow, and not if it is paused, which
// has a warning.
func StalledBy(one *updatev1alpha1.Insight) string {
	if node := StalledNode(one); node != "" {
		return "node " + node + " holds up the update"
	}
	if StalledPool(one) == "" {
		return ""
	}
	return InSentence(one.Health.Impact.Summary)
}

// StalledControlPlane returns why a health insight stalls the update of a control plane, as the end of a sentence, empty if it does not: it is
// an error about an operator or a component, or about the update itself. An update that is requested besides stalls nothing.
func StalledControlPlane(one *updatev1alpha1.Insight) string {
	if one.Health == nil || !IsError(one.Health.Impact.Level) || len(one.Health.Scope.Resources) == 0 {
		return ""
	}
	about := one.Health.Scope.Resources[0]
	switch {
	case about.Resource == "clusteroperators":
		return "Cluster Operator " + about.Name + " holds up the update"
	case about.Resource == "controlplanecomponents":
		return "control plane component " + about.Name + " holds up the update"
	case one.Health.Reason == ReasonClusterVersionFailing:
		return "the Cluster Version Operator can't apply the release"
	case slices.Contains(standstills, one.Health.Reason):
		return InSentence(one.Health.Impact.Summary)
	default:
		return ""
	}
}

// standstills are the reasons of health insights about an update that makes no progress.
var standstills = []string{ReasonControlPlaneNoProgress, ReasonClusterVersionOperatorSilent, ReasonClusterVersionStatusFrozen}

// poolResources are the resources of pools, in any cluster.
var poolResources = []string{"machineconfigpools", "nodepools"}

// StalledPool returns the pool whose update is stalled by a health insight about the pool itself, empty if it is about something else.
func StalledPool(one *updatev1alpha1.Insight) string {
	if one.Health == nil || one.Health.Impact.Type != updatev1alpha1.ImpactUpdateStalled || !IsError(one.Health.Impact.Level) {
		return ""
	}
	if resources := one.Health.Scope.Resources; len(resources) > 0 && slices.Contains(poolResources, resources[0].Resource) {
		return resources[0].Name
	}
	return ""
}

// StalledNode returns the node that stalls the update by a health insight, empty if it is about something else.
func StalledNode(one *updatev1alpha1.Insight) string {
	if one.Health == nil || one.Health.Impact.Type != updatev1alpha1.ImpactUpdateStalled {
		return ""
	}
	if resources := one.Health.Scope.Resources; len(resources) > 0 && resources[0].Resource == "nodes" {
		return resources[0].Name
	}
	return ""
}
