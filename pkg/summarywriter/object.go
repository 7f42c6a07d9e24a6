package summarywriter

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
)

// object is UpdateStatusSummary/cluster as it was last read or written.
type object struct {
	client updateclient.UpdateStatusSummaryInterface
	// known is nil if the object must be read.
	known *updatev1alpha1.UpdateStatusSummary
}

// current returns the object, and creates it if it is missing.
func (o *object) current(ctx context.Context) (*updatev1alpha1.UpdateStatusSummary, error) {
	if o.known != nil {
		return o.known, nil
	}
	read, err := o.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		read, err = o.client.Create(ctx, &updatev1alpha1.UpdateStatusSummary{
			ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
		}, metav1.CreateOptions{})
	}
	if err != nil {
		return nil, fmt.Errorf("reading or creating UpdateStatusSummary/%s: %w", updatev1alpha1.SingletonName, err)
	}
	o.set(read)
	return o.known, nil
}

func (o *object) set(known *updatev1alpha1.UpdateStatusSummary) {
	known.ManagedFields = nil
	o.known = known
}

// write writes a status.
func (o *object) write(ctx context.Context, status *updatev1alpha1.UpdateStatusSummaryStatus) error {
	desired := o.known.DeepCopy()
	desired.Status = *status
	written, err := o.client.UpdateStatus(ctx, desired, metav1.UpdateOptions{})
	if err != nil {
		// It may have been changed, deleted or, in spite of the error, written.
		o.known = nil
		return fmt.Errorf("writing the status of UpdateStatusSummary/%s: %w", updatev1alpha1.SingletonName, err)
	}
	o.set(written)
	return nil
}
