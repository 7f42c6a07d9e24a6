package describe

import (
	"fmt"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// poolNoun returns what a pool of worker nodes is called.
func (c *cluster) poolNoun() string {
	if c.isHosted {
		return "Node Pool"
	}
	return "Worker Pool"
}

// writeWorkers writes all worker pools, if any of them has nodes.
func writeWorkers(p *page, c *cluster) {
	pools := c.workerPools
	var total int32
	rows := newTable(strings.ToUpper(c.poolNoun()), "ASSESSMENT", "COMPLETION", "STATUS")
	for _, pool := range pools {
		total += pool.counts.total()
		rows.add(pool.name, pool.assessment(), pool.completion(), pool.status())
	}
	if total == 0 {
		return
	}
	p.blank()
	p.line("= Worker Upgrade =")
	p.blank()
	p.table(rows, p.widthToWrap())
	writeEstimates(p, c)
	for _, pool := range pools {
		if pool.counts.total() == 0 {
			continue
		}
		p.blank()
		p.line("%s Nodes: %s", c.poolNoun(), pool.name)
		writeNodes(p, pool.nodes)
		p.note(truncation(pool.conditions))
	}
}

func (p *workerPool) assessment() string {
	switch {
	case p.counts.total() == 0:
		return "Empty"
	case p.pool == nil:
		return string(updatev1alpha1.AssessmentUnknown)
	default:
		return string(p.pool.Assessment)
	}
}

// completion returns the share of nodes that are updated, and their number, unless it is the share of others: a pool whose nodes are
// replaced has more of them than it will have.
func (p *workerPool) completion() string {
	if p.counts.total() == 0 {
		return ""
	}
	completed := p.counts.completed()
	percent := completed * 100 / p.counts.total()
	if p.pool != nil && p.pool.Completion != percent {
		return fmt.Sprintf("%d%%", p.pool.Completion)
	}
	return fmt.Sprintf("%d%% (%d/%d)", percent, completed, p.counts.total())
}

// status returns the counts of nodes: those that every update has, then the exceptions that are not zero.
func (p *workerPool) status() string {
	if p.counts.total() == 0 {
		return "0 Total"
	}
	status := fmt.Sprintf("%d Available, %d Progressing, %d Draining",
		p.counts[updatev1alpha1.NodesAvailable], p.counts[updatev1alpha1.NodesProgressing], p.counts[updatev1alpha1.NodesDraining])
	if excluded := p.counts[updatev1alpha1.NodesExcluded]; excluded > 0 {
		status += fmt.Sprintf(", %d Excluded", excluded)
	}
	if degraded := p.counts[updatev1alpha1.NodesDegraded]; degraded > 0 {
		status += fmt.Sprintf(", %d Degraded", degraded)
	}
	return status
}
