package record

import (
	"cmp"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// operators are those that did not run the target version when they were first observed, or may not have, by name.
type operators map[string]*updatev1alpha1.OperatorRecord

func (o operators) observe(one update.Operator, w *observer, started metav1.Time) {
	state := one.State
	if state.Progress == insight.OperatorUnknown {
		return
	}
	record := o[one.Name]
	isUpdated := state.Progress == insight.OperatorUpdated
	if record == nil {
		if isUpdated && !w.inGap {
			return // it ran the target version before the update
		}
		record = &updatev1alpha1.OperatorRecord{Name: one.Name}
		o[one.Name] = record
	}
	switch {
	case isUpdated && !isDone(record.RecordTimes):
		w.complete(&record.RecordTimes, state.Since)
	case state.Progress == insight.OperatorUpdating:
		if record.StartedAt == nil {
			record.StartedAt = startOf(state.Since, w, started)
		}
		// An operator may go back for a while.
		record.CompletedAt, record.CompletedBy = nil, nil
	}
}

// startOf returns when an operator began to be updated: since when it is progressing, which it says itself. It is nil if that was
// before the update. A start that was observed is rounded up to a second, and can seem to be after the moment of the status.
func startOf(progressing metav1.Time, w *observer, started metav1.Time) *metav1.Time {
	switch {
	case progressing.Time.Before(started.Time), progressing.Time.After(w.now.Add(time.Second)):
		return nil
	case progressing.Time.After(w.now):
		return w.statusTime()
	default:
		return progressing.DeepCopy()
	}
}

// list returns the operators by their start, those whose start is not known last.
func (o operators) list() []updatev1alpha1.OperatorRecord {
	var list []updatev1alpha1.OperatorRecord
	for _, one := range o {
		list = append(list, *one)
	}
	slices.SortFunc(list, func(a, b updatev1alpha1.OperatorRecord) int {
		return cmp.Or(insight.CompareStarts(a.StartedAt, b.StartedAt), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), updatev1alpha1.RecordMaxOperators)]
}
