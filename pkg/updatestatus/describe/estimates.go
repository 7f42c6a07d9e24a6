package describe

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

const (
	// notAvailable is what the classic text has for a time that is not known.
	notAvailable = "N/A"
	// maxPoolRows is how many pools have a row without node details.
	maxPoolRows = 10
)

// writeEstimates writes when the control plane and each worker pool are expected to be complete, once the nodes of a pool have been
// updating. They are those of the summary, from which the head has the estimate of the whole update: there is no other one of it, and
// none of a part that is the only one left.
func writeEstimates(p *page, u *update.Update) {
	pools := slices.DeleteFunc(slices.Clone(u.Pools), func(pool *update.Pool) bool { return pool.IsComplete() })
	hasControlPlane := !u.ControlPlane.HasCompleted()
	if !slices.ContainsFunc(pools, hasProgress) || len(pools) == 1 && !hasControlPlane {
		return
	}
	rows := newTable("ESTIMATE FOR", "FINISH")
	if hasControlPlane {
		rows.add("control plane", p.clock().finish(controlPlaneEstimate(p.Head), ""))
	}
	listed := pools
	if !p.Details.include(DetailsNodes) {
		listed = pools[:min(len(pools), maxPoolRows)]
	}
	for _, pool := range listed {
		rows.add(pool.Name, p.clock().finish(poolEstimate(p.Head, pool.Name), noEstimateReason(pool)))
	}
	p.blank()
	p.table(rows, p.widthToWrap())
	if more := len(pools) - len(listed); more > 0 {
		p.line("and %s", insight.Count(more, "more pool"))
	}
}

// finish returns when something is expected to be complete, or why that is not known.
func (c clock) finish(estimate *updatev1alpha1.SummaryEstimate, why string) string {
	if estimate == nil {
		return strings.TrimSuffix("unknown: "+why, ": ")
	}
	return c.within(estimate)
}

// controlPlaneEstimate returns that of the control plane in a summary, nil if there is none.
func controlPlaneEstimate(s *updatev1alpha1.UpdateStatusSummaryStatus) *updatev1alpha1.SummaryEstimate {
	return cmp.Or(s.ControlPlane, &updatev1alpha1.ControlPlaneSummary{}).Estimate
}

// poolEstimate returns that of a worker pool in a summary, nil if there is none.
func poolEstimate(s *updatev1alpha1.UpdateStatusSummaryStatus, name string) *updatev1alpha1.SummaryEstimate {
	for at := range s.WorkerPools {
		if s.WorkerPools[at].Name == name {
			return s.WorkerPools[at].Estimate
		}
	}
	return nil
}

// hasProgress returns whether the controller has observed nodes of the pool being updated in this update.
func hasProgress(p *update.Pool) bool {
	if p.Insight == nil {
		return false
	}
	return p.Insight.EstimatedCompletedAt != nil || len(p.Insight.NodeDurations) > 0 ||
		slices.ContainsFunc(p.Nodes, func(node update.Node) bool { return len(node.Phases) > 0 })
}

// noEstimateReason returns why there is no estimate, "" if the controller gives no reason.
func noEstimateReason(p *update.Pool) string {
	if p.Insight == nil {
		return ""
	}
	updating := meta.FindStatusCondition(p.Insight.Conditions, updatev1alpha1.ConditionUpdating)
	switch {
	case updating == nil:
		return ""
	case p.Insight.Reported != nil:
		return p.Insight.Reported.Message
	case p.Insight.NoEstimate != nil:
		return p.Insight.NoEstimate.Message
	case updating.Reason == updatev1alpha1.ReasonPending:
		return "no node has started"
	default:
		return ""
	}
}
