package harness

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// storing is a client of a kind.
type storing[T metav1.Object] interface {
	Create(context.Context, T, metav1.CreateOptions) (T, error)
	UpdateStatus(context.Context, T, metav1.UpdateOptions) (T, error)
}

// Store creates an object, then its status.
func Store[T metav1.Object](ctx context.Context, client storing[T], object T) error {
	created, err := client.Create(ctx, object, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("creating %s: %w", object.GetName(), err)
	}
	object.SetResourceVersion(created.GetResourceVersion())
	if _, err := client.UpdateStatus(ctx, object, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("storing the status of %s: %w", object.GetName(), err)
	}
	return nil
}
