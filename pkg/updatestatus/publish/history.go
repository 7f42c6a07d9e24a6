package publish

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// History reads the records of earlier updates, once for each update: those of earlier ones do not change. What is estimated waits for the
// first attempt, and then goes on without: records are optional.
type History struct {
	in HistoryInput
	// isRead is whether they were read since an update started at a moment, nil if none has.
	isRead  bool
	started *metav1.Time
	// records are what was read last, the newest first, nil until an attempt was made.
	records atomic.Pointer[[]updatev1alpha1.UpdateRecord]
}

// HistoryInput is what a History is made from.
type HistoryInput struct {
	Store *Records
	Built Built
	// OnRead is called after an attempt that may have changed what is known.
	OnRead func()
}

// NewHistory returns a History, for a Follower.
func NewHistory(in HistoryInput) *History {
	return &History{in: in}
}

// Read reads the records if they were not read since the update started. It is a Write that writes nothing. A cluster without the resource
// has none.
func (h *History) Read(ctx context.Context, isLast bool) (time.Duration, error) {
	started := startOf(h.in.Built())
	if isLast || h.isRead && h.started.Equal(started) {
		return 0, nil
	}
	listed, err := h.in.Store.List(ctx)
	isRead := err == nil || errors.Is(err, errNotServed)
	if isRead {
		record.NewestFirst(listed)
		h.isRead, h.started = true, started
	}
	if isRead || h.records.Load() == nil {
		h.records.Store(&listed)
		h.in.OnRead()
	}
	if isRead {
		return 0, nil
	}
	return 0, err
}

// startOf returns when the update of what was built last started, nil if none has.
func startOf(built *update.Built) *metav1.Time {
	if built == nil || built.Update.ControlPlane.Version == nil {
		return nil
	}
	return built.Update.ControlPlane.Version.StartedAt
}

// Of returns the records of the updates before that of what was built last, the newest one first, and whether an attempt to read them was
// made. It is safe for concurrent use.
func (h *History) Of(built *update.Built) (earlier estimate.History, isTried bool) {
	records, started := h.records.Load(), startOf(built)
	if records == nil {
		return nil, false
	}
	for at := range *records {
		if one := &(*records)[at].Status; one.StartedAt != nil && (started == nil || one.StartedAt.Before(started)) {
			earlier = append(earlier, *one)
		}
	}
	return earlier, true
}
