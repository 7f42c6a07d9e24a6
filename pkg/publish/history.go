package publish

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/estimate"
	"github.com/openshift/cluster-version-operator/pkg/record"
)

// history are the records of earlier updates. They are read once for each update: those of earlier ones do not change.
type history struct {
	store *Records
	// isRead is whether they were read since an update started at a moment, nil if none has.
	isRead  bool
	started *metav1.Time
	records []updatev1alpha1.UpdateRecord
}

// earlierThan returns the records of updates that started before that of a summary, the newest one first.
func (h *history) earlierThan(ctx context.Context, summary *updatev1alpha1.UpdateStatusSummaryStatus) (estimate.History, error) {
	if err := h.read(ctx, summary); err != nil {
		return nil, err
	}
	return h.earlier(), nil
}

// read reads the records if they were not read since the update of a summary started. A cluster without the resource has none.
func (h *history) read(ctx context.Context, summary *updatev1alpha1.UpdateStatusSummaryStatus) error {
	if h.isRead && h.started.Equal(summary.StartedAt) {
		return nil
	}
	listed, err := h.store.List(ctx)
	if err != nil && !errors.Is(err, errNotServed) {
		return err
	}
	record.NewestFirst(listed)
	h.records = listed
	h.isRead, h.started = true, summary.StartedAt.DeepCopy()
	return nil
}

// earlier returns the records of updates that started before that of the last summary, the newest one first.
func (h *history) earlier() estimate.History {
	var earlier estimate.History
	for at := range h.records {
		if one := &h.records[at].Status; one.StartedAt != nil && (h.started == nil || one.StartedAt.Before(h.started)) {
			earlier = append(earlier, *one)
		}
	}
	return earlier
}
