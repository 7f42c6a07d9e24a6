package truncate

import (
	"cmp"
	"hash/fnv"
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// poolsReserve is left by pools for what needs attention.
const poolsReserve = 64 << 10

// key names an insight, a node that is listed by name, or without a uid a whole worker pool.
type key struct {
	part insight.Part
	uid  string
}

// item is what can be left out: an insight, or a pool.
type item struct {
	key

	priority insight.Priority
	// name says what it is, where it is counted.
	name string
	hash uint64
	size int
}

// leftOut are the items that are left out.
type leftOut map[key]item

func (out leftOut) has(of key) bool {
	_, has := out[of]
	return has
}

// choice is what a status consists of, to choose what to leave out of it.
type choice struct {
	// pools and tiers are sorted, the most valuable first.
	pools []item
	tiers [insight.Tiers][]item
	// freePools is how many of the pools the API allows.
	freePools int
	// bare is the size of the status without all of them.
	bare int
	// stored are the keys of what the object before has.
	stored map[key]bool
}

func (f *fitter) newChoice(status *updatev1alpha1.UpdateStatusStatus) *choice {
	c := &choice{pools: poolsOf(status), stored: map[key]bool{}}
	for _, one := range append(poolsOf(f.Previous), itemsOf(f.Previous)...) {
		c.stored[one.key] = true
	}
	for _, one := range itemsOf(status) {
		c.tiers[one.priority.Tier] = append(c.tiers[one.priority.Tier], one)
	}
	for _, items := range append(c.tiers[:], c.pools) {
		slices.SortFunc(items, comparePriority)
	}
	c.freePools = max(0, min(maxWorkerPools-(len(status.WorkerPools)-len(c.pools)), len(c.pools)))
	c.bare = sizeOf(without(status, c.all()))
	return c
}

func (c *choice) all() leftOut {
	out := leftOut{}
	for _, items := range append(c.tiers[:], c.pools) {
		for _, one := range items {
			out[one.key] = one
		}
	}
	return out
}

// leaveOut returns what to leave out so that the status takes some space. Pools, which are few in every known cluster, stay as
// long as possible.
func (c *choice) leaveOut(space int) leftOut {
	out, used := c.all(), c.bare
	fill := func(items []item, space int) (all bool) {
		used, all = out.fill(items, c.stored, used, space)
		return all
	}
	allPools := fill(c.pools[:c.freePools], space-poolsReserve) && c.freePools == len(c.pools)
	if fill(c.tiers[insight.TierAttention], space) && allPools && fill(c.tiers[insight.TierProgress], space) {
		fill(c.tiers[insight.TierRoutine], space)
	}
	return out
}

// fill takes items in again, the most valuable ones, and returns how many bytes are used then and whether all are in. When one of
// a class does not fit, none of a lower class comes in. What is stored may take all the space, all else leaves some.
func (out leftOut) fill(items []item, stored map[key]bool, used, space int) (int, bool) {
	all := true
	for at, one := range items {
		if !all && one.priority.Class != items[at-1].priority.Class {
			break
		}
		if one.uid != "" && out.has(key{part: one.part}) {
			continue
		}
		need := used + one.size
		if need > space || need > space-slackBytes && !stored[one.key] {
			all = false
			continue
		}
		used = need
		delete(out, one.key)
	}
	return used, all
}

// comparePriority orders by priority, the highest first. Of the same priority the hash decides: an item that changes moves
// itself and what it needs the space of, and nothing else.
func comparePriority(a, b item) int {
	return cmp.Or(-cmp.Compare(a.priority.Class, b.priority.Class), cmp.Compare(a.hash, b.hash))
}

// itemsOf returns the insights that can be left out of a status.
func itemsOf(status *updatev1alpha1.UpdateStatusStatus) []item {
	var items []item
	eachInsight(status, func(p part, one *updatev1alpha1.Insight) {
		items = append(items, newItem(p, one, len(encode(one))+len(",")))
		if pool := insight.PoolOf(one); pool != nil {
			items = append(items, listedItems(p, pool)...)
		}
	})
	return slices.DeleteFunc(items, func(one item) bool { return one.priority == neverLeftOut })
}

// neverLeftOut is the priority of insights without one.
var neverLeftOut = insight.Priority{Tier: insight.Tiers}

func newItem(p part, one *updatev1alpha1.Insight, size int) item {
	kind := insight.KindOf(one)
	created := item{key: key{p.Part, one.UID}, priority: neverLeftOut, name: kind.Noun, hash: hashOf(one.UID), size: size}
	if kind.Priority != nil {
		created.priority = kind.Priority(one)
	}
	if kind.Group != nil {
		created.name = kind.Group(one) + " " + kind.Noun
	}
	return created
}

// listedItems returns the nodes that a pool lists by name.
func listedItems(p part, pool *updatev1alpha1.MachineConfigPoolInsight) []item {
	var items []item
	for _, group := range pool.NodeGroups {
		one := newItem(p, &updatev1alpha1.Insight{Node: insight.ListedNode(pool, group, "")}, 0)
		for _, name := range group.Names {
			one.key, one.hash, one.size = listedKey(p.Part, name), hashOf(name), len(name)+len(`"",`)
			items = append(items, one)
		}
	}
	return items
}

// listedKey names a node that is listed by name: no uid is like that.
func listedKey(part insight.Part, name string) key {
	return key{part, "/" + name}
}

// poolsOf returns the worker pools that can be left out of a status.
func poolsOf(status *updatev1alpha1.UpdateStatusStatus) []item {
	var pools []item
	for at, pool := range status.WorkerPools {
		alone := &updatev1alpha1.UpdateStatusStatus{WorkerPools: status.WorkerPools[at : at+1]}
		out := leftOut{}
		for _, one := range itemsOf(alone) {
			out[one.key] = one
		}
		name := "worker pool"
		if pool.Resource.Resource == "nodepools" {
			name = "node pool"
		}
		pools = append(pools, item{
			key: key{part: insight.Part{WorkerPool: pool.Name}}, name: name, priority: poolPriority(alone), hash: hashOf(pool.Name),
			size: sizeOf(without(alone, out)),
		})
	}
	return pools
}

// poolPriority: the pool that every cluster has, degraded ones, those that are not complete, complete ones.
func poolPriority(alone *updatev1alpha1.UpdateStatusStatus) (priority insight.Priority) {
	eachInsight(alone, func(_ part, one *updatev1alpha1.Insight) {
		pool := insight.PoolOf(one)
		switch {
		case pool == nil:
		case pool.Name == insight.DefaultWorkerPool:
			priority.Class = 3
		case pool.Assessment == updatev1alpha1.AssessmentDegraded:
			priority.Class = 2
		case pool.Assessment != updatev1alpha1.AssessmentCompleted:
			priority.Class = 1
		}
	})
	return priority
}

// without returns a status without what is left out.
func without(status *updatev1alpha1.UpdateStatusStatus, out leftOut) *updatev1alpha1.UpdateStatusStatus {
	status = changeInsights(status, func(part insight.Part, _ insight.Source, insights []updatev1alpha1.Insight) []updatev1alpha1.Insight {
		insights = slices.DeleteFunc(slices.Clone(insights), func(one updatev1alpha1.Insight) bool { return out.has(key{part, one.UID}) })
		for at := range insights {
			if pool := insight.PoolOf(&insights[at]); pool != nil {
				insights[at] = insight.WithPool(insights[at], withoutListed(pool, part, out))
			}
		}
		return insights
	})
	status.WorkerPools = slices.DeleteFunc(status.WorkerPools, func(pool updatev1alpha1.WorkerPool) bool {
		return out.has(key{part: insight.Part{WorkerPool: pool.Name}})
	})
	return status
}

func withoutListed(pool *updatev1alpha1.MachineConfigPoolInsight, part insight.Part, out leftOut) *updatev1alpha1.MachineConfigPoolInsight {
	shorter := *pool
	shorter.NodeGroups = nil
	for _, group := range pool.NodeGroups {
		group.Names = slices.DeleteFunc(slices.Clone(group.Names), func(name string) bool { return out.has(listedKey(part, name)) })
		if len(group.Names) > 0 {
			shorter.NodeGroups = append(shorter.NodeGroups, group)
		}
	}
	return &shorter
}

func hashOf(name string) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(name))
	return hash.Sum64()
}
