package controller

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
)

// unwrittenAfter is how long the object may not be written until the summary says that it is outdated: a restart of the API server, and
// conflicts with other clients, are over by then.
const unwrittenAfter = 30 * time.Second

// recordFailure records that the object could not be read or written, whatever the error. The object can't say so itself.
func (c *Controller) recordFailure(err error) {
	now := c.schedule.pace.Now()
	if c.failingSince.IsZero() {
		c.failingSince = now
	}
	isRejected := c.unavailable != nil && c.unavailable.Reason == updatev1alpha1.ReasonRejected
	if now.Sub(c.failingSince) < unwrittenAfter || isRejected || c.built == nil {
		return
	}
	unwritten := status.NotWritten(err, metav1.NewTime(c.failingSince.Truncate(time.Second)))
	if c.unavailable == nil || c.unavailable.Message != unwritten.Message {
		c.unavailable = &unwritten
		c.publish()
	}
}

// recordInSync records that the object has the status that was built last.
func (c *Controller) recordInSync() {
	isNews := c.unavailable != nil || c.confirmedAt.IsZero()
	c.setConfirmed()
	if isNews {
		c.publish()
	}
}

// confirm records that the object still has it, and tells others.
func (c *Controller) confirm() {
	if c.built == nil {
		return
	}
	c.setConfirmed()
	c.publish()
}

func (c *Controller) setConfirmed() {
	c.failingSince, c.unavailable, c.confirmedAt = time.Time{}, nil, c.schedule.pace.Now()
}
