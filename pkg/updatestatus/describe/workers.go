package describe

import (
	"fmt"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// poolNoun returns what a pool of worker nodes is called.
func poolNoun(u *update.Update) string {
	if u.IsHosted {
		return "Node Pool"
	}
	return "Worker Pool"
}

// writeWorkers writes all worker pools as the classic text has them, if any of them has nodes.
func writeWorkers(p *page, u *update.Update) {
	withNodes := poolsWithNodes(u)
	if len(withNodes) == 0 {
		return
	}
	p.blank()
	p.line("= Worker Upgrade =")
	p.blank()
	p.table(tableOf(p, poolColumns, inText, strings.ToUpper(poolNoun(u)), u.Pools), p.widthToWrap())
	for _, pool := range withNodes {
		p.blank()
		p.line("%s Nodes: %s", poolNoun(u), pool.Name)
		writeNodes(p, pool.Nodes)
		p.note(truncation(pool.Conditions))
	}
}

func poolAssessment(p *update.Pool) string {
	switch {
	case p.Counts.Total == 0:
		return "Empty"
	case p.Insight == nil:
		return string(updatev1alpha1.AssessmentUnknown)
	default:
		return insight.AssessmentText(p.Insight.Assessment)
	}
}

// completion returns the share of nodes that are updated, and their number, unless it is the share of others: a pool whose nodes are
// replaced has more of them than it will have.
func poolCompletion(p *update.Pool) string {
	if p.Counts.Total == 0 {
		return ""
	}
	completed := p.Counts.Completed
	percent := insight.Percent(completed, p.Counts.Total)
	if p.Insight != nil && p.Insight.Completion != percent {
		return fmt.Sprintf("%d%%", p.Insight.Completion)
	}
	return fmt.Sprintf("%d%% (%d/%d)", percent, completed, p.Counts.Total)
}

// poolBar returns the completion of a pool, in texts and on screens behind a bar.
func (p *page) poolBar(pool *update.Pool) string {
	completion := poolCompletion(pool)
	if !p.hasBars || completion == "" {
		return completion
	}
	percent := insight.Percent(pool.Counts.Completed, pool.Counts.Total)
	if pool.Insight != nil {
		percent = pool.Insight.Completion
	}
	return p.bar(percent) + " " + completion
}

// poolStatus returns the counts of nodes: those that every update has, then the exceptions that are not zero; and why the pool
// makes no progress, if it doesn't, but not in the classic text. Beside bars, counts that are zero have no space.
func (p *page) poolStatus(pool *update.Pool) string {
	status := countsOf(pool)
	if p.isClassic() {
		return status
	}
	if p.hasBars {
		status = strings.NewReplacer(", 0 Progressing", "", ", 0 Draining", "").Replace(status)
	}
	if why := pool.Stalled; why != nil {
		status += "; " + checks.Of(why.UID).Predicate(why.Health)
	}
	return status
}

func countsOf(p *update.Pool) string {
	if p.Counts.Total == 0 {
		return "0 Total"
	}
	status := fmt.Sprintf("%d Available, %d Progressing, %d Draining",
		p.Counts.Available, p.Counts.Progressing, p.Counts.Draining)
	if excluded := p.Counts.Excluded; excluded > 0 {
		status += fmt.Sprintf(", %d Excluded", excluded)
	}
	if degraded := p.Counts.Degraded; degraded > 0 {
		status += fmt.Sprintf(", %d Degraded", degraded)
	}
	return status
}
