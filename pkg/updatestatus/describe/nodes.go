package describe

import (
	"strings"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
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
	var listed, omitted []update.Node
	for at, node := range nodes {
		if at >= maxNodeRows && !p.Details.include(DetailsNodes) && !node.NeedsAttention() {
			omitted = append(omitted, node)
		} else {
			listed = append(listed, node)
		}
	}
	maxWidth := p.Width
	if p.Details.include(DetailsNodes) {
		maxWidth = p.widthToWrap()
	}
	p.table(tableOf(p, nodeColumns, inText, "NAME", listed), maxWidth)
	writeOmitted(p, omitted)
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

// nodeRemaining returns the remaining time of a node's update, or by how much it is overdue; at most the time for the whole phase if
// nothing tells when that started. The classic text has no words for these.
func (p *page) nodeRemaining(node update.Node) string {
	remaining, since := p.clock().nodeEstimate(node), node.PhaseSince()
	estimate, isKnown := insight.EstimateOf(node.NodeInsight)
	switch {
	case p.isClassic() || !isKnown:
		return remaining
	case since.IsZero():
		return strings.Replace(remaining, "+", "<", 1)
	case remaining != unknownCell:
		return remaining
	}
	late := p.Now.Sub(since.Add(estimate))
	if late < time.Minute {
		return "due now"
	}
	return "overdue by " + p.clock().short(late.Truncate(time.Minute))
}

// nodeEstimate returns the remaining time of a node's update. If the start of the node's phase is not known, it is the time for
// the whole phase. An estimate that has passed is not known.
func (c clock) nodeEstimate(node update.Node) string {
	total, isKnown := insight.EstimateOf(node.NodeInsight)
	if !isKnown {
		return unknownCell
	}
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
