package controller

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/estimate"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

// LastBuild returns what was built last, nil until the sources have reported. It is safe for concurrent use.
func (c *Controller) LastBuild() *update.Built {
	return c.lastBuild.Load()
}

// OnBuild sets what is called after LastBuild has changed: after each change in the cluster, and once a minute. It must be set
// before Run, and return immediately.
func (c *Controller) OnBuild(notify func()) {
	c.onBuild = notify
}

// SetHistory sets what returns the records of earlier updates, the newest one first. It must be set before Run, and return immediately.
func (c *Controller) SetHistory(history func() estimate.History) {
	c.history = history
}

// SetSummary sets what returns the last summary, nil before the first one. It must be set before Run, and return immediately.
func (c *Controller) SetSummary(last func() *updatev1alpha1.UpdateStatusSummaryStatus) {
	c.summary = last
}

// SetRenewals sets what returns when each trusted UpdateInformer was last renewed, zero for never. It must be set before Run, return
// immediately, and be safe for concurrent use.
func (c *Controller) SetRenewals(renewals func() map[types.NamespacedName]time.Time) {
	c.renewals = renewals
}

// build builds the status, and tells others.
func (c *Controller) build(view ledger.View) *update.Update {
	c.builder.SetHistory(c.history())
	built := update.Read(c.builder.Build(view, c.clock.Now()))
	c.schedule.setBuilt()
	c.built = built
	c.publish()
	if now := view.Update(); now != *c.update.Load() {
		c.update.Store(&now)
		c.onUpdateChange()
	}
	return built
}

// publish tells others what was built last, and when it was last confirmed that the object has it.
func (c *Controller) publish() {
	built := c.built
	if c.unavailable != nil {
		unavailable := *built
		unavailable.Conditions = slices.Clone(built.Conditions)
		meta.SetStatusCondition(&unavailable.Conditions, *c.unavailable)
		built = &unavailable
	}
	c.lastBuild.Store(&update.Built{Update: built, At: c.clock.Now(), ConfirmedAt: c.confirmedAt})
	c.onBuild()
}

// fit returns the object with the status that was built last, as it can be stored.
func (c *Controller) fit(current *updatev1alpha1.UpdateStatus) (*updatev1alpha1.UpdateStatus, content, error) {
	result := c.builder.Fit()
	c.leftOut.Store(&result.LeftOut)
	desired := &updatev1alpha1.UpdateStatus{
		TypeMeta: current.TypeMeta, ObjectMeta: current.ObjectMeta, Spec: current.Spec, Status: *result.Status,
	}
	encoded, err := c.object.encodeWith(desired, result.JSON)
	return desired, encoded, err
}
