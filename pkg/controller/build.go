package controller

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"

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

// build builds the status, and tells others.
func (c *Controller) build(view ledger.View, current *updatev1alpha1.UpdateStatus) *update.Update {
	c.builder.SetHistory(c.history())
	built := update.Read(c.builder.Build(view, &current.Status, c.clock.Now()))
	c.schedule.setBuilt()
	c.publish(built)
	if now := view.Update(); now != *c.update.Load() {
		c.update.Store(&now)
		c.onUpdateChange()
	}
	return built
}

// publish makes a status the last one that was built, or confirms that it still is.
func (c *Controller) publish(built *update.Update) {
	if c.rejection != nil {
		rejected := *built
		rejected.Conditions = slices.Clone(built.Conditions)
		meta.SetStatusCondition(&rejected.Conditions, *c.rejection)
		built = &rejected
	}
	c.lastBuild.Store(&update.Built{Update: built, At: c.clock.Now(), ConfirmedAt: c.schedule.pace.Now()})
	c.onBuild()
}

// confirm confirms the status that was built last.
func (c *Controller) confirm() {
	if last := c.lastBuild.Load(); last != nil {
		c.publish(last.Update)
	}
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
