package recordwriter

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/record"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

const (
	// changed is how often a record that changes is written: it has up to 64 KiB, and is read later. It is a little less
	// than a minute, after which the status is confirmed.
	changed = 55 * time.Second
	// unchanged is how often a record that does not change is written while its update goes on: a time before observedAt is known
	// after a kill.
	unchanged = 10 * time.Minute
)

// Writer writes the objects.
type Writer struct {
	built   func() *update.Built
	objects objects
	// pace is the clock for the pace of writes.
	pace clock.PassiveClock

	// recorder is nil until the newest record was read.
	recorder *record.Recorder
	// ended is the record of an update that has ended and is not written yet, nil if there is none.
	ended *record.Named
	// written is the newest record as it was read or written last, and when that was.
	written   *record.Named
	writtenAt time.Time
}

// Input is what a Writer is made from.
type Input struct {
	Client Client
	// Built returns what was built last, nil if nothing was.
	Built func() *update.Built
	Pace  clock.PassiveClock
}

// New returns a Writer, for a controller that follows the primary one.
func New(in Input) *Writer {
	return &Writer{built: in.Built, objects: objects{client: in.Client}, pace: in.Pace}
}

// Write observes what was built last, and writes the records that are due. It returns no delay: the next status comes within a
// minute.
func (w *Writer) Write(ctx context.Context, isLast bool) (time.Duration, error) {
	built := w.built()
	if built == nil {
		return 0, nil
	}
	if err := w.resume(ctx); err != nil {
		return 0, err
	}
	if ended := w.recorder.Observe(built.Update, built.At); ended != nil && !w.isWritten(ended, isLast) {
		w.ended = ended
	}
	if err := w.writeEnded(ctx); err != nil {
		return 0, err
	}
	return 0, w.writeNewest(ctx, isLast)
}

// resume reads the newest record at the start.
func (w *Writer) resume(ctx context.Context) error {
	if w.recorder != nil {
		return nil
	}
	newest, err := w.objects.newest(ctx)
	if err != nil {
		return err
	}
	if newest == nil {
		w.recorder = record.Resume(nil)
		return nil
	}
	w.written = &record.Named{Name: newest.Name, Status: newest.Status}
	w.recorder = record.Resume(w.written)
	klog.FromContext(ctx).Info("Going on with the newest UpdateRecord", "name", newest.Name, "result", newest.Status.Result)
	return nil
}

func (w *Writer) writeEnded(ctx context.Context) error {
	if w.ended == nil {
		return nil
	}
	if err := w.objects.write(ctx, w.ended); err != nil {
		return err
	}
	klog.FromContext(ctx).Info("An update has ended with the start of the next one", "name", w.ended.Name, "result", w.ended.Status.Result)
	w.ended = nil
	return nil
}

// writeNewest writes the newest record if that is due. It does not make one more often than needed: that takes a look at every
// node.
func (w *Writer) writeNewest(ctx context.Context, isLast bool) error {
	if !isLast && !w.isDue() {
		return nil
	}
	next := w.recorder.Record()
	if next == nil || w.isWritten(next, isLast) {
		return nil
	}
	if err := w.objects.write(ctx, next); err != nil {
		return err
	}
	w.written, w.writtenAt = next, w.pace.Now()
	return nil
}

// isDue returns whether the newest record may have to be written: it is about another update than the one written, has another
// result, or a minute has passed.
func (w *Writer) isDue() bool {
	if w.written == nil || w.pace.Since(w.writtenAt).Abs() >= changed {
		return true
	}
	now, before := w.recorder.Head(), &w.written.Status
	return now.Result != before.Result || !now.StartedAt.Equal(before.StartedAt)
}

// isWritten returns whether a record is written. Up to when it is complete counts as a change after ten minutes, and at the end
// of the process.
func (w *Writer) isWritten(next *record.Named, isLast bool) bool {
	if w.written == nil || w.written.Name != next.Name {
		return false
	}
	before := w.written.Status
	isOld := isLast || w.pace.Since(w.writtenAt).Abs() >= unchanged
	if !isOld || next.Status.Result != updatev1alpha1.ResultInProgress {
		before.ObservedAt = next.Status.ObservedAt
	}
	return equality.Semantic.DeepEqual(before, next.Status)
}
