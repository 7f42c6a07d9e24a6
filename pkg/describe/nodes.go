package describe

import (
	"cmp"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// maxNodeRows is how many nodes a table has without node details.
const maxNodeRows = 10

func writeControlPlaneNodes(p *page, cp *controlPlane) {
	if cp.counts.total() == 0 && truncation(cp.conditions) == "" {
		return
	}
	p.blank()
	switch {
	case cp.counts.total() == 0:
	case cp.counts.completed() == cp.counts.total():
		p.line("All control plane nodes successfully updated to %s", cp.target())
	default:
		p.line("Control Plane Nodes")
		writeNodes(p, cp.nodes)
	}
	p.note(truncation(cp.conditions))
}

// writeNodes writes a table of nodes and the counts of those that it omits. The nodes are sorted, the worst first.
func writeNodes(p *page, nodes []*updatev1alpha1.NodeInsight) {
	if len(nodes) == 0 {
		return
	}
	rows := newTable("NAME", "ASSESSMENT", "PHASE", "VERSION", "EST", "MESSAGE")
	var omitted []*updatev1alpha1.NodeInsight
	for i, node := range nodes {
		state := insight.StateOf(node)
		if i >= maxNodeRows && !p.Details.include(DetailsNodes) && !needsAttention(state) {
			omitted = append(omitted, node)
			continue
		}
		message := nodeMessage(node)
		if p.isClassic() {
			message = withoutName(OneLine(node.Message), node.Name)
		}
		rows.add(node.Name, string(state.Assessment()), phaseOf(state), cmp.Or(node.Version, unknownCell), p.clock().nodeEstimate(node, state), message)
	}
	maxWidth := p.Width
	if p.Details.include(DetailsNodes) {
		maxWidth = p.widthToWrap()
	}
	p.table(rows, maxWidth)
	writeOmitted(p, omitted)
}

// nodeMessage returns what is wrong with a node, else how its update goes on.
func nodeMessage(node *updatev1alpha1.NodeInsight) string {
	message := node.Message
	if updating := meta.FindStatusCondition(node.Conditions, updatev1alpha1.ConditionUpdating); message == "" && updating != nil && updating.Status == metav1.ConditionTrue {
		message = updating.Message
	}
	return withoutName(OneLine(message), node.Name)
}

func needsAttention(state insight.NodeState) bool {
	assessment := state.Assessment()
	return assessment == insight.NodeDegraded || assessment == insight.NodeUnavailable
}

func writeOmitted(p *page, omitted []*updatev1alpha1.NodeInsight) {
	if len(omitted) == 0 {
		return
	}
	counts := countNodes(omitted)
	p.line("...")
	p.line("Omitted additional %d Total, %d Completed, %d Available, %d Progressing, %d Outdated, %d Draining, %d Excluded, and %d Degraded nodes.",
		counts.total(), counts.completed(), counts[updatev1alpha1.NodesAvailable], counts[updatev1alpha1.NodesProgressing], counts[updatev1alpha1.NodesOutdated],
		counts[updatev1alpha1.NodesDraining], counts[updatev1alpha1.NodesExcluded], counts[updatev1alpha1.NodesDegraded])
	p.line("Pass along --details=nodes to see all information.")
}

// phaseOf returns the phase as `oc adm upgrade status` names it.
func phaseOf(state insight.NodeState) string {
	switch state.Phase {
	case insight.PhaseCompleted:
		return "Updated"
	case insight.PhaseUnknown:
		return "Unknown"
	default:
		return string(state.Phase)
	}
}

// nodeEstimate returns the remaining time of a node's update. If the start of the node's phase is not known, it is the time for
// the whole phase. An estimate that has passed is not known.
func (c clock) nodeEstimate(node *updatev1alpha1.NodeInsight, state insight.NodeState) string {
	if node.EstToComplete == nil {
		return unknownCell
	}
	total := node.EstToComplete.Duration
	if total < time.Second {
		return "-"
	}
	since := phaseSince(node, state)
	if since.IsZero() {
		return "+" + c.short(total)
	}
	// As clocks differ, a phase may start in the future.
	switch left := min(total, since.Add(total).Sub(c.now)); {
	case left < time.Second:
		return unknownCell
	case left < time.Minute:
		return "+" + c.short(left)
	default:
		return "+" + c.short((left + time.Minute - 1).Truncate(time.Minute))
	}
}

// phaseSince returns the start of the node's current phase, zero if it is not known.
func phaseSince(node *updatev1alpha1.NodeInsight, state insight.NodeState) time.Time {
	for _, phase := range node.Phases {
		if string(phase.Phase) == string(state.Phase) {
			return phase.StartedAt.Time
		}
	}
	return time.Time{}
}
