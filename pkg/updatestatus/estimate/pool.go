package estimate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Pool is the update of a pool at a moment. It is filled in this order: Done for each node that is done now, Add for each
// node, Finish.
type Pool struct {
	maxUnavailable            int
	total, completed, waiting int
	paused, degraded          int
	running                   []Progress
	durations                 Durations
	// stalled is why the update is stalled, nil if it is not.
	stalled *updatev1alpha1.MissingEstimate
	// isNext is whether the update of the pool has not started, and nodes that are being updated are on their way to the version
	// before.
	isNext bool
	// lastEvent is when a node last started, went on to its next phase or was done.
	lastEvent time.Time
}

// NewPool returns a pool without nodes, with the durations that its last insight has.
func NewPool(maxUnavailable int32, stored []updatev1alpha1.NodeDurations) *Pool {
	return &Pool{maxUnavailable: int(maxUnavailable), durations: ReadDurations(stored)}
}

// Done adds what a node took to the durations if it is done and was not before.
func (p *Pool) Done(before, after Progress) {
	p.durations.add(durationsOf(before, after))
}

// Add adds a node.
func (p *Pool) Add(node Progress) {
	p.total++
	switch {
	case node.State.Phase == insight.PhaseCompleted:
		p.completed++
		p.Event(node.since)
	case node.State.Updating:
		p.running = append(p.running, node)
		p.Event(node.lastEvent())
	case node.State.Phase == insight.PhasePaused:
		p.paused++
	default:
		p.waiting++
	}
	if node.State.Degraded {
		p.degraded++
	}
}

// Stall records why the update of the pool is stalled, as by a node that does not drain. The first reason counts.
func (p *Pool) Stall(why string) {
	p.stalled = cmp.Or(p.stalled, Missing(updatev1alpha1.NoEstimateStalled, why))
}

// Missing returns why there is no estimate.
func Missing(reason, why string) *updatev1alpha1.MissingEstimate {
	return &updatev1alpha1.MissingEstimate{Reason: reason, Message: insight.Shorten(insight.OneLine(why), updatev1alpha1.MissingEstimateMaxLength)}
}

// Event records that something happened in the pool.
func (p *Pool) Event(at time.Time) {
	if at.After(p.lastEvent) {
		p.lastEvent = at
	}
}

// Finish drops the durations when no node is done, as they are those of another update, and when all are.
func (p *Pool) Finish() {
	if p.completed == 0 || p.completed == p.total {
		p.durations = Durations{}
	}
}

// Wait makes the nodes that are being updated wait for this update as well: they are on their way to the version before.
func (p *Pool) Wait() {
	p.isNext = true
}

// NodesWait returns whether nodes can't be on their way to the target yet: the Machine Config Operator, which gives them its
// configuration, has not started its own update.
func NodesWait(operator *updatev1alpha1.ClusterOperatorInsight) bool {
	return operator.Name == machineConfigOperator && insight.OperatorStateOf(operator).Progress == insight.OperatorWaiting
}

// NodeDurations returns the durations of the nodes that are done.
func (p *Pool) NodeDurations() []updatev1alpha1.NodeDurations {
	return p.durations.list()
}

// Typical returns how long nodes take from the start of a phase on, zero if none is done.
func (p *Pool) Typical(phase insight.NodePhase) time.Duration {
	at := indexOf(updatev1alpha1.NodeUpdatePhase(phase))
	if at < 0 {
		return 0
	}
	return typical(&p.durations[at])
}

// Usual returns how long nodes take from the start of a phase on: the median, and the 90th percentile. They are zero if fewer than three
// are done.
func (p *Pool) Usual(phase insight.NodePhase) (median, long time.Duration) {
	return p.durations.usual(phase)
}

// progressObserved is whether any node was observed to go on in this update. Until then it is not known how long its nodes
// have been in progress.
func (p *Pool) progressObserved() bool {
	return len(p.durations.list()) > 0 || slices.ContainsFunc(p.running, func(node Progress) bool { return len(node.phases) > 0 })
}

// Forecast is when a pool will be complete.
type Forecast struct {
	// from is the moment as of which the forecast is, completedAt when the pool is expected to be complete. Both are zero if
	// that is not known.
	from, completedAt time.Time
	// unknown says why it is not known. It is nil where there is nothing to wait for.
	unknown *updatev1alpha1.MissingEstimate
	// unobserved is whether nodes are in progress whose phases were not observed, as after a restart if they were left out of
	// the object: the estimate before stays.
	unobserved bool
	// nextCheck is when the forecast changes although nothing happens, zero if never.
	nextCheck time.Time
}

// NextCheck returns when the forecast changes although nothing happens, zero if never.
func (f Forecast) NextCheck() time.Time {
	return f.nextCheck
}

// Forecast returns when the pool will be complete, as of its last event. Only whether the pool is stuck depends on now.
func (p *Pool) Forecast(now time.Time) Forecast {
	started := p.completed > 0 || len(p.running) > 0
	switch {
	case p.completed == p.total:
		return Forecast{}
	case p.paused > 0:
		return Forecast{unknown: Missing(updatev1alpha1.NoEstimatePaused, "the pool is paused")}
	case p.degraded > 0:
		return Forecast{unknown: Missing(updatev1alpha1.NoEstimateNodesDegraded, "the pool has degraded nodes")}
	case p.stalled != nil:
		return Forecast{unknown: p.stalled}
	case !started:
		return Forecast{}
	case p.isNext:
		return p.forecastBefore(now)
	case !p.progressObserved():
		return Forecast{unobserved: true}
	}
	if p.lastEvent.After(now) {
		// A clock was set back.
		p.lastEvent = now
	}
	m := newDurationModel(&p.durations)
	limit := time.Duration(m.limit) * time.Second
	if stuck := p.stuck(limit, now); stuck != nil {
		return Forecast{unknown: stuck}
	}
	q := newQueue(p, m, p.lastEvent)
	seconds := q.left(q.each(p.lastEvent, p.running))
	if seconds > insight.MaxEstimate.Seconds() {
		return Forecast{unknown: Missing(updatev1alpha1.NoEstimateTooLong, "at the current pace, the pool takes more than a year")}
	}
	left := time.Duration(seconds) * time.Second
	return Forecast{
		from: p.lastEvent, completedAt: p.lastEvent.Add(left),
		nextCheck: p.longestWait().Add(limit + time.Second),
	}
}

// forecastBefore is that of a pool whose update has not started: there is none, as long as the nodes that it waits for are not stuck.
func (p *Pool) forecastBefore(now time.Time) Forecast {
	if len(p.running) == 0 {
		return Forecast{}
	}
	if stuck := p.stuck(stuckAfter, now); stuck != nil {
		return Forecast{unknown: stuck}
	}
	return Forecast{nextCheck: p.longestWait().Add(stuckAfter + time.Second)}
}

// longestWait returns since when the pool has waited the longest: for a running node, or for one to start.
func (p *Pool) longestWait() time.Time {
	since := p.lastEvent
	for _, node := range p.running {
		if started := node.started(); started.Before(since) {
			since = started
		}
	}
	return since
}

// stuck says why the pool is stuck, nil if it is not: a node takes far longer than the others did, or none has started for
// as long.
func (p *Pool) stuck(limit time.Duration, now time.Time) *updatev1alpha1.MissingEstimate {
	if len(p.running) == 0 && now.Sub(p.lastEvent) > limit {
		return Missing(updatev1alpha1.NoEstimateNoNodeStarts, fmt.Sprintf("for more than %s no node has started, and some wait", insight.Duration(limit)))
	}
	var worst *Progress
	for at := range p.running {
		node := &p.running[at]
		if now.Sub(node.started()) > limit && (worst == nil || compareStarts(node, worst) < 0) {
			worst = node
		}
	}
	if worst == nil {
		return nil
	}
	return Missing(updatev1alpha1.NoEstimateNodeStuck,
		fmt.Sprintf("node %s has been updating for more than %s, far longer than nodes take", worst.Name, insight.Duration(limit)))
}

// compareStarts compares by the start, then by the name.
func compareStarts(a, b *Progress) int {
	return cmp.Or(a.started().Compare(b.started()), cmp.Compare(a.Name, b.Name))
}

// Tolerance is by how much an estimate must move to be worth a write, poolTolerance the same for a pool as a share of the time
// that is left.
const (
	Tolerance     = 30 * time.Second
	poolTolerance = 0.05
)

// Set sets the forecast in the insight of a pool; before is its last insight, nil if there is none.
func (f Forecast) Set(pool, before *updatev1alpha1.MachineConfigPoolInsight) {
	pool.EstimatedCompletedAt, pool.NoEstimate = nil, f.unknown
	if f.unobserved && before != nil {
		pool.EstimatedCompletedAt = before.EstimatedCompletedAt
	}
	if !f.completedAt.IsZero() {
		at := metav1.NewTime(f.completedAt)
		pool.EstimatedCompletedAt = &at
		if before != nil {
			tolerance := max(Tolerance, time.Duration(poolTolerance*float64(f.completedAt.Sub(f.from))))
			Stabilize(&pool.EstimatedCompletedAt, before.EstimatedCompletedAt, tolerance)
		}
	}
}

// Stabilize replaces an estimate by the one before if it moved by less than a tolerance.
func Stabilize(estimate **metav1.Time, before *metav1.Time, tolerance time.Duration) {
	if *estimate != nil && before != nil && (*estimate).Sub(before.Time).Abs() < tolerance {
		*estimate = before.DeepCopy()
	}
}
