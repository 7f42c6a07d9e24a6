package describe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

const (
	// notAvailable is the cell of a time that is not known.
	notAvailable = "N/A"
	// maxNamedPools is how many pools without an estimate are named in a note.
	maxNamedPools = 3
	// maxPoolRows is how many pools have a row without node details.
	maxPoolRows = 10
)

// forecast is when something is expected to be complete.
type forecast struct {
	// at is zero if that is not known.
	at time.Time
	// note is why at is not known, or which pools it excludes.
	note string
}

// writeEstimates writes the remaining times of the worker pools and of the whole update, once the nodes of a pool have been
// updating. The classic text has none.
func writeEstimates(p *page, u *update.Update) {
	pools := slices.DeleteFunc(slices.Clone(u.Pools), func(pool *update.Pool) bool { return pool.IsComplete() })
	if !slices.ContainsFunc(pools, hasProgress) {
		return
	}
	rows := newTable("ESTIMATE FOR", "TIME REMAINING", "NOTE")
	var lastPool time.Time
	var without []string
	for i, pool := range pools {
		own := forecastOf(pool, p.clock())
		if own.at.IsZero() {
			without = append(without, pool.Name)
		} else if own.at.After(lastPool) {
			lastPool = own.at
		}
		if i < maxPoolRows || p.Details.include(DetailsNodes) {
			rows.add(pool.Name, own.remaining(p.clock()), own.note)
		}
	}
	all := forecast{at: lastPool, note: withoutPools(without, len(pools))}
	if len(pools) > 1 {
		rows.add("all workers", all.remaining(p.clock()), all.note)
	}
	whole := combine(&u.ControlPlane, all, p.clock())
	rows.add("whole cluster", whole.remaining(p.clock()), whole.note)
	p.blank()
	p.table(rows, p.widthToWrap())
}

// withoutPools returns which of the pools have no estimate, "" if all have one.
func withoutPools(names []string, pools int) string {
	if len(names) == 0 {
		return ""
	}
	note := "without "
	if len(names) == pools {
		note = "no estimate for "
	}
	if more := len(names) - maxNamedPools; more > 0 {
		return note + fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamedPools], ", "), more)
	}
	return note + strings.Join(names, ", ")
}

// hasProgress returns whether the controller has observed nodes of the pool being updated in this update.
func hasProgress(p *update.Pool) bool {
	if p.Insight == nil {
		return false
	}
	return p.Insight.EstimatedCompletedAt != nil || len(p.Insight.NodeDurations) > 0 ||
		slices.ContainsFunc(p.Nodes, func(node update.Node) bool { return len(node.Phases) > 0 })
}

func forecastOf(p *update.Pool, c clock) forecast {
	if p.Insight == nil || p.Insight.EstimatedCompletedAt == nil {
		return forecast{note: noEstimateReason(p)}
	}
	return c.usable(p.Insight.EstimatedCompletedAt.Time)
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
	case updating.Message == "" && updating.Reason == updatev1alpha1.ReasonPending:
		return "no node has started"
	default:
		return strings.TrimPrefix(updating.Message, insight.NoEstimate)
	}
}

// isUnpredictable returns whether the controller is unable to estimate the pool: it is paused, has degraded nodes, or is
// stuck.
func isUnpredictable(p *update.Pool) bool {
	updating := meta.FindStatusCondition(p.Insight.Conditions, updatev1alpha1.ConditionUpdating)
	return updating != nil && strings.HasPrefix(updating.Message, insight.NoEstimate)
}

// usable returns an estimate, unless it has passed by more than its tolerance.
func (c clock) usable(at time.Time) forecast {
	if passed := c.now.Sub(at); passed > estimateTolerance {
		return forecast{note: fmt.Sprintf("the estimate passed %s ago", c.wholeMinutes(passed))}
	}
	return forecast{at: at}
}

// combine returns when both the control plane and the workers are complete.
func combine(cp *update.ControlPlane, workers forecast, c clock) forecast {
	if cp.HasCompleted() || workers.at.IsZero() {
		return workers
	}
	own := forecast{}
	if cp.Version != nil && cp.Version.EstimatedCompletedAt != nil && architectureOf(cp.Version.Versions) == "" {
		own = c.usable(cp.Version.EstimatedCompletedAt.Time)
	}
	if own.at.IsZero() {
		return forecast{note: "the control plane has no estimate"}
	}
	if own.at.After(workers.at) {
		workers.at = own.at
	}
	return workers
}

func (f forecast) remaining(c clock) string {
	switch remaining := f.at.Sub(c.now); {
	case f.at.IsZero():
		return notAvailable
	case remaining < estimateTolerance:
		return "<10m"
	default:
		return c.rounded(remaining)
	}
}
