package describe

import (
	"slices"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// writeWhole writes what follows the head: the pools, the nodes that are not updated, and in full what the details select.
func writeWhole(p *page, u *update.Update) {
	if isUnderway(p.Head) {
		writeOperators(p, &u.ControlPlane)
		p.compact(p.pools(u), "pool")
		writeEstimates(p, u)
		p.nodes(u)
	}
	if len(u.Problems) > 0 && p.Details.include(DetailsHealth) {
		p.blank()
		p.line("= Update Health =")
		writeTree(p, causes.Once(u.Problems))
	}
}

// pools returns the table of the worker pools with nodes, those that are not complete first if there are many.
func (p *page) pools(u *update.Update) compact {
	pools := poolsWithNodes(u)
	if len(pools) > maxRows {
		slices.SortStableFunc(pools, update.CompareCompletion)
	}
	return compactOf(p, poolColumns, inScreen, pools, poolAssessment)
}

// nodes adds the table of the nodes that are not updated or need attention, or with details of all, each in its row and with its version
// where that has space.
func (p *page) nodes(u *update.Update) {
	if !p.Details.include(DetailsNodes) {
		p.compact(p.unfinishedNodes(u), "node")
		return
	}
	nodes, in := u.NodesByUrgency(), inNodes
	if p.Width > 0 && tableOf(p, nodeColumns, in, "", nodes).margin() > p.Width {
		in = inScreenOfPools
	}
	p.compact(compactOf(p, nodeColumns, in, nodes, nil), "node")
}

// unfinishedNodes returns the table of the nodes that are not complete, those that need attention or are being updated first.
func (p *page) unfinishedNodes(u *update.Update) compact {
	nodes := slices.DeleteFunc(u.NodesByUrgency(), func(node update.Node) bool {
		return node.State.Phase == insight.PhaseCompleted && !node.NeedsAttention()
	})
	in := inScreen
	if slices.ContainsFunc(nodes, func(node update.Node) bool { return node.Pool != nodes[0].Pool }) {
		in = inScreenOfPools
	}
	c := compactOf(p, nodeColumns, in, nodes, func(node update.Node) string { return string(node.State.Assessment()) })
	c.isCut = true
	return c
}
