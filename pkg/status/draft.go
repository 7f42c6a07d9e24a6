package status

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// draft is a complete status, taken apart into what may be left out of it.
type draft struct {
	made *updatev1alpha1.UpdateStatusStatus
	// memory has what the insights are worth.
	memory *Memory
	// frame is what is never left out.
	frame size
	parts []*part
	// Each of these may be left out: the operators, the worker pools with all that is in them, the health insights and the
	// nodes.
	operators, pools, health, nodes []*item
	// leavingOut is whether anything is. Otherwise every item stays.
	leavingOut bool
}

// part is a part of the cluster in a draft.
type part struct {
	// worker is nil for the control plane.
	worker     *updatev1alpha1.WorkerPool
	conditions *[]metav1.Condition
	informers  []updatev1alpha1.Informer
	// items are the insights of each informer, in their order. Those of others have none.
	items [][]*item
	// pool is the item of the worker pool itself; nil for what is never left out.
	pool *item
}

// item is something that may be left out.
type item struct {
	*worth

	one *updatev1alpha1.Insight
	// part is where an insight belongs, or what is left out with a pool.
	part *part
	// before is whether it was in the object before.
	before bool
	// in is whether it stays.
	in bool
}

func newDraft(made, previous *updatev1alpha1.UpdateStatusStatus, memory *Memory) *draft {
	d := &draft{made: made, memory: memory, frame: sizeOfStatus(made)}
	before, poolsBefore := storedIn(previous)
	if made.ControlPlane != nil {
		d.take(&part{conditions: &made.ControlPlane.Conditions, informers: made.ControlPlane.Informers}, before)
	}
	for at := range made.WorkerPools {
		pool := &made.WorkerPools[at]
		p := &part{worker: pool, conditions: &pool.Conditions, informers: pool.Informers}
		size := sizeOfPool(pool)
		if slices.ContainsFunc(pool.Informers, func(informer updatev1alpha1.Informer) bool { return !isOurs(informer) }) {
			d.frame.add(&size)
		} else {
			p.pool = &item{part: p, worth: &worth{size: size, hash: hashOf(pool.Name)}, before: poolsBefore[pool.Name]}
			d.pools = append(d.pools, p.pool)
		}
		d.take(p, before)
	}
	return d
}

// take enters the insights of a part.
func (d *draft) take(p *part, before map[itemKey]bool) {
	d.parts = append(d.parts, p)
	p.items = make([][]*item, len(p.informers))
	for i := range p.informers {
		informer := &p.informers[i]
		if !isOurs(*informer) {
			for j := range informer.Insights {
				size := sizeOf(&informer.Insights[j])
				// What others wrote is not cut either.
				d.frame.fixed += size.at(0)
			}
			continue
		}
		items := make([]item, len(informer.Insights))
		p.items[i] = make([]*item, len(items))
		for j := range items {
			one := &informer.Insights[j]
			items[j] = item{
				one: one, part: p, worth: d.memory.worthOf(insight.Source(informer.Name), one),
				before: before[itemKey{informer.Name, one.UID}],
			}
			p.items[i][j] = &items[j]
			d.file(&items[j])
		}
	}
}

// file enters an insight where it belongs.
func (d *draft) file(one *item) {
	switch {
	case one.one.Node != nil:
		d.nodes = append(d.nodes, one)
	case one.one.Health != nil:
		d.health = append(d.health, one)
	case one.one.ClusterOperator != nil:
		d.operators = append(d.operators, one)
	case one.one.MachineConfigPool != nil && one.part.pool != nil:
		one.in = true
		one.part.pool.class = one.class
		one.part.pool.size.add(&one.size)
	default:
		one.in = true
		d.frame.add(&one.size)
	}
}

// whole is the size of everything.
func (d *draft) whole() size {
	whole := d.frame
	for _, items := range [][]*item{d.operators, d.pools, d.health, d.nodes} {
		for _, one := range items {
			whole.add(&one.size)
		}
	}
	return whole
}

// emit puts together what stays, with its texts cut to a limit.
func (d *draft) emit(limit int) {
	for _, p := range d.parts {
		for i := range p.items {
			d.emitInformer(&p.informers[i], p.items[i], limit)
		}
		shortenConditions(*p.conditions, textLimits[limit])
	}
	shortenConditions(d.made.Conditions, textLimits[limit])
}

// dropPools takes out the pools that do not stay.
func (d *draft) dropPools() {
	if !d.leavingOut {
		return
	}
	var pools []updatev1alpha1.WorkerPool
	for _, p := range d.parts {
		if p.worker != nil && (p.pool == nil || p.pool.in) {
			pools = append(pools, *p.worker)
		}
	}
	d.made.WorkerPools = pools
}

func (d *draft) emitInformer(informer *updatev1alpha1.Informer, items []*item, limit int) {
	changes := func(one *item) bool { return !d.stays(one) || limit > 0 && one.size.long() }
	if !slices.ContainsFunc(items, changes) {
		return
	}
	var insights []updatev1alpha1.Insight
	for _, one := range items {
		if d.stays(one) {
			insights = append(insights, shortened(one.one, textLimits[limit]))
		}
	}
	informer.Insights = insights
}

func (d *draft) stays(one *item) bool {
	return one.in || !d.leavingOut
}

type itemKey struct{ informer, uid string }

// storedIn returns what a status holds: insights of this controller, and pools.
func storedIn(status *updatev1alpha1.UpdateStatusStatus) (insights map[itemKey]bool, pools map[string]bool) {
	insights, pools = map[itemKey]bool{}, map[string]bool{}
	for part, informers := range informersOf(status) {
		if part != insight.ControlPlane {
			pools[part.WorkerPool] = true
		}
		for _, informer := range informers {
			for at := range informer.Insights {
				insights[itemKey{informer.Name, informer.Insights[at].UID}] = true
			}
		}
	}
	return insights, pools
}
