package truncate

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

const (
	// MaxObjectBytes is what the object may take in etcd, as JSON with its managedFields. etcd refuses 1.5 MiB, and all clients
	// that watch the object receive all of it with each write.
	MaxObjectBytes = 1 << 20

	// metadataBytes is left for the object's own metadata (labels, annotations, the frame of managedFields), and as a margin.
	metadataBytes = 32 << 10

	// statusBytes is what the status may grow to.
	statusBytes = MaxObjectBytes - metadataBytes

	// slackBytes is left free when something comes in again: a text that grows and shrinks by a few bytes moves nothing.
	slackBytes = 8 << 10

	// poolsReserve is left by pools for what needs attention.
	poolsReserve = 64 << 10

	// routineReserve is left by routine nodes for all else. Each write costs all of the object, and their pools count them.
	routineReserve = 128 << 10

	// maxWorkerPools is what the schema allows.
	maxWorkerPools = 1024
)

// Input is what a status is truncated by.
type Input struct {
	// Previous is the status before: what it has stays rather than what it has not.
	Previous *updatev1alpha1.UpdateStatusStatus
	// Item returns the item of an insight of this controller.
	Item func(source insight.Source, one *updatev1alpha1.Insight) *Item
	// Rejected returns why the API server rejects an insight of this controller, empty if it does not. It is left out.
	Rejected func(source insight.Source, uid string) string
	// Complete and NodesComplete are whether all sources, and that of nodes, are complete. The insights of a source that is
	// not are those of the previous status, and what is left out of them is what was left out of that.
	Complete, NodesComplete bool
	Now                     metav1.Time
}

// truncator truncates a status.
type truncator struct {
	Input

	status *updatev1alpha1.UpdateStatusStatus
	parts  []*part
	// before are the conditions of the parts of the previous status, by their names.
	before map[string][]metav1.Condition
	// pools are the worker pools that may be left out, and tiers the insights.
	pools []*placement
	tiers [insight.Tiers][]*placement
	// bytes is how many the truncated status takes.
	bytes int
}

// Status truncates a status so that the object stays below MaxObjectBytes, and returns it as JSON.
func Status(status *updatev1alpha1.UpdateStatusStatus, in Input) []byte {
	t := &truncator{Input: in, status: status, before: map[string][]metav1.Condition{}}
	for _, p := range partsOf(in.Previous) {
		t.before[p.name()] = *p.conditions
	}
	for _, p := range partsOf(status) {
		t.add(p)
	}
	t.reserveConditions()
	limit, fits := t.textLimit()
	if !fits {
		limit = len(textLimits) - 1
		t.leaveOut(limit)
	}
	t.apply(limit)
	return t.encode(limit)
}

// add adds a part and its insights.
func (t *truncator) add(p *part) {
	t.parts = append(t.parts, p)
	t.leaveOutRejected(p)
	isForeign := func(informer updatev1alpha1.Informer) bool { return !insight.IsSource(informer.Name) }
	if p.pool != nil && !slices.ContainsFunc(p.informers, isForeign) {
		p.whole = &placement{part: p, priority: p.priority(), hash: hashOf(p.pool.Name), in: true}
		t.pools = append(t.pools, p.whole)
	}
	p.insights = make([][]*placement, len(p.informers))
	for i, informer := range p.informers {
		p.insights[i] = make([]*placement, len(informer.Insights))
		item := newForeignItem
		if !isForeign(informer) {
			item = func(one *updatev1alpha1.Insight) *Item { return t.Item(insight.Source(informer.Name), one) }
		}
		for j := range informer.Insights {
			one := &placement{Item: item(&informer.Insights[j]), part: p, in: true}
			p.insights[i][j] = one
			if one.kind.Priority != nil {
				one.priority, one.hash = one.Item.priority, one.Item.hash
				t.tiers[one.priority.Tier] = append(t.tiers[one.priority.Tier], one)
			}
		}
	}
}

// leaveOutRejected leaves out what the API server rejects.
func (t *truncator) leaveOutRejected(p *part) {
	for at := range p.informers {
		informer := &p.informers[at]
		why := func(one updatev1alpha1.Insight) string { return t.Rejected(insight.Source(informer.Name), one.UID) }
		if !slices.ContainsFunc(informer.Insights, func(one updatev1alpha1.Insight) bool { return why(one) != "" }) {
			continue
		}
		var accepted []updatev1alpha1.Insight
		for _, one := range informer.Insights {
			if rejected := why(one); rejected != "" {
				p.rejected = append(p.rejected, rejected)
				continue
			}
			accepted = append(accepted, one)
		}
		informer.Insights = accepted
	}
}

// textLimit returns the first limit of texts with which everything fits, if there is one. Texts that were cut before stay so
// until there is some slack, as does what was left out.
func (t *truncator) textLimit() (limit int, fits bool) {
	space := statusBytes
	if len(t.tiers[insight.TierRoutine]) > 0 {
		space -= routineReserve
	}
	for limit := range textLimits {
		t.bytes = t.size(limit)
		if used := t.bytes; used <= space-slackBytes || used <= space && truncation(t.Previous.Conditions) == nil && limit >= limitOf(t.Previous) {
			return limit, len(t.pools) <= maxWorkerPools
		}
	}
	return 0, false
}

// size returns how many bytes the whole status takes.
func (t *truncator) size(limit int) int {
	total := t.fixedSize(limit)
	for _, pool := range t.pools {
		total += pool.size(limit)
	}
	for _, tier := range t.tiers {
		for _, one := range tier {
			total += one.size(limit)
		}
	}
	return total
}

// fixedSize returns how many bytes the parts take that are never left out.
func (t *truncator) fixedSize(limit int) int {
	total := 0
	for _, p := range t.parts {
		if p.whole == nil {
			total += p.size(limit)
		}
	}
	return total
}

// leaveOut decides what is left out. Pools and operators, which are few in every known cluster, stay as long as possible.
func (t *truncator) leaveOut(limit int) {
	t.markStored()
	for _, items := range append(t.tiers[:], t.pools) {
		for _, one := range items {
			one.in = false
		}
	}
	t.reserveConditions()
	t.bytes = t.fixedSize(limit)
	choose := func(items []*placement, reserve int) (all bool) {
		t.bytes, all = choose(items, t.bytes, statusBytes-reserve, limit)
		return all
	}
	slices.SortFunc(t.pools, comparePriority)
	free := maxWorkerPools - (len(t.status.WorkerPools) - len(t.pools))
	candidates := t.pools[:max(0, min(free, len(t.pools)))]

	operators := choose(t.tiers[insight.TierComponent], (statusBytes-t.bytes)/2)
	pools := choose(candidates, poolsReserve) && len(candidates) == len(t.pools)
	attention := choose(inPools(t.tiers[insight.TierAttention]), 0)
	if operators && pools && attention && choose(inPools(t.tiers[insight.TierProgress]), 0) {
		choose(inPools(t.tiers[insight.TierRoutine]), routineReserve)
	}
}

// markStored marks what the previous status has.
func (t *truncator) markStored() {
	type key struct{ informer, uid string }
	insights, pools := map[key]bool{}, map[string]bool{}
	for _, p := range partsOf(t.Previous) {
		pools[p.name()] = true
		for _, informer := range p.informers {
			for at := range informer.Insights {
				insights[key{informer.Name, informer.Insights[at].UID}] = true
			}
		}
	}
	for _, p := range t.parts {
		if p.whole != nil {
			p.whole.stored = pools[p.name()]
		}
		for i := range p.insights {
			for j, one := range p.insights[i] {
				one.stored = insights[key{p.informers[i].Name, p.informers[i].Insights[j].UID}]
			}
		}
	}
}

// inPools returns the insights whose pools stay.
func inPools(items []*placement) []*placement {
	return slices.DeleteFunc(items, func(one *placement) bool { return one.part.whole != nil && !one.part.whole.in })
}

// comparePriority orders by priority, the highest first. Of the same priority the hash decides: an item that changes moves
// itself and what it needs the space of, and nothing else.
func comparePriority(a, b *placement) int {
	return cmp.Or(
		-cmp.Compare(a.priority.Class, b.priority.Class),
		cmp.Compare(a.hash, b.hash),
	)
}

// choose decides which items stay, the most valuable ones, and returns how many bytes are used then and whether all stay. When
// one of a class does not fit, none of a lower class stays. What the previous status has may take all the space, all else
// leaves some.
func choose(items []*placement, used, space, limit int) (int, bool) {
	slices.SortFunc(items, comparePriority)
	all := true
	for at, one := range items {
		if !all && one.priority.Class != items[at-1].priority.Class {
			break
		}
		need := used + one.size(limit)
		one.in = need <= space-slackBytes || one.stored && need <= space
		if one.in {
			used = need
		} else {
			all = false
		}
	}
	return used, all
}

// apply cuts texts to a limit, leaves out what does not stay, and says so.
func (t *truncator) apply(limit int) {
	var pools []updatev1alpha1.WorkerPool
	for _, p := range t.parts {
		*p.conditions = shortenConditions(*p.conditions, textLimits[limit])
		if condition := t.condition(p); condition != nil {
			*p.conditions = append(*p.conditions, *condition)
		}
		for i, items := range p.insights {
			informer := &p.informers[i]
			changes := func(one *placement) bool { return !one.in || one.at(limit) != one.versions[0] }
			if slices.ContainsFunc(items, changes) {
				informer.Insights = nil
				for _, one := range staying(items) {
					informer.Insights = append(informer.Insights, *one.at(limit).insight)
				}
			}
		}
		if p.pool != nil && (p.whole == nil || p.whole.in) {
			pools = append(pools, *p.pool)
		}
	}
	t.status.WorkerPools = pools
}
