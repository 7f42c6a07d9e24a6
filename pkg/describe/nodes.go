package describe

import (
	"cmp"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

// maxNodeRows is how many nodes a table has without node details.
const maxNodeRows = 10

func writeControlPlaneNodes(p *page, cp *update.ControlPlane) {
	if cp.Counts.Total == 0 && truncation(cp.Conditions) == "" {
		return
	}
	p.blank()
	switch {
	case cp.Counts.Total == 0:
	case cp.Counts.Completed == cp.Counts.Total:
		p.line("All control plane nodes successfully updated to %s", targetVersion(cp))
	default:
		p.line("Control Plane Nodes")
		writeNodes(p, cp.Nodes)
	}
	p.note(truncation(cp.Conditions))
}

// writeNodes writes a table of nodes and the counts of those that it omits. The nodes are sorted, the worst first.
func writeNodes(p *page, nodes []update.Node) {
	if len(nodes) == 0 {
		return
	}
	rows := newTable("NAME", "ASSESSMENT", "PHASE", "VERSION", "EST", "MESSAGE")
	var omitted []update.Node
	for i, node := range nodes {
		state := node.State
		if i >= maxNodeRows && !p.Details.include(DetailsNodes) && !needsAttention(state) {
			omitted = append(omitted, node)
			continue
		}
		message := nodeMessage(node)
		if p.isClassic() {
			message = withoutName(OneLine(node.Message), node.Name)
		}
		rows.add(node.Name, string(state.Assessment()), phaseOf(state), cmp.Or(node.Version, unknownCell), p.clock().nodeEstimate(node), message)
	}
	maxWidth := p.Width
	if p.Details.include(DetailsNodes) {
		maxWidth = p.widthToWrap()
	}
	p.table(rows, maxWidth)
	writeOmitted(p, omitted)
}

// nodeMessage returns what is wrong with a node, else how its update goes on.
func nodeMessage(node update.Node) string {
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

func writeOmitted(p *page, omitted []update.Node) {
	if len(omitted) == 0 {
		return
	}
	counts := update.CountNodes(omitted)
	p.line("...")
	p.line("Omitted additional %d Total, %d Completed, %d Available, %d Progressing, %d Outdated, %d Draining, %d Excluded, and %d Degraded nodes.",
		counts.Total, counts.Completed, counts.Available, counts.Progressing, counts.Outdated(), counts.Draining, counts.Excluded, counts.Degraded)
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
func (c clock) nodeEstimate(node update.Node) string {
	if node.EstToComplete == nil {
		return unknownCell
	}
	total := node.EstToComplete.Duration
	if total < time.Second {
		return "-"
	}
	since := node.PhaseSince()
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
