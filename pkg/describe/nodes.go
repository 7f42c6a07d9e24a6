package describe

import (
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// nodeRows is how many nodes a table shows without node details.
const nodeRows = 10

func writeControlPlaneNodes(p *page, cp *controlPlane) {
	if cp.counts.total == 0 && leftOut(cp.conditions) == nil {
		return
	}
	p.blank()
	switch {
	case cp.counts.total == 0:
	case cp.counts.completed() == cp.counts.total:
		p.line("All control plane nodes successfully updated to %s", cp.target())
	default:
		p.line("Control Plane Nodes")
		writeNodes(p, cp.nodes)
	}
	p.note(cp.conditions)
}

// writeNodes writes a table of nodes, and counts those that it leaves out. The nodes are in their order already, so that
// the ones that matter most come first.
func writeNodes(p *page, nodes []*updatev1alpha1.NodeInsight) {
	if len(nodes) == 0 {
		return
	}
	rows := newTable("NAME", "ASSESSMENT", "PHASE", "VERSION", "EST", "MESSAGE")
	var omitted []*updatev1alpha1.NodeInsight
	for at, node := range nodes {
		state := insight.StateOf(node)
		if at >= nodeRows && !p.Details.include(DetailsNodes) && !needsAttention(state) {
			omitted = append(omitted, node)
			continue
		}
		message := withoutName(oneLine(node.Message), node.Name)
		rows.add(node.Name, string(state.Assessment()), phaseOf(state), orUnknown(node.Version), estimateOf(node, state, p.Now), message)
	}
	p.table(rows, cutUnless(p.Details.include(DetailsNodes)))
	writeOmitted(p, omitted)
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
		counts.total, counts.completed(), counts.available, counts.progressing, counts.outdated, counts.draining, counts.excluded, counts.degraded)
	p.line("Pass along --details=nodes to see all information.")
}

// phaseOf is the phase as people know it.
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

// estimateOf is how long the update of a node still takes. Where it is not known since when the node is in its phase, it is
// the time for all of the phase. An estimate that has passed is none.
func estimateOf(node *updatev1alpha1.NodeInsight, state insight.NodeState, now time.Time) string {
	if node.EstToComplete == nil {
		return unknownCell
	}
	whole := node.EstToComplete.Duration
	if whole < time.Second {
		return "-"
	}
	since := phaseSince(node, state)
	if since.IsZero() {
		return "+" + short(whole)
	}
	// Clocks differ: a phase that begins later than now begins now.
	switch left := min(whole, since.Add(whole).Sub(now)); {
	case left < time.Second:
		return unknownCell
	case left < time.Minute:
		return "+" + short(left)
	default:
		return "+" + short((left + time.Minute - 1).Truncate(time.Minute))
	}
}

// phaseSince is when the node was first seen in its present phase, zero if that is not known.
func phaseSince(node *updatev1alpha1.NodeInsight, state insight.NodeState) time.Time {
	for _, phase := range node.Phases {
		if string(phase.Phase) == string(state.Phase) {
			return phase.StartedAt.Time
		}
	}
	return time.Time{}
}
