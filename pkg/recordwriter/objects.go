package recordwriter

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/record"
)

// objects are the UpdateRecords of the cluster.
type objects struct {
	client Client
}

// newest returns the newest record, nil if there is none.
func (o objects) newest(ctx context.Context) (*updatev1alpha1.UpdateRecord, error) {
	listed, err := o.client.List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("listing the UpdateRecords: %w", err)
	}
	if len(listed.Items) == 0 {
		return nil, nil
	}
	record.NewestFirst(listed.Items)
	return &listed.Items[0], nil
}

// write writes a record. If it is the first time, the object is created, and those that are no longer kept are deleted.
func (o objects) write(ctx context.Context, next *record.Named) error {
	object, err := o.client.Get(ctx, next.Name, metav1.GetOptions{})
	isNew := apierrors.IsNotFound(err)
	if isNew {
		object, err = o.client.Create(ctx, &updatev1alpha1.UpdateRecord{ObjectMeta: metav1.ObjectMeta{Name: next.Name}}, metav1.CreateOptions{})
	}
	if err != nil {
		return fmt.Errorf("reading or creating UpdateRecord/%s: %w", next.Name, err)
	}
	object.Status = next.Status
	if _, err := o.client.UpdateStatus(ctx, object, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("writing the status of UpdateRecord/%s: %w", next.Name, err)
	}
	if isNew {
		return o.prune(ctx)
	}
	return nil
}

func (o objects) prune(ctx context.Context) error {
	listed, err := o.client.List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("listing the UpdateRecords: %w", err)
	}
	for _, name := range record.Surplus(listed.Items) {
		if err := o.client.Delete(ctx, name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("deleting UpdateRecord/%s: %w", name, err)
		}
	}
	return nil
}
