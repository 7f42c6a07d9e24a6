package record

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// kept is how many records are kept, the newest ones.
const kept = 10

// NewestFirst sorts records by their start, the newest one first. Those without a start were created and not written: they are
// the last ones.
func NewestFirst(records []updatev1alpha1.UpdateRecord) {
	slices.SortStableFunc(records, func(a, b updatev1alpha1.UpdateRecord) int {
		if a.Status.StartedAt == nil || b.Status.StartedAt == nil {
			return insight.CompareStarts(a.Status.StartedAt, b.Status.StartedAt)
		}
		return insight.CompareStarts(b.Status.StartedAt, a.Status.StartedAt)
	})
}

// Surplus returns the names of the records that are not kept: all but the newest ten, the last one that completed, and that of the update
// that goes on, which ten others may seem newer than: a clock was wrong.
func Surplus(records []updatev1alpha1.UpdateRecord, current string) []string {
	records = slices.Clone(records)
	NewestFirst(records)
	completed := slices.IndexFunc(records, func(one updatev1alpha1.UpdateRecord) bool {
		return one.Status.Result == updatev1alpha1.ResultCompleted
	})
	var surplus []string
	for at := kept; at < len(records); at++ {
		if at != completed && records[at].Name != current {
			surplus = append(surplus, records[at].Name)
		}
	}
	return surplus
}
