package controller

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/estimate"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/summary"
)

// Hosted is a hosted cluster, of which the controller writes the HostedClusterUpdateStatus. Its status has the summary, which is
// written with the rest, and once a minute to confirm it.
type Hosted struct {
	// Name is that of the HostedCluster, and of the object.
	Name types.NamespacedName
	// Client creates and reads the objects of its namespace.
	Client updateclient.HostedClusterUpdateStatusInterface
	// Owner returns the reference to the HostedCluster, which owns the object.
	Owner func(context.Context) (metav1.OwnerReference, error)
	// History returns the records of the updates before that of a summary, the newest first.
	History func(context.Context, *updatev1alpha1.UpdateStatusSummaryStatus) (estimate.History, error)
	// Resource is the reference to the HostedCluster in a status of which nothing is known yet.
	Resource updatev1alpha1.ResourceRef
}

func (h *Hosted) get(ctx context.Context) (stored, error) {
	object, err := h.Client.Get(ctx, h.Name.Name, metav1.GetOptions{})
	if err != nil {
		return stored{}, err //nolint:wrapcheck // the caller wraps it
	}
	return h.stored(object), nil
}

func (h *Hosted) create(ctx context.Context) (stored, error) {
	owner, err := h.Owner(ctx)
	if apierrors.IsNotFound(err) {
		return stored{}, errors.New("there is no HostedCluster " + h.Name.String() + " that the object would be about")
	}
	if err != nil {
		return stored{}, fmt.Errorf("reading HostedCluster %s: %w", h.Name, err)
	}
	object, err := h.Client.Create(ctx, &updatev1alpha1.HostedClusterUpdateStatus{
		ObjectMeta: metav1.ObjectMeta{Name: h.Name.Name, Namespace: h.Name.Namespace, OwnerReferences: []metav1.OwnerReference{owner}},
	}, metav1.CreateOptions{})
	if err != nil {
		return stored{}, err //nolint:wrapcheck // the caller wraps it
	}
	return h.stored(object), nil
}

func (h *Hosted) stored(object *updatev1alpha1.HostedClusterUpdateStatus) stored {
	status := insight.FromHosted(&object.Status)
	if status.ControlPlane == nil {
		status.ControlPlane = &updatev1alpha1.ControlPlane{Resource: h.Resource}
	}
	return stored{
		UpdateStatus: &updatev1alpha1.UpdateStatus{ObjectMeta: object.ObjectMeta, Status: *status},
		summary:      object.Status.Summary,
	}
}

func (h *Hosted) encode(
	object *updatev1alpha1.UpdateStatus, status []byte, summary *updatev1alpha1.UpdateStatusSummaryStatus,
) (content, error) {
	hosted := &updatev1alpha1.HostedClusterUpdateStatus{ObjectMeta: object.ObjectMeta, Status: *insight.ToHosted(&object.Status, summary)}
	hosted.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind(kindHosted))
	whole, err := json.Marshal(hosted)
	if err != nil {
		return content{}, fmt.Errorf("encoding HostedClusterUpdateStatus %s: %w", h.Name, err)
	}
	return content{whole: whole, status: status, summary: summary}, nil
}

// summarize returns the summary of what was built last, nil for an object that has none.
func (c *Controller) summarize(ctx context.Context) (*updatev1alpha1.UpdateStatusSummaryStatus, error) {
	if c.hosted == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	before := cmp.Or(c.summary, c.object.content.summary, &updatev1alpha1.UpdateStatusSummaryStatus{})
	earlier, err := c.hosted.History(ctx, before)
	if err != nil {
		return nil, fmt.Errorf("reading the records of earlier updates: %w", err)
	}
	built := c.lastBuild.Load()
	next := summary.Of(summary.Input{Update: built.Update, History: earlier, Previous: before, Now: built.At})
	observed := metav1.NewTime(built.ConfirmedAt.Truncate(time.Second))
	next.ObservedAt = &observed
	c.summary = next
	return next, nil
}

// isSameSummary returns whether a stored summary need not be replaced by another one: it differs at most in the time at which it
// was confirmed, by less than a minute.
func isSameSummary(stored, next *updatev1alpha1.UpdateStatusSummaryStatus) bool {
	if stored == nil || next == nil || next.ObservedAt == nil {
		return equality.Semantic.DeepEqual(stored, next)
	}
	if !isConfirmed(stored, next.ObservedAt.Time) {
		return false
	}
	confirmed := *stored
	confirmed.ObservedAt = next.ObservedAt
	return equality.Semantic.DeepEqual(&confirmed, next)
}

// isConfirmed returns whether a summary was confirmed within the last minute.
func isConfirmed(stored *updatev1alpha1.UpdateStatusSummaryStatus, now time.Time) bool {
	return stored.ObservedAt != nil && now.Sub(stored.ObservedAt.Time).Abs() < confirmInterval
}

// isConfirmed returns whether the summary in the object, if it has one, was confirmed within the last minute.
func (o *object) isConfirmed() bool {
	return o.content.summary == nil || isConfirmed(o.content.summary, o.pace.Now())
}

// confirmAfter returns after which time the summary in the object is to be confirmed, zero if it has none.
func (o *object) confirmAfter() time.Duration {
	if o.content.summary == nil || o.content.summary.ObservedAt == nil {
		return 0
	}
	return max(confirmInterval-o.pace.Since(o.content.summary.ObservedAt.Time), minCheckDelay)
}
