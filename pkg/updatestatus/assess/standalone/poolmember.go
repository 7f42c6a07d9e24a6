package standalone

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// PoolMember is what a pool is assessed from of each of its nodes.
type PoolMember struct {
	Name    string
	State   insight.NodeState
	Created time.Time
	// Unavailable is why the Machine Config Operator counts the node among those that may be unavailable, empty if it does not, and
	// UnavailableSince is since when, zero if that is not known.
	Unavailable      string
	UnavailableSince time.Time
	// IsSkipped is whether the node controller does not choose it for an update: it is cordoned, or not well.
	IsSkipped bool
	// IsCordoned is whether it does only because the node is cordoned, and not for a drain of the Machine Config Operator.
	IsCordoned bool
	// HasFailed is whether its daemon failed on the configuration of the pool, for which the node is counted once more.
	HasFailed bool
	// IsDegraded is whether its daemon says that it failed, at whatever: the node has an insight about it.
	IsDegraded bool
	// HasImage is whether the node gets an image that is built for its pool.
	HasImage bool
}

// memberOf returns what a pool reads of a node. The rules are those of openshift/machine-config-operator: IsUnavailableForUpdate and IsNodeReady in
// pkg/controller/common/layered_node_state.go, getAllCandidateMachines in pkg/controller/node/node_controller.go.
func memberOf(node *corev1.Node, poolConfig string, state insight.NodeState) PoolMember {
	annotations := node.Annotations
	current, desired := annotations[nodestate.CurrentConfigAnnotation], annotations[nodestate.DesiredConfigAnnotation]
	member := PoolMember{
		Name: node.Name, State: state, Created: node.CreationTimestamp.Time,
		HasImage: annotations[nodestate.DesiredImageAnnotation] != "",
	}
	member.IsDegraded = nodestate.HasFailed(node)
	hasFailed := member.IsDegraded && current != desired
	member.HasFailed = hasFailed && desired == poolConfig
	reasons := nodestate.Unavailabilities(node)
	switch {
	case len(reasons) > 0:
		member.Unavailable, member.UnavailableSince, member.IsSkipped = reasonsText(reasons), reasons[0].Since, true
		isDrained := strings.HasPrefix(annotations[nodestate.DesiredDrainAnnotation], nodestate.DrainVerb)
		member.IsCordoned = len(reasons) == 1 && node.Spec.Unschedulable && !isDrained
	case !isDone(node) && !hasFailed:
		member.Unavailable = "is not done with its configuration"
	}
	return member
}

// reasonsText returns why a node is unavailable, for the middle of a sentence.
func reasonsText(reasons []nodestate.Unavailability) string {
	texts := make([]string, 0, len(reasons))
	for _, one := range reasons {
		texts = append(texts, unavailableTexts[one.Message])
	}
	return strings.Join(texts, " and ")
}

// unavailableTexts say in a sentence about a node what nodestate.Unavailability has as a message.
var unavailableTexts = map[string]string{
	"Not ready": "is not ready", "Disk pressure": "has disk pressure", "Network unavailable": "has no network",
	"Node is marked unschedulable": "is cordoned",
}

// isDone returns whether the daemon of a node has done what it should.
func isDone(node *corev1.Node) bool {
	annotations := node.Annotations
	current := annotations[nodestate.CurrentConfigAnnotation]
	return current != "" && current == annotations[nodestate.DesiredConfigAnnotation] && annotations[nodestate.StateAnnotation] == nodestate.StateDone &&
		annotations[nodestate.CurrentImageAnnotation] == annotations[nodestate.DesiredImageAnnotation]
}
