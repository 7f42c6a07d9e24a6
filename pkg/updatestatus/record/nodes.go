package record

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// node is a node that was observed to be updated.
type node struct {
	updatev1alpha1.NodeRecord

	// startObserved is whether its first phase is that in which it started. After a restart that is not known.
	startObserved bool
	// version is what the node ran while it was being updated. After a restart that is not known.
	version string
}

func (n *node) isDone() bool {
	return n.CompletedAt != nil || n.CompletedBy != nil
}

// took returns how long the node took up to now, or until it was done.
func (n *node) took(now time.Time) time.Duration {
	if len(n.Phases) == 0 {
		return 0
	}
	end := now
	switch {
	case n.CompletedAt != nil:
		end = n.CompletedAt.Time
	case n.CompletedBy != nil:
		end = n.CompletedBy.Time
	}
	return end.Sub(n.Phases[0].StartedAt.Time)
}

// nodes are those that were observed to be updated, by name. After a restart they are those of the record.
type nodes map[string]*node

// observe returns the node if it is done now and was not before. One that waits again has given up its update, or is done with that
// to a version that was the target before: this update of it is still to come.
func (n nodes) observe(one update.Node, w *observer) *node {
	state, record := one.State, n[one.Name]
	switch {
	case state.Updating:
		if record == nil {
			record = &node{NodeRecord: updatev1alpha1.NodeRecord{Name: one.Name}}
			n[one.Name] = record
		}
		if !record.isDone() {
			record.Pool, record.version = one.Pool, one.Version
			record.observePhases(one, w)
		}
	case record == nil || record.isDone():
	case state.Phase == insight.PhaseCompleted && !estimate.IsTakenBack(record.Phases, record.version, one.Version):
		var times updatev1alpha1.RecordTimes
		w.complete(&times, meta.FindStatusCondition(one.Conditions, updatev1alpha1.ConditionUpdating).LastTransitionTime)
		record.CompletedAt, record.CompletedBy = times.CompletedAt, times.CompletedBy
		return record
	case state.Phase != insight.PhaseUnknown:
		delete(n, one.Name)
	}
	return nil
}

// forget drops nodes that are gone and were not done: of a node that was deleted nothing more is known. Those of a pool whose nodes are
// replaced are.
func (n nodes) forget(present []update.Node) {
	stay := map[string]bool{}
	for _, one := range present {
		stay[one.Name] = true
	}
	for name, one := range n {
		if !one.isDone() && !stay[name] {
			delete(n, name)
		}
	}
}

// observePhases takes over the phases whose start is known: it was observed, or an object of the cluster has it.
func (n *node) observePhases(one update.Node, w *observer) {
	phases := estimate.PhasesOf(one.NodeInsight)
	known := slices.DeleteFunc(slices.Clone(phases.Phases), func(phase updatev1alpha1.NodePhase) bool {
		isReported := estimate.IsReported(one.NodeInsight, phase) && !w.isObservedAfterGap(phase.StartedAt.Time)
		return w.known(&phase.StartedAt) == nil && !isReported && !n.has(phase)
	})
	n.Phases, n.startObserved = known, phases.StartObserved && len(known) == len(phases.Phases)
}

// has returns whether the record has the start of a phase already. What is reported of a drain or a reboot is gone with the next phase.
func (n *node) has(phase updatev1alpha1.NodePhase) bool {
	return slices.ContainsFunc(n.Phases, func(one updatev1alpha1.NodePhase) bool {
		return one.Phase == phase.Phase && one.StartedAt.Equal(&phase.StartedAt)
	})
}

// list returns the nodes that took longest, the longest first.
func (n nodes) list(now time.Time) []updatev1alpha1.NodeRecord {
	all := make([]*node, 0, len(n))
	for _, one := range n {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *node) int {
		return cmp.Or(cmp.Compare(b.took(now), a.took(now)), cmp.Compare(a.Name, b.Name))
	})
	var list []updatev1alpha1.NodeRecord
	for _, one := range all[:min(len(all), updatev1alpha1.RecordMaxNodes)] {
		list = append(list, one.NodeRecord)
	}
	return list
}
