package publish

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

const (
	// changed is how often a record that changes is written: it has up to 64 KiB, and is read later. It is a little less
	// than a minute, after which the status is confirmed.
	changed = 55 * time.Second
	// unchanged is how often a record that does not change is written while its update goes on: a time before observedAt is known
	// after a kill.
	unchanged = 10 * time.Minute
)

// RecordWriter writes the records of the updates of a cluster.
type RecordWriter struct {
	in RecordInput

	// recorder is nil until the newest record was read.
	recorder *record.Recorder
	// ended is the record of an update that has ended and is not written yet, nil if there is none.
	ended *record.Named
	// isPruned is whether no record is stored that is not kept.
	isPruned bool
	// written is the newest record as it was read or written last, and when that was.
	written   *record.Named
	writtenAt time.Time
}

// RecordInput is what a RecordWriter is made from.
type RecordInput struct {
	Store *Records
	Built Built
	// Summary returns the last summary that was made, nil if none was.
	Summary func() *updatev1alpha1.UpdateStatusSummaryStatus
	// Pace is the clock for the pace of writes.
	Pace clock.PassiveClock
}

// NewRecordWriter returns a RecordWriter, for a Follower.
func NewRecordWriter(in RecordInput) *RecordWriter {
	return &RecordWriter{in: in}
}

// Write observes what was built last, and writes the records that are due. It returns no delay: the next status comes within a
// minute.
func (w *RecordWriter) Write(ctx context.Context, isLast bool) (time.Duration, error) {
	built := w.in.Built()
	if built == nil {
		return 0, nil
	}
	if isResumed, err := w.resume(ctx, built.Update); !isResumed {
		return 0, err
	}
	if ended := w.recorder.Observe(built.Update, built.At); ended != nil && !w.isWritten(ended, isLast) {
		w.ended = ended
	}
	if w.in.Summary != nil {
		w.recorder.Expect(w.in.Summary())
	}
	if err := w.writeEnded(ctx); err != nil {
		return 0, err
	}
	if err := w.writeNewest(ctx, isLast); err != nil || isLast {
		return 0, err
	}
	return 0, w.prune(ctx)
}

// resume reads the record to go on from at the start, once a status says which update is the newest.
func (w *RecordWriter) resume(ctx context.Context, u *update.Update) (bool, error) {
	if _, isKnown := record.ToResume(u, nil); w.recorder != nil || !isKnown {
		return w.recorder != nil, nil
	}
	listed, err := w.in.Store.List(ctx)
	if err != nil {
		return false, err
	}
	record.NewestFirst(listed)
	newest, _ := record.ToResume(u, listed)
	w.recorder, w.written = record.Resume(newest), newest
	if newest != nil {
		klog.FromContext(ctx).Info("Continuing the newest UpdateRecord", "name", newest.Name, "result", newest.Status.Result)
	}
	w.isPruned = len(w.surplusOf(listed)) == 0
	return true, nil
}

func (w *RecordWriter) writeEnded(ctx context.Context) error {
	if w.ended == nil {
		return nil
	}
	if err := w.write(ctx, w.ended); err != nil {
		return err
	}
	klog.FromContext(ctx).Info("The next update ended the UpdateRecord of the previous one", "name", w.ended.Name, "result", w.ended.Status.Result)
	w.ended = nil
	return nil
}

// writeNewest writes the newest record if that is due. It does not make one more often than needed: that takes a look at every
// node.
func (w *RecordWriter) writeNewest(ctx context.Context, isLast bool) error {
	if !isLast && !w.isDue() {
		return nil
	}
	next := w.recorder.Record()
	if next == nil || w.isWritten(next, isLast) {
		return nil
	}
	if err := w.write(ctx, next); err != nil {
		return err
	}
	w.written, w.writtenAt = next, w.in.Pace.Now()
	return nil
}

// write writes a record. If it is the first time, the object is created, and others may be no longer kept.
func (w *RecordWriter) write(ctx context.Context, next *record.Named) error {
	object, isNew, err := w.in.Store.GetOrCreate(ctx, next.Name)
	if err != nil {
		return err
	}
	w.isPruned = w.isPruned && !isNew
	object.Status = next.Status
	return w.in.Store.PutStatus(ctx, object)
}

// prune deletes the records that are not kept. After an error it goes on with the rest, also in another process.
func (w *RecordWriter) prune(ctx context.Context) error {
	if w.isPruned {
		return nil
	}
	listed, err := w.in.Store.List(ctx)
	if err != nil {
		return err
	}
	for _, name := range w.surplusOf(listed) {
		if err := w.in.Store.Delete(ctx, name); err != nil {
			return err
		}
	}
	w.isPruned = true
	return nil
}

// surplusOf returns the names of those of all records that are not kept.
func (w *RecordWriter) surplusOf(all []updatev1alpha1.UpdateRecord) []string {
	if w.written == nil {
		return record.Surplus(all, "")
	}
	return record.Surplus(all, w.written.Name)
}

// isDue returns whether the newest record may have to be written: it is about another update than the one written, has another
// result, or a minute has passed.
func (w *RecordWriter) isDue() bool {
	if w.written == nil || w.in.Pace.Since(w.writtenAt).Abs() >= changed {
		return true
	}
	now, before := w.recorder.Head(), &w.written.Status
	return now.Result != before.Result || !now.StartedAt.Equal(before.StartedAt)
}

// isWritten returns whether a record is written. Up to when it is complete counts as a change after ten minutes, and at the end
// of the process.
func (w *RecordWriter) isWritten(next *record.Named, isLast bool) bool {
	if w.written == nil || w.written.Name != next.Name {
		return false
	}
	before := w.written.Status
	isOld := isLast || w.in.Pace.Since(w.writtenAt).Abs() >= unchanged
	if !isOld || next.Status.Result != updatev1alpha1.ResultInProgress {
		before.ObservedAt = next.Status.ObservedAt
	}
	return equality.Semantic.DeepEqual(before, next.Status)
}
