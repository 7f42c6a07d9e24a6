package record

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// pool is a pool with the durations of all of its nodes, as far as they were kept.
type pool struct {
	updatev1alpha1.PoolRecord

	durations estimate.Durations
	isPaused  bool
	pausedFor time.Duration
}

// pools are those with nodes that did not all run the target version when they were first observed, or may not have, by name.
type pools map[string]*pool

func resumePools(stored []updatev1alpha1.PoolRecord) pools {
	resumed := pools{}
	for at := range stored {
		one := &pool{PoolRecord: *stored[at].DeepCopy()}
		one.durations = estimate.ReadDurations(one.NodeDurations)
		one.pausedFor = time.Duration(one.PausedSeconds) * time.Second
		resumed[one.Name] = one
	}
	return resumed
}

// scopeOf returns the part of the cluster that a pool belongs to.
func scopeOf(u *update.Update, pool *updatev1alpha1.MachineConfigPoolInsight) updatev1alpha1.ScopeType {
	if u.IsWorkerPool(pool.Name) {
		return updatev1alpha1.ScopeWorkerPool
	}
	return updatev1alpha1.ScopeControlPlane
}

func (p pools) observe(one *updatev1alpha1.MachineConfigPoolInsight, scope updatev1alpha1.ScopeType, w *observer) {
	updating, total := meta.FindStatusCondition(one.Conditions, updatev1alpha1.ConditionUpdating), totalOf(one)
	if updating == nil || updating.Status == metav1.ConditionUnknown || total == 0 {
		return
	}
	isComplete := updating.Status == metav1.ConditionFalse && updating.Reason == updatev1alpha1.ReasonCompleted
	record := p[one.Name]
	if record == nil {
		if isComplete && !w.inGap {
			return // its nodes ran the target version before the update
		}
		record = &pool{PoolRecord: updatev1alpha1.PoolRecord{Name: one.Name, ScopeType: scope}}
		p[one.Name] = record
	}
	record.Nodes = total
	record.observePause(updating.Reason == updatev1alpha1.ReasonExcluded, w)
	if len(one.NodeDurations) > 0 {
		record.durations = estimate.ReadDurations(one.NodeDurations)
	}
	switch {
	case isComplete && !isDone(record.RecordTimes):
		w.complete(&record.RecordTimes, updating.LastTransitionTime)
	case updating.Status == metav1.ConditionTrue:
		if record.StartedAt == nil {
			record.StartedAt = w.began(updating.LastTransitionTime)
		}
		record.CompletedAt, record.CompletedBy = nil, nil
	}
}

// observePause adds the time since the status before, if the pool was paused then and there is no gap between.
func (p *pool) observePause(isPaused bool, w *observer) {
	if p.isPaused && !w.inGap {
		p.pausedFor += w.now.Sub(w.last)
		p.PausedSeconds = int32(p.pausedFor / time.Second)
	}
	p.isPaused = isPaused
}

// done adds what a node took. While the pool is not complete, its insight has the durations.
func (p pools) done(node *node, one *updatev1alpha1.MachineConfigPoolInsight) {
	if record := p[node.Pool]; record != nil && node.CompletedAt != nil && (one == nil || len(one.NodeDurations) == 0) {
		record.durations.Add(estimate.Phases{Phases: node.Phases, StartObserved: node.startObserved}, node.CompletedAt.Time)
	}
}

// totalOf returns how many nodes a pool has.
func totalOf(one *updatev1alpha1.MachineConfigPoolInsight) int32 {
	for _, summary := range one.Summaries {
		if summary.Type == updatev1alpha1.NodesTotal {
			return summary.Count
		}
	}
	return 0
}

// list returns the pools by their start, those whose start is not known last.
func (p pools) list() []updatev1alpha1.PoolRecord {
	var list []updatev1alpha1.PoolRecord
	for _, one := range p {
		record := one.PoolRecord
		record.NodeDurations = one.durations.Quantiles(updatev1alpha1.RecordMaxDurations)
		list = append(list, record)
	}
	slices.SortFunc(list, func(a, b updatev1alpha1.PoolRecord) int {
		return cmp.Or(insight.CompareStarts(a.StartedAt, b.StartedAt), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), updatev1alpha1.RecordMaxPools)]
}
