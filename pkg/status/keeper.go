package status

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// keeper makes the insights of a source, with their times.
type keeper struct {
	source insight.Source
	// memory holds what was made before, in before, and what is made now.
	memory *Memory
	before map[memoryKey]*remembered
	// stored are the insights of the source in the previous status, by uid.
	stored map[string]*updatev1alpha1.Insight
	// rollouts is what goes on in each pool.
	rollouts map[string]*rollout
	// anew is whether another update has begun: what nodes took in the one before says nothing of this one.
	anew  bool
	clock moment
}

// insights returns the insights of a source in each part: what it reported, or what there was before while it is not
// complete.
func (k keeper) insights(said ledger.SourceView, before map[insight.Part][]updatev1alpha1.Informer) map[insight.Part][]updatev1alpha1.Insight {
	insights := map[insight.Part][]updatev1alpha1.Insight{}
	for part, informers := range before {
		for _, informer := range informers {
			if informer.Name != string(k.source) {
				continue
			}
			for at := range informer.Insights {
				k.stored[informer.Insights[at].UID] = &informer.Insights[at]
			}
			if !said.Complete && len(informer.Insights) > 0 {
				insights[part] = informer.Insights
			}
		}
	}
	if !said.Complete {
		return insights
	}
	placed := slices.SortedFunc(slices.Values(said.Insights), comparePlaced)
	// What is said of a pool depends on all its nodes, and what is said of a node on those before it: times first.
	begun := make([]*remembered, len(placed))
	for at, one := range placed {
		begun[at] = k.begin(one)
	}
	for _, pool := range k.rollouts {
		pool.settle()
	}
	for at, one := range placed {
		insights[one.Part] = append(insights[one.Part], k.finish(one, begun[at]))
	}
	return insights
}

// begin gives an insight its times, unless that has been done already, and counts it where it belongs. Pools come before
// their nodes.
func (k keeper) begin(one *insight.ScopedInsight) *remembered {
	said := &one.Insight
	known := k.before[memoryKey{k.source, said.UID}]
	if said.MachineConfigPool != nil {
		k.rollouts[said.MachineConfigPool.Name] = k.beginRollout(one)
	}
	if known == nil || known.said != said {
		before := k.last(said)
		begun := &remembered{said: said, made: *said.DeepCopy()}
		keepTimes(&begun.made, before, k.clock)
		if said.Node != nil {
			begun.progress = progressOf(begun.made.Node)
			k.done(before, begun.progress)
		}
		known = begun
	}
	if pool := k.rollouts[known.progress.pool]; said.Node != nil && pool != nil {
		pool.count(known.progress)
	}
	if said.MachineConfigPool != nil {
		k.rollouts[said.MachineConfigPool.Name].happened(rollingSince(known.made.MachineConfigPool))
	}
	return known
}

// last returns the insight with the same uid that was made last; an empty one if there was none.
func (k keeper) last(said *updatev1alpha1.Insight) *updatev1alpha1.Insight {
	before := k.stored[said.UID]
	if known, found := k.before[memoryKey{k.source, said.UID}]; found {
		before = &known.made
	}
	if before == nil || before.Type != said.Type {
		return &updatev1alpha1.Insight{}
	}
	return before
}

func (k keeper) beginRollout(one *insight.ScopedInsight) *rollout {
	begun := &rollout{atOnce: int(one.MaxUnavailable)}
	before := k.last(&one.Insight).MachineConfigPool
	switch {
	case k.anew:
		begun.newDurations = true
	case before != nil:
		begun.durations = readDurations(before.NodeDurations)
	}
	return begun
}

// rollingSince is since when a pool has been updated, zero while it is not. One that was paused has been so since it was not
// any more: its nodes have not waited before.
func rollingSince(pool *updatev1alpha1.MachineConfigPoolInsight) time.Time {
	updating := meta.FindStatusCondition(pool.Conditions, updatev1alpha1.ConditionUpdating)
	if updating == nil || updating.Status != metav1.ConditionTrue {
		return time.Time{}
	}
	return updating.LastTransitionTime.Time
}

// done enters what a node took that is done now.
func (k keeper) done(before *updatev1alpha1.Insight, now progress) {
	pool := k.rollouts[now.pool]
	if before.Node == nil || pool == nil || k.anew {
		return
	}
	if taken, known := tookOf(progressOf(before.Node), now); known {
		pool.durations.add(taken)
		pool.newDurations = true
	}
}

// finish makes an insight of what begin has made, and remembers it.
func (k keeper) finish(one *insight.ScopedInsight, begun *remembered) updatev1alpha1.Insight {
	key := memoryKey{k.source, one.Insight.UID}
	known := k.before[key]
	switch {
	case one.Insight.MachineConfigPool != nil:
		begun = k.finishPool(one, begun, known)
	case one.Insight.Node != nil:
		begun = k.finishNode(begun, known)
	}
	if begun != known {
		acquire(&begun.made, k.last(&one.Insight), k.clock)
		begun.worth = worthOf(&begun.made)
	}
	k.memory.made[key] = begun
	return begun.made
}

// finishNode gives a node that is underway the time that others took from its phase on.
func (k keeper) finishNode(begun, known *remembered) *remembered {
	said := begun.said.Node.EstToComplete
	pool, at := k.rollouts[begun.progress.pool], phaseAt(updatev1alpha1.NodeUpdatePhase(begun.progress.state.Phase))
	if said == nil || pool == nil || !begun.progress.state.Updating || at < 0 {
		return begun
	}
	want := pool.typical[at]
	if want == 0 {
		want = said.Duration
	}
	if begun.made.Node.EstToComplete.Duration == want {
		return begun
	}
	if begun == known {
		begun = begun.copy()
	}
	begun.made.Node.EstToComplete = &metav1.Duration{Duration: want}
	return begun
}

// finishPool says when the pool is expected to be complete.
func (k keeper) finishPool(one *insight.ScopedInsight, begun, known *remembered) *remembered {
	pool := k.rollouts[one.Insight.MachineConfigPool.Name]
	now := outlookOf(pool, k.clock.Time.Time)
	if !now.due.IsZero() && (k.memory.next.IsZero() || now.due.Before(k.memory.next)) {
		k.memory.next = now.due
	}
	if begun == known && known.outlook == now && !pool.newDurations {
		return known
	}
	before := k.last(&one.Insight).MachineConfigPool
	if k.anew {
		before = nil // what was expected was another update
	}
	made := &remembered{said: begun.said, made: *begun.said.DeepCopy(), outlook: now}
	keepTimes(&made.made, k.last(&one.Insight), k.clock)
	made.made.MachineConfigPool.NodeDurations = pool.durations.list()
	now.apply(made.made.MachineConfigPool, before)
	return made
}

// copy returns one that may be changed.
func (r *remembered) copy() *remembered {
	other := *r
	other.made = *r.made.DeepCopy()
	return &other
}
