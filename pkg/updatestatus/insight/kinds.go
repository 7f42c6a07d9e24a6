package insight

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Kind is what code that treats all insights alike has to know about a type of insight.
type Kind struct {
	Type updatev1alpha1.InsightType
	// Only are the clusters that have insights of this type, empty for all.
	Only Topology
	// ControlPlaneOnly is whether no worker pool has insights of this type.
	ControlPlaneOnly bool
	// Omits are the fields of the member that its type has and its insights never have: those that only another kind with the same type fills.
	Omits []string
	// Is is whether an insight has the member of this type.
	Is func(*updatev1alpha1.Insight) bool
	// Conditions returns the conditions of the member, nil for a type without.
	Conditions func(*updatev1alpha1.Insight) []metav1.Condition
	// Texts returns the long texts of the member beside the messages of its conditions, nil for a type without.
	Texts func(*updatev1alpha1.Insight) []*string
	// Priority says how long an insight stays in an object that is too large, nil for a type that is never left out.
	Priority func(*updatev1alpha1.Insight) Priority
	// Noun names the insights that are left out, and Group, if any, by what they are counted.
	Noun  string
	Group func(*updatev1alpha1.Insight) string
}

// Topology is where a cluster has its control plane.
type Topology string

const (
	// Standalone clusters have it themselves.
	Standalone Topology = "Standalone"
	// Hosted clusters have it in another cluster.
	Hosted Topology = "Hosted"
)

// kinds are all types of insights, in the order in which a list of insights has them.
var kinds = []*Kind{
	{
		Type: updatev1alpha1.InsightClusterVersion, Only: Standalone, ControlPlaneOnly: true,
		Is:         func(one *updatev1alpha1.Insight) bool { return one.ClusterVersion != nil },
		Conditions: func(one *updatev1alpha1.Insight) []metav1.Condition { return one.ClusterVersion.Conditions },
	},
	{
		Type: updatev1alpha1.InsightHostedCluster, Only: Hosted, ControlPlaneOnly: true,
		Omits:      []string{"manifests", "waitingOn", "progressedAt"}, // of the Cluster Version Operator, whose counts no HostedCluster has
		Is:         func(one *updatev1alpha1.Insight) bool { return one.HostedCluster != nil },
		Conditions: func(one *updatev1alpha1.Insight) []metav1.Condition { return one.HostedCluster.Conditions },
	},
	{
		Type: updatev1alpha1.InsightControlPlaneComponent, Only: Hosted, ControlPlaneOnly: true,
		Omits:      []string{"reported"}, // of machine-config
		Is:         func(one *updatev1alpha1.Insight) bool { return one.ControlPlaneComponent != nil },
		Conditions: func(one *updatev1alpha1.Insight) []metav1.Condition { return one.ControlPlaneComponent.Conditions },
		Priority:   operatorPriority,
		Noun:       "component",
	},
	{
		Type: updatev1alpha1.InsightClusterOperator, ControlPlaneOnly: true,
		Is:         func(one *updatev1alpha1.Insight) bool { return one.ClusterOperator != nil },
		Conditions: func(one *updatev1alpha1.Insight) []metav1.Condition { return one.ClusterOperator.Conditions },
		Priority:   operatorPriority,
		Noun:       "cluster operator",
	},
	{
		// It is left out with its pool only.
		Type: updatev1alpha1.InsightMachineConfigPool, Only: Standalone,
		Is:         func(one *updatev1alpha1.Insight) bool { return one.MachineConfigPool != nil },
		Conditions: func(one *updatev1alpha1.Insight) []metav1.Condition { return one.MachineConfigPool.Conditions },
	},
	{
		Type: updatev1alpha1.InsightNodePool, Only: Hosted,
		Is:         func(one *updatev1alpha1.Insight) bool { return one.NodePool != nil },
		Conditions: func(one *updatev1alpha1.Insight) []metav1.Condition { return one.NodePool.Conditions },
	},
	{
		Type:       updatev1alpha1.InsightNode,
		Is:         func(one *updatev1alpha1.Insight) bool { return one.Node != nil },
		Conditions: func(one *updatev1alpha1.Insight) []metav1.Condition { return one.Node.Conditions },
		Texts:      func(one *updatev1alpha1.Insight) []*string { return []*string{&one.Node.Message} },
		Priority:   nodePriority,
		Noun:       "node",
		Group:      nodeGroup,
	},
	{
		Type:     updatev1alpha1.InsightHealth,
		Is:       func(one *updatev1alpha1.Insight) bool { return one.Health != nil },
		Texts:    healthTexts,
		Priority: healthPriority,
		Noun:     "health insight",
		Group:    func(one *updatev1alpha1.Insight) string { return string(one.Health.Impact.Level) },
	},
}

// Kinds returns all types of insights, in the order in which a list of insights has them.
func Kinds() []*Kind {
	return kinds
}

// KindsOf returns the types of insights that the clusters of a topology have, in the same order.
func KindsOf(topology Topology) []*Kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(kind *Kind) bool { return kind.Only != "" && kind.Only != topology })
}

// unknownKind is that of an insight that another version of the controller wrote.
var unknownKind = &Kind{}

// KindOf returns the kind of an insight by the member that it has.
func KindOf(one *updatev1alpha1.Insight) *Kind {
	for _, kind := range kinds {
		if kind.Is(one) {
			return kind
		}
	}
	return unknownKind
}

// Rank returns the place of a type in a list of insights.
func Rank(kind updatev1alpha1.InsightType) int {
	if at := slices.IndexFunc(kinds, func(k *Kind) bool { return k.Type == kind }); at >= 0 {
		return at
	}
	return len(kinds)
}

// Conditions returns the conditions of an insight. They are those of the insight, not copies.
func Conditions(one *updatev1alpha1.Insight) []metav1.Condition {
	if kind := KindOf(one); kind.Conditions != nil {
		return kind.Conditions(one)
	}
	return nil
}

// Texts returns the texts of an insight that can be long.
func Texts(one *updatev1alpha1.Insight) []*string {
	conditions := Conditions(one)
	texts := make([]*string, 0, len(conditions)+1)
	for at := range conditions {
		texts = append(texts, &conditions[at].Message)
	}
	if kind := KindOf(one); kind.Texts != nil {
		texts = append(texts, kind.Texts(one)...)
	}
	return texts
}

func healthTexts(one *updatev1alpha1.Insight) []*string {
	texts := []*string{&one.Health.Impact.Description}
	if one.Health.Reported != nil {
		texts = append(texts, &one.Health.Reported.Message)
	}
	return texts
}

// Tier is the coarse part of a priority.
type Tier int

// The tiers. What is of the first ones is left out first.
const (
	// TierRoutine is what needs no attention and is counted elsewhere: nodes that wait or are done.
	TierRoutine Tier = iota
	// TierProgress is what changes: nodes that are being updated.
	TierProgress
	// TierAttention is what needs attention, and the operators, which no known cluster has too many of.
	TierAttention
	// Tiers is the number of tiers.
	Tiers
)

// Priority says how long an insight stays in an object that is too large.
type Priority struct {
	Tier Tier
	// Class orders the insights of a tier, the higher the longer they stay.
	Class int
}

// nodeClasses are the assessments of nodes that need no attention, by their class.
var nodeClasses = []NodeAssessment{NodeCompleted, NodeOutdated, NodeExcluded, NodeUnknown}

func nodePriority(one *updatev1alpha1.Insight) Priority {
	switch assessment := StateOf(one.Node).Assessment(); assessment {
	case NodeDegraded:
		return Priority{TierAttention, healthClass(updatev1alpha1.LevelError)}
	case NodeUnavailable:
		return Priority{TierAttention, healthClass(updatev1alpha1.LevelWarning)}
	case NodeProgressing:
		return Priority{TierProgress, 0}
	default:
		return Priority{TierRoutine, slices.Index(nodeClasses, assessment)}
	}
}

// nodeGroup counts degraded and unavailable nodes as such, others by their phase.
func nodeGroup(one *updatev1alpha1.Insight) string {
	state := StateOf(one.Node)
	switch assessment := state.Assessment(); assessment {
	case NodeDegraded, NodeUnavailable:
		return string(assessment)
	default:
		return string(state.Phase)
	}
}

// operatorClass is above all health insights.
const operatorClass = 100

// healthClass returns the class of a health insight about a node. Nodes of the same seriousness have the same, so that both
// share the space.
func healthClass(level updatev1alpha1.HealthLevel) int {
	return len(levels) + 2*LevelRank(level)
}

// healthPriority goes by the level. Of the same level, what is not about a node stays longer: there are not thousands of it.
// What others cause comes last, and alerts do, as anybody who may write a rule may write hundreds.
func healthPriority(one *updatev1alpha1.Insight) Priority {
	level, resources := one.Health.Impact.Level, one.Health.Scope.Resources
	switch {
	case len(one.Health.CausedBy) > 0, len(resources) > 0 && resources[0].Resource == "alerts":
		return Priority{TierAttention, LevelRank(level)}
	case len(resources) > 0 && resources[0].Resource == "nodes":
		return Priority{TierAttention, healthClass(level)}
	default:
		return Priority{TierAttention, healthClass(level) + 1}
	}
}

// operatorPriority: what is unhealthy, what is being updated, what waits, what is done.
func operatorPriority(one *updatev1alpha1.Insight) Priority {
	switch state := OperatorStateOf(OperatorOf(one)); {
	case state.Unhealthy:
		return Priority{TierAttention, operatorClass + 3}
	case state.Progress == OperatorUpdated:
		return Priority{TierAttention, operatorClass}
	case state.Progress == OperatorWaiting:
		return Priority{TierAttention, operatorClass + 1}
	default:
		return Priority{TierAttention, operatorClass + 2}
	}
}
