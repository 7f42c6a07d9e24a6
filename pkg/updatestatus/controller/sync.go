package controller

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// sync writes the object if it is out of sync with the ledger. It returns the delay until it can be written, if that is not now.
func (c *Controller) sync(ctx context.Context) (time.Duration, error) {
	if delay := c.schedule.untilBuild(); delay > 0 {
		return delay, nil
	}
	current, err := c.read(ctx)
	if err != nil {
		return 0, err
	}
	reported, err := c.collect(ctx)
	if err != nil {
		return 0, err
	}
	if c.object.inSync && c.schedule.oldestPending.IsZero() {
		c.confirm()
		return 0, nil
	}
	if delay := c.schedule.untilSourcesReady(reported); delay > 0 {
		return delay, nil
	}
	built := c.build(reported)
	urgent := update.IsUrgent(c.written, built)
	if delay := c.schedule.untilWrite(urgent); delay > 0 {
		return delay, nil
	}
	desired, encoded, err := c.fit(current)
	if err != nil {
		return 0, err
	}
	if c.isStored(ctx, encoded, built) {
		return 0, nil
	}
	if delay := c.schedule.reserve(len(encoded.whole), urgent); delay > 0 {
		return delay, nil
	}
	if err = c.write(ctx, desired, encoded, built); apierrors.IsInvalid(err) {
		return c.leaveOutRejected(ctx, current, err)
	}
	return 0, err
}

// read returns the object, and takes over its settings, and its status if this process did not write that.
func (c *Controller) read(ctx context.Context) (*updatev1alpha1.UpdateStatus, error) {
	current, err := c.object.current(ctx)
	if err != nil {
		c.metrics.countMissing(err)
		return nil, err
	}
	if c.object.writtenByOther { // as it is when it is first read
		c.object.writtenByOther, c.written = false, update.Read(&current.Status)
		c.loadInitialState(&current.Status)
		c.builder.KeepEarlierTimes(&current.Status)
	}
	c.builder.SetGeneration(current.Generation)
	settings := current.Spec
	if before := c.settings.Swap(&settings); !equality.Semantic.DeepEqual(*before, settings) {
		c.in.OnUpdateChange()
	}
	return current, nil
}

// collect returns what the sources have reported, all of which is pending until it is written.
func (c *Controller) collect(ctx context.Context) (ledger.View, error) {
	snapshot, err := c.collector.snapshot(ctx, true)
	if err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", err)
	}
	c.schedule.oldestPending = cmp.Or(c.schedule.oldestPending, snapshot.oldestPending)
	if c.schedule.isCheckDue(c.builder.NextCheck()) {
		// It stays so if it can't be written now, when NextCheck has moved on.
		c.object.inSync = false
	}
	return snapshot.view, nil
}

func (c *Controller) write(ctx context.Context, desired *updatev1alpha1.UpdateStatus, encoded content, built *update.Update) error {
	started := c.schedule.pace.Now()
	err := c.object.write(ctx, desired, encoded)
	c.metrics.countWrite(err, len(encoded.whole), c.schedule.pace.Since(started))
	if err == nil {
		c.recordStored(ctx, built)
	}
	return err
}

// isStored returns whether the object has what is to be written, and records that.
func (c *Controller) isStored(ctx context.Context, encoded content, built *update.Update) bool {
	if !c.object.hasStatus(encoded) {
		return false
	}
	c.object.inSync = true
	if c.object.writeUncertain {
		c.recordStored(ctx, built)
	}
	c.schedule.oldestPending = time.Time{}
	c.recordInSync()
	return true
}

// recordStored records that a status is known to be stored: what is left out of it counts as well.
func (c *Controller) recordStored(ctx context.Context, built *update.Update) {
	if pending := c.schedule.oldestPending; !pending.IsZero() {
		c.metrics.lag.Observe(c.schedule.pace.Since(pending).Seconds())
	}
	c.schedule.oldestPending, c.object.writeUncertain = time.Time{}, false
	c.written = built
	c.events.recordStored(ctx, built)
	c.recordInSync()
}
