package describe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

const (
	// notAvailable stands for a time that nobody knows.
	notAvailable = "N/A"
	// namedPools is how many pools are named that an estimate does without.
	namedPools = 3
	// poolRows is how many pools have a row of their own without node details.
	poolRows = 10
)

// forecast is when something is expected to be complete.
type forecast struct {
	// at is zero if that is not known, and note says why not, or what it does without.
	at   time.Time
	note string
}

// writeEstimates writes how long the worker pools, and the whole update, still take. Nothing is written while no pool has
// been seen to get on.
func writeEstimates(p *page, c *cluster) {
	pools := slices.DeleteFunc(slices.Clone(c.workerPools), func(pool *workerPool) bool { return !pool.unfinished() })
	if !slices.ContainsFunc(pools, (*workerPool).isSeen) {
		return
	}
	rows := newTable("ESTIMATE FOR", "TIME REMAINING", "NOTE")
	var workers time.Time
	var without []string
	for at, pool := range pools {
		own := pool.forecast(p.Now)
		if own.at.IsZero() {
			without = append(without, pool.name)
		} else if own.at.After(workers) {
			workers = own.at
		}
		if at < poolRows || p.Details.include(DetailsNodes) {
			rows.add(pool.name, own.remaining(p.Now), own.note)
		}
	}
	all := forecast{at: workers, note: withoutPools(without, len(pools))}
	if len(pools) > 1 {
		rows.add("all workers", all.remaining(p.Now), all.note)
	}
	update := c.controlPlane.together(all, p.Now)
	rows.add("whole cluster", update.remaining(p.Now), update.note)
	p.blank()
	p.table(rows, whole)
}

// withoutPools says which of the pools an estimate does without.
func withoutPools(names []string, of int) string {
	if len(names) == 0 || len(names) == of {
		return ""
	}
	if more := len(names) - namedPools; more > 0 {
		return fmt.Sprintf("without %s and %d more", strings.Join(names[:namedPools], ", "), more)
	}
	return "without " + strings.Join(names, ", ")
}

// isSeen is whether the controller has seen the pool get on in this update.
func (p *workerPool) isSeen() bool {
	if p.pool == nil {
		return false
	}
	return p.pool.EstimatedCompletedAt != nil || len(p.pool.NodeDurations) > 0 ||
		slices.ContainsFunc(p.nodes, func(node *updatev1alpha1.NodeInsight) bool { return len(node.Phases) > 0 })
}

func (p *workerPool) forecast(now time.Time) forecast {
	if p.pool == nil || p.pool.EstimatedCompletedAt == nil {
		return forecast{note: p.unknown()}
	}
	return usable(p.pool.EstimatedCompletedAt.Time, now)
}

// unknown is why there is no estimate, as far as the controller says.
func (p *workerPool) unknown() string {
	if p.pool == nil {
		return ""
	}
	updating := meta.FindStatusCondition(p.pool.Conditions, updatev1alpha1.ConditionUpdating)
	switch {
	case updating == nil:
		return ""
	case updating.Message == "" && updating.Reason == updatev1alpha1.ReasonPending:
		return "no node has begun"
	default:
		return strings.TrimPrefix(updating.Message, insight.NoEstimate)
	}
}

// isUnpredictable is whether the controller says that it can't tell when the pool is complete: it is paused, has degraded
// nodes, or is stuck.
func (p *workerPool) isUnpredictable() bool {
	updating := meta.FindStatusCondition(p.pool.Conditions, updatev1alpha1.ConditionUpdating)
	return updating != nil && strings.HasPrefix(updating.Message, insight.NoEstimate)
}

// usable is an estimate, unless it has passed by more than its tolerance.
func usable(at, now time.Time) forecast {
	if passed := now.Sub(at); passed > estimateTolerance {
		return forecast{note: fmt.Sprintf("the estimate passed %s ago", cut(passed))}
	}
	return forecast{at: at}
}

// together is when the control plane and the workers are complete.
func (cp *controlPlane) together(workers forecast, now time.Time) forecast {
	if cp.complete() || workers.at.IsZero() {
		return workers
	}
	own := forecast{}
	if cp.version != nil && cp.version.EstimatedCompletedAt != nil && architectureOf(cp.version.Versions) == "" {
		own = usable(cp.version.EstimatedCompletedAt.Time, now)
	}
	if own.at.IsZero() {
		return forecast{note: "the control plane has no estimate"}
	}
	if own.at.After(workers.at) {
		workers.at = own.at
	}
	return workers
}

func (f forecast) remaining(now time.Time) string {
	switch remaining := f.at.Sub(now); {
	case f.at.IsZero():
		return notAvailable
	case remaining < estimateTolerance:
		return "<10m"
	default:
		return rounded(remaining)
	}
}
