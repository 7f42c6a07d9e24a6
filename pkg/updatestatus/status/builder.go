package status

import (
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/truncate"
)

// Builder builds the statuses of one controller, one after the other. Each keeps the times of the one before.
//
// It remembers each insight that was reported, and what it became: what is not reported again costs nothing, and what is left
// out of the object keeps its times. A restart loses that: what is left out then counts as new when it comes back.
type Builder struct {
	// previous is the status before, with an insight about every node.
	previous *updatev1alpha1.UpdateStatusStatus
	cache    map[cacheKey]*cacheEntry
	// rejected are the insights that the API server rejects as they are.
	rejected map[cacheKey]rejection
	// history are the records of earlier updates.
	history estimate.History
	// startedAt is when the first status was built, zero before, and for a cluster that is looked at once.
	startedAt time.Time
	// generation is that of the settings which are taken into account.
	generation int64
	// nextCheck is when a status changes by the clock alone.
	nextCheck time.Time
	// fit is what Fit needs to know about the last status, and fitted what the object has, or had before.
	fit    truncate.Input
	fitted *updatev1alpha1.UpdateStatusStatus
}

// NewBuilder returns a Builder that has built nothing yet.
func NewBuilder() *Builder {
	return &Builder{
		previous: &updatev1alpha1.UpdateStatusStatus{}, fitted: &updatev1alpha1.UpdateStatusStatus{}, rejected: map[cacheKey]rejection{},
	}
}

// Stored starts from the status that the object in the cluster has. It is called once, before the first Build.
func (b *Builder) Stored(stored *updatev1alpha1.UpdateStatusStatus) {
	b.previous, b.fitted = insight.StatusWithListedNodes(stored), stored
}

// SetHistory sets the records of earlier updates, the newest one first. They say what nodes usually take until some are done.
func (b *Builder) SetHistory(history estimate.History) {
	b.history = history
}

// SetGeneration sets the generation of the settings that the next status takes into account.
func (b *Builder) SetGeneration(generation int64) {
	b.generation = generation
}

// KeepEarlierTimes makes the next status keep the times of a status that another process of this controller wrote, where that
// has observed something earlier: two processes then agree after a write each, and do not overwrite each other for ever.
func (b *Builder) KeepEarlierTimes(written *updatev1alpha1.UpdateStatusStatus) {
	for _, informers := range informersOf(written) {
		for _, informer := range informers {
			for at := range informer.Insights {
				one, key := &informer.Insights[at], cacheKey{insight.Source(informer.Name), informer.Insights[at].UID}
				if entry := b.cache[key]; entry != nil && one.AcquiredAt.Before(&entry.merged.AcquiredAt) && hasSameState(one, &entry.merged) {
					// Without what was reported, the insight is merged anew.
					b.cache[key] = &cacheEntry{merged: *one.DeepCopy()}
				}
			}
		}
	}
	b.previous, b.fitted = withEarlierTimes(b.previous, written), withEarlierTimes(b.fitted, written)
}

// withEarlierTimes returns a status with the earlier times of the conditions of another one.
func withEarlierTimes(status, other *updatev1alpha1.UpdateStatusStatus) *updatev1alpha1.UpdateStatusStatus {
	changed := *status
	changed.Conditions = earlierConditions(changed.Conditions, other.Conditions)
	if changed.ControlPlane != nil && other.ControlPlane != nil {
		part := *changed.ControlPlane
		part.Conditions = earlierConditions(part.Conditions, other.ControlPlane.Conditions)
		changed.ControlPlane = &part
	}
	changed.WorkerPools = slices.Clone(changed.WorkerPools)
	for _, theirs := range other.WorkerPools {
		for at := range changed.WorkerPools {
			if mine := &changed.WorkerPools[at]; mine.Name == theirs.Name {
				mine.Conditions = earlierConditions(mine.Conditions, theirs.Conditions)
			}
		}
	}
	return &changed
}

// earlierConditions returns conditions with the times of others of the same status that are earlier.
func earlierConditions(conditions, others []metav1.Condition) []metav1.Condition {
	changed := slices.Clone(conditions)
	for at := range changed {
		mine := &changed[at]
		theirs := meta.FindStatusCondition(others, mine.Type)
		if theirs != nil && theirs.Status == mine.Status && theirs.LastTransitionTime.Before(&mine.LastTransitionTime) {
			mine.LastTransitionTime = theirs.LastTransitionTime
		}
	}
	return changed
}

// Build returns the next status, with an insight about every node and nothing left out. The result shares insights with the ledger and
// with the statuses before: none of them may be changed.
func (b *Builder) Build(view ledger.View, now time.Time) *updatev1alpha1.UpdateStatusStatus {
	clock := newEvalTime(now)
	clock.observing = true
	if b.startedAt.IsZero() {
		b.startedAt = clock.Time.Time
	}
	b.previous = b.build(view, clock)
	b.fit = truncate.Input{
		Now: clock.Time, NodesComplete: view[insight.NodeInformer].Complete,
		Complete: !slices.ContainsFunc(insight.Watching(), func(source insight.Source) bool { return !view[source].Complete }),
	}
	return b.previous
}

// Fit returns the status that was built last as the object can have it.
func (b *Builder) Fit() truncate.Result {
	maps.DeleteFunc(b.rejected, func(key cacheKey, rejected rejection) bool { return !rejected.isOf(b.cache[key]) })
	b.fit.Status, b.fit.Previous, b.fit.Rejected = b.previous, b.fitted, b.whyRejected
	result := truncate.Fit(b.fit)
	b.fitted = result.Status
	return result
}

// NextCheck returns when the next status differs from the last one although no source reports anything, zero if never.
func (b *Builder) NextCheck() time.Time {
	return b.nextCheck
}

// Input is what a single status is built from.
type Input struct {
	// Ledger is what the sources reported.
	Ledger ledger.View
	// Now is the moment at which everything is observed for the first time.
	Now time.Time
}

// Build returns the status of a cluster that is looked at once and not observed. It is complete, however large.
func Build(in Input) updatev1alpha1.UpdateStatusStatus {
	return *NewBuilder().build(in.Ledger, newEvalTime(in.Now))
}

func (b *Builder) build(view ledger.View, clock evalTime) *updatev1alpha1.UpdateStatusStatus {
	parts, getsOn := b.merge(view, clock)
	b.connect(parts, getsOn, view, clock)
	b.stall(parts[insight.ControlPlane], view, clock)
	next := &updatev1alpha1.UpdateStatusStatus{
		Conditions:         []metav1.Condition{keepTime(available(view), b.previous.Conditions, clock)},
		ObservedGeneration: b.generation,
		ControlPlane:       controlPlane(parts[insight.ControlPlane], b.previous, clock),
		WorkerPools:        workerPools(parts, b.previous, clock),
	}
	for _, one := range incomplete(view, b.previous.Conditions) {
		next.Conditions = append(next.Conditions, keepTime(one, b.previous.Conditions, clock))
	}
	return next
}
