package status

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

type cacheKey struct {
	source insight.Source
	uid    string
}

// cacheEntry is an insight as it was reported, and merged with the one before.
type cacheEntry struct {
	reported *updatev1alpha1.Insight
	merged   updatev1alpha1.Insight
	// progress is that of a node, forecast that of a pool.
	progress estimate.Progress
	forecast estimate.Forecast
}

// merger merges what a source reports with its last insights, which gives them their times.
type merger struct {
	*Builder

	source insight.Source
	// before is the cache as the last status left it.
	before map[cacheKey]*cacheEntry
	// stored are the insights of the source in the previous status, by uid.
	stored map[string]*updatev1alpha1.Insight
	pools  map[string]*estimate.Pool
	// newUpdate is whether another update has started: what nodes took in the one before does not count.
	newUpdate bool
	// nodesWait is whether the update of nodes has not started.
	nodesWait bool
	clock     evalTime
}

// merge returns the informers of this controller in every part of the cluster, and what of them gets on.
func (b *Builder) merge(view ledger.View, clock evalTime) (parts informersByPart, getsOn advancing) {
	parts = informersByPart{}
	previous := informersOf(b.previous)
	before := b.cache
	b.cache, b.nextCheck = make(map[cacheKey]*cacheEntry, len(before)), time.Time{}
	newUpdate, nodesWait := isNewUpdate(view, b.previous), nodesWait(view)
	var controlPlane merger
	for _, source := range insight.Sources() {
		m := merger{
			Builder: b, source: source, before: before, stored: map[string]*updatev1alpha1.Insight{},
			pools: map[string]*estimate.Pool{}, newUpdate: newUpdate, nodesWait: nodesWait, clock: clock,
		}
		for part, insights := range m.merge(view[source], previous) {
			parts[part] = append(parts[part], updatev1alpha1.Informer{Name: string(source), Insights: insights})
		}
		if source == insight.ControlPlaneInformer {
			controlPlane = m
		}
		if source == insight.NodeInformer {
			controlPlane.pools = m.pools
		}
	}
	if view[insight.ControlPlaneInformer].Complete {
		controlPlane.addSlow(parts, view[insight.ControlPlaneInformer])
	}
	return parts, controlPlane.findAdvancing(parts)
}

// isNewUpdate is whether the sources report another update than the previous status.
func isNewUpdate(view ledger.View, previous *updatev1alpha1.UpdateStatusStatus) bool {
	before := versionIn(informersOf(previous)[insight.ControlPlane])
	if before == nil || before.StartedAt == nil {
		return false
	}
	return slices.ContainsFunc(view[insight.ControlPlaneInformer].Insights, func(one *insight.ScopedInsight) bool {
		version := insight.VersionOf(&one.Insight)
		return version != nil && version.StartedAt != nil && !version.StartedAt.Equal(before.StartedAt)
	})
}

// nodesWait is whether nodes that are being updated are on their way to the version before.
func nodesWait(view ledger.View) bool {
	return slices.ContainsFunc(view[insight.ControlPlaneInformer].Insights, func(one *insight.ScopedInsight) bool {
		return one.Insight.ClusterOperator != nil && estimate.NodesWait(one.Insight.ClusterOperator)
	})
}

// merge returns the insights of the source in each part: what it reported, or those of the previous status while the source
// is not complete.
func (m merger) merge(view ledger.SourceView, previous informersByPart) map[insight.Part][]updatev1alpha1.Insight {
	insights := map[insight.Part][]updatev1alpha1.Insight{}
	for part, informers := range previous {
		for _, informer := range informers {
			if informer.Name != string(m.source) {
				continue
			}
			for at := range informer.Insights {
				m.stored[informer.Insights[at].UID] = &informer.Insights[at]
			}
			if !view.Complete && len(informer.Insights) > 0 {
				insights[part] = informer.Insights
			}
		}
	}
	if !view.Complete {
		return insights
	}
	reported := slices.SortedFunc(slices.Values(view.Insights), compareScoped)
	// The insight of a pool depends on all its nodes, and that of a node on those that are done: times first.
	entries := make([]*cacheEntry, 0, len(reported))
	for _, one := range reported {
		entries = append(entries, m.start(one))
	}
	for _, pool := range m.pools {
		pool.Finish()
	}
	for _, late := range m.lateNodes(reported, entries) {
		reported, entries = append(reported, late), append(entries, m.start(late))
	}
	m.stallPools(reported)
	for _, pool := range m.pools {
		if m.nodesWait {
			pool.Wait()
		}
	}
	for at, one := range reported {
		insights[one.Part] = append(insights[one.Part], m.finish(one, entries[at]))
	}
	if len(reported) > len(view.Insights) {
		for _, each := range insights {
			slices.SortStableFunc(each, compareInsights)
		}
	}
	return insights
}

// stallPools tells pools what stalls their update: first the pool itself, then the first of its nodes.
func (m merger) stallPools(reported []*insight.ScopedInsight) {
	stalled := map[string]string{}
	for _, one := range reported {
		if pool := m.pools[insight.StalledPool(&one.Insight)]; pool != nil {
			pool.Stall(insight.StalledBy(&one.Insight))
		}
		if node := insight.StalledNode(&one.Insight); node != "" {
			stalled[node] = insight.StalledBy(&one.Insight)
		}
	}
	for _, one := range reported {
		if node := one.Insight.Node; node != nil && stalled[node.Name] != "" && m.pools[node.Pool] != nil {
			m.pools[node.Pool].Stall(stalled[node.Name])
		}
	}
}

func compareScoped(a, b *insight.ScopedInsight) int {
	return compareInsights(a.Insight, b.Insight)
}

func compareInsights(a, b updatev1alpha1.Insight) int {
	return cmp.Or(cmp.Compare(insight.Rank(a.Type), insight.Rank(b.Type)), cmp.Compare(a.UID, b.UID))
}

// start gives an insight its times, unless it has not changed, and adds a node to its pool. Pools come before their nodes.
func (m merger) start(one *insight.ScopedInsight) *cacheEntry {
	reported := &one.Insight
	entry := m.before[cacheKey{m.source, reported.UID}]
	if pool := insight.PoolOf(reported); pool != nil {
		m.pools[pool.Name] = m.newPool(one)
	}
	if entry == nil || entry.reported != reported {
		last := m.last(reported)
		entry = &cacheEntry{reported: reported, merged: *reported.DeepCopy()}
		keepTimes(&entry.merged, last, m.clock)
		if reported.Health != nil && last.Health != nil {
			entry.merged.Health.CausedBy, entry.merged.Health.Impact.Level = last.Health.CausedBy, last.Health.Impact.Level
		}
		if reported.Node != nil {
			entry.progress = estimate.ProgressOf(entry.merged.Node)
			if pool := m.pools[entry.progress.Pool]; pool != nil && last.Node != nil && !m.newUpdate {
				pool.Done(estimate.ProgressOf(last.Node), entry.progress)
			}
		}
	}
	if pool := m.pools[entry.progress.Pool]; reported.Node != nil && pool != nil {
		pool.Add(entry.progress)
	}
	if pool := insight.PoolOf(&entry.merged); pool != nil {
		m.pools[pool.Name].Event(updatingSince(pool))
	}
	return entry
}

// last returns the insight with the same uid that was merged last; an empty one if there is none.
func (m merger) last(reported *updatev1alpha1.Insight) *updatev1alpha1.Insight {
	last := m.stored[reported.UID]
	if entry, found := m.before[cacheKey{m.source, reported.UID}]; found {
		last = &entry.merged
	}
	if last == nil || last.Type != reported.Type {
		return &updatev1alpha1.Insight{}
	}
	return last
}

func (m merger) newPool(one *insight.ScopedInsight) *estimate.Pool {
	var durations []updatev1alpha1.NodeDurations
	if last := insight.PoolOf(m.last(&one.Insight)); last != nil && !m.newUpdate {
		durations = last.NodeDurations
	}
	return estimate.NewPool(insight.PoolOf(&one.Insight).MaxUnavailable, durations)
}

// updatingSince returns since when a pool is being updated, zero while it is not. One that was paused is so since then: its
// nodes have not waited before.
func updatingSince(pool *updatev1alpha1.MachineConfigPoolInsight) time.Time {
	updating := meta.FindStatusCondition(pool.Conditions, updatev1alpha1.ConditionUpdating)
	if updating == nil || updating.Status != metav1.ConditionTrue {
		return time.Time{}
	}
	return updating.LastTransitionTime.Time
}

// finish completes an insight with its estimate, and caches it.
func (m merger) finish(one *insight.ScopedInsight, entry *cacheEntry) updatev1alpha1.Insight {
	key := cacheKey{m.source, one.Insight.UID}
	before := m.before[key]
	switch {
	case insight.PoolOf(&one.Insight) != nil:
		entry = m.finishPool(one, entry, before)
	case one.Insight.Node != nil:
		entry = m.finishNode(entry, before)
	}
	if entry != before {
		acquire(&entry.merged, m.last(&one.Insight), m.clock)
	}
	m.cache[key] = entry
	return entry.merged
}

// finishNode gives a node that is being updated the time that others took from its phase on.
func (m merger) finishNode(entry, before *cacheEntry) *cacheEntry {
	reported, state, pool := entry.reported.Node.EstimatedSeconds, entry.progress.State, m.pools[entry.progress.Pool]
	if reported == nil || pool == nil || !state.Updating {
		return entry
	}
	want := *reported
	if typical := pool.Typical(state.Phase); typical > 0 {
		want = *insight.Seconds(typical)
	}
	if *entry.merged.Node.EstimatedSeconds == want {
		return entry
	}
	if entry == before {
		entry = &cacheEntry{reported: before.reported, merged: *before.merged.DeepCopy(), progress: before.progress}
	}
	entry.merged.Node.EstimatedSeconds = &want
	return entry
}

// finishPool gives a pool its estimate.
func (m merger) finishPool(one *insight.ScopedInsight, entry, before *cacheEntry) *cacheEntry {
	pool := m.pools[insight.PoolOf(&one.Insight).Name]
	forecast := pool.Forecast(m.clock.Time.Time)
	m.nextCheck = assess.Earliest(m.nextCheck, forecast.NextCheck())
	durations := pool.NodeDurations()
	if entry == before && before.forecast == forecast && equality.Semantic.DeepEqual(insight.PoolOf(&before.merged).NodeDurations, durations) {
		return before
	}
	last := m.last(&one.Insight)
	lastPool := insight.PoolOf(last)
	if m.newUpdate {
		lastPool = nil // its estimate was that of another update
	}
	entry = &cacheEntry{reported: entry.reported, merged: *entry.reported.DeepCopy(), forecast: forecast}
	keepTimes(&entry.merged, last, m.clock)
	merged := insight.PoolOf(&entry.merged)
	merged.NodeDurations = durations
	forecast.Set(merged, lastPool)
	return entry
}
