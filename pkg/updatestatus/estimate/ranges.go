package estimate

import (
	"math"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

const (
	// paceVariance is how uncertain the pace of the operators is as a measure of the whole update of the control plane.
	paceVariance = 0.3 * 0.3
	// paceAfter is how long an update must have taken before its pace counts, and caution the factor by which that estimate extends
	// what is left: pkg/updatestatus/assess.
	paceAfter = 5 * time.Minute
	caution   = 1.2
	// soon is when a pool starts at the latest once others have.
	soon = 10 * time.Minute

	machineConfigOperator = "machine-config"
	masterPool            = "master"
)

// finishing is how long the control plane takes to complete after the last of its nodes and operators.
var finishing = span{0, 20, 60}

// Update is an update that goes on.
type Update struct {
	Now     time.Time
	History History
	// Version has a start.
	Version   *updatev1alpha1.ClusterVersionInsight
	Versions  updatev1alpha1.SummaryVersions
	Operators []*updatev1alpha1.ClusterOperatorInsight
	// Pools are those with nodes, that of the control plane included.
	Pools []PoolNodes
}

// PoolNodes is a pool with its nodes.
type PoolNodes struct {
	Insight *updatev1alpha1.MachineConfigPoolInsight
	Nodes   []*updatev1alpha1.NodeInsight
}

// Ranges returns when the control plane and each pool, by its name, will be complete. What is complete has no range, nor what
// waits for an administrator: a pool that is paused, stuck or has degraded nodes.
func (u Update) Ranges() (controlPlane *updatev1alpha1.SummaryEstimate, pools map[string]*updatev1alpha1.SummaryEstimate) {
	pools = map[string]*updatev1alpha1.SummaryEstimate{}
	whole := u.controlPlane()
	left, isLast := u.operatorsLeft()
	controlPlane = u.estimate(whole.rest(u.elapsed()), whole.basis)
	if isLast && len(left) == 0 {
		controlPlane = u.estimate(finishing, updatev1alpha1.BasisObserved)
	}
	read, isStarted := u.read(isLast)
	for at, one := range u.Pools {
		isMaster := one.Insight.Name == masterPool && isLast
		if read[at].Forecast(u.Now).unknown != nil {
			if isMaster {
				controlPlane = nil
			}
			continue
		}
		if read[at].completed == read[at].total {
			continue
		}
		takes, basis := u.nodes(one.Insight.Name, read[at])
		if !read[at].isStarted() {
			takes = u.start(one.Insight.Name, whole, isStarted).then(takes)
		}
		pools[one.Insight.Name] = u.estimate(takes, basis)
		if isMaster {
			controlPlane = u.estimate(takes.then(finishing), basis)
		}
	}
	if u.Version.CompletedAt != nil {
		controlPlane = nil
	}
	return controlPlane, pools
}

// read returns the pools, and whether they have started.
func (u Update) read(isLast bool) (read []*Pool, isStarted bool) {
	isStarted = u.Version.CompletedAt != nil || isLast
	for _, one := range u.Pools {
		pool := u.readPool(one)
		read, isStarted = append(read, pool), isStarted || pool.isStarted()
	}
	return read, isStarted
}

func (u Update) elapsed() float64 {
	return max(u.Now.Sub(u.Version.StartedAt.Time).Seconds(), 0)
}

// estimate returns a span from now on, to the second.
func (u Update) estimate(s span, basis updatev1alpha1.EstimateBasis) *updatev1alpha1.SummaryEstimate {
	in := func(seconds float64) metav1.Time {
		return metav1.NewTime(u.Now.Add(time.Duration(min(seconds, longestUpdate.Seconds()) * float64(time.Second))).Truncate(time.Second))
	}
	return &updatev1alpha1.SummaryEstimate{Earliest: in(s.low), Latest: in(s.high), Basis: basis}
}

// controlPlane returns how long the whole update of the control plane takes: from the records, and from its own pace, if that is
// known.
func (u Update) controlPlane() distribution {
	known := u.History.controlPlane(u.Versions)
	expected := u.Version.EstimatedCompletedAt
	if expected == nil || u.Version.Completion == 0 || u.elapsed() < paceAfter.Seconds() {
		return known
	}
	rest := expected.Sub(u.Now).Seconds()
	if rest > 0 {
		rest /= caution
	} else {
		rest *= caution
	}
	return known.with(distribution{math.Log(max(u.elapsed()+rest, 1)), paceVariance, updatev1alpha1.BasisObserved})
}

// operatorsLeft returns the operators that are not updated, and whether the Machine Config Operator, which updates the nodes, is the last one.
func (u Update) operatorsLeft() (left []string, isLast bool) {
	for _, one := range u.Operators {
		if insight.OperatorStateOf(one).Progress != insight.OperatorUpdated {
			left = append(left, one.Name)
		}
	}
	return left, len(u.Operators) > 0 && (len(left) == 0 || slices.Equal(left, []string{machineConfigOperator}))
}

func (u Update) readPool(one PoolNodes) *Pool {
	pool := NewPool(one.Insight.MaxUnavailable, one.Insight.NodeDurations)
	for _, node := range one.Nodes {
		pool.Add(ProgressOf(node))
	}
	pool.Finish()
	if slices.ContainsFunc(u.Operators, NodesWait) {
		pool.Wait()
	}
	return pool
}

func (p *Pool) isStarted() bool {
	return !p.isNext && (p.completed > 0 || len(p.running) > 0)
}

// start returns when a pool starts: all start when the Machine Config Operator does.
func (u Update) start(pool string, controlPlane distribution, isStarted bool) span {
	if isStarted {
		return span{0, soon.Seconds() / 10, soon.Seconds()}
	}
	share, deviation := u.History.start(pool)
	whole, elapsed := spread(controlPlane.seconds(), controlPlane.variance), u.elapsed()
	middle, off := share*whole.middle, width*deviation*whole.middle
	return span{
		low:    max(middle-math.Hypot(share*(whole.middle-whole.low), off)-elapsed, 0),
		middle: max(middle-elapsed, 0),
		high:   max(middle+math.Hypot(share*(whole.high-whole.middle), off)-elapsed, overdue*elapsed),
	}
}

// nodes returns how long the nodes of a pool take that are left: from the records, and from those that are done.
func (u Update) nodes(name string, pool *Pool) (span, updatev1alpha1.EstimateBasis) {
	level, sample, variance := u.known(name, pool)
	scaled := sample.scale(level.mean)
	model := newDurationModel(&scaled)
	q := newQueue(pool, model, u.Now)
	middle := max(q.left(q.each(u.Now, pool.running)), 1)
	left := float64(pool.waiting) + float64(len(pool.running))/2
	return spread(middle, level.variance+(math.Exp(min(variance, mixedVariance))-1)/max(left, 1)), level.basis
}

// known returns what is known of how long nodes of a pool take, a sample of it, and how much they differ.
func (u Update) known(name string, pool *Pool) (level distribution, sample Durations, variance float64) {
	if pool.isNext {
		pool.waiting, pool.running = pool.waiting+len(pool.running), nil
	}
	level, sample = u.History.nodes(name)
	_, variance = logarithms(sample[wholeUpdate].Seconds)
	if done := pool.durations[wholeUpdate]; len(done.Seconds) > 0 {
		mean, spread := logarithms(done.Seconds)
		level = level.with(distribution{mean, spread / float64(max(done.Count, 1)), updatev1alpha1.BasisObserved})
		sample = sample.with(pool.durations)
		if len(done.Seconds) > knownNodes {
			variance = spread
		}
	}
	return level, sample, variance
}
