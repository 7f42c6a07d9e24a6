package controller

import (
	"context"
	"errors"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
)

// leaveOutRejected leaves out the insights that the API server rejects, as no object may stop the report about others. It returns
// the delay until the rest can be written. If no insight is the cause, it only writes that the status is rejected, and returns
// the error.
func (c *Controller) leaveOutRejected(ctx context.Context, current *updatev1alpha1.UpdateStatus, err error) (time.Duration, error) {
	causes := causesOf(err)
	if rejected := c.builder.Reject(causes); len(rejected) > 0 {
		klog.FromContext(ctx).Info("The API server rejects insights, writing the status without them", "count", len(rejected), "first", rejected[0])
		return max(c.schedule.untilBuild(), firstRetry), nil
	}
	return 0, errors.Join(err, c.writeRejected(ctx, current, causes))
}

// writeRejected writes the known status with a condition that says that the API server rejects the next one.
func (c *Controller) writeRejected(ctx context.Context, current *updatev1alpha1.UpdateStatus, causes []metav1.StatusCause) error {
	why := "no cause given"
	if len(causes) > 0 {
		why = status.Cause(causes[0])
	}
	rejected := *current
	rejected.Status = status.Rejected(current.Status, why, metav1.NewTime(c.clock.Now().Truncate(time.Second)))
	c.unavailable = meta.FindStatusCondition(rejected.Status.Conditions, updatev1alpha1.ConditionAvailable)
	c.publish()
	encoded, err := c.object.encode(&rejected)
	if err != nil || c.object.hasStatus(encoded) {
		return err
	}
	err = c.object.write(ctx, &rejected, encoded)
	c.object.inSync = false
	return err
}

// isAboutContent returns whether the API server rejects a status for its content, and would reject it again: it names a field. A policy that
// denies all of them responds with the same code (k8s.io/apiserver, pkg/admission/plugin/policy/validating/dispatcher.go: Invalid is the
// reason of a policy that has none), and names none.
func isAboutContent(err error) bool {
	return apierrors.IsInvalid(err) && slices.ContainsFunc(causesOf(err), func(one metav1.StatusCause) bool { return one.Field != "" })
}

// causesOf returns the causes that the API server gives for an error.
func causesOf(err error) []metav1.StatusCause {
	var response apierrors.APIStatus
	if !errors.As(err, &response) || response.Status().Details == nil {
		return nil
	}
	return response.Status().Details.Causes
}
