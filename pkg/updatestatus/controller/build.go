package controller

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// build builds the status, and tells others.
func (c *Controller) build(view ledger.View) *update.Update {
	c.builder.SetHistory(c.in.History())
	built := update.Read(c.builder.Build(view, c.clock.Now()))
	c.schedule.setBuilt()
	c.built = built
	c.publish()
	if now := view.Update(); now != *c.update.Load() {
		c.update.Store(&now)
		c.in.OnUpdateChange()
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
	c.in.Built.Store(&update.Built{Update: built, At: c.clock.Now(), ConfirmedAt: c.confirmedAt})
	c.in.OnBuild()
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
