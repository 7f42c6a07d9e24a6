package playback

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// Put creates an object, or updates the existing one, with its status.
func (w *Writer) Put(ctx context.Context, object simulator.Object) error {
	wanted, client, err := w.resolve(object)
	if err != nil {
		return err
	}
	existing, err := client.Get(ctx, wanted.GetName(), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return w.create(ctx, wanted)
	}
	if err != nil {
		return fmt.Errorf("get %s %s: %w", wanted.GetKind(), wanted.GetName(), err)
	}
	wanted.SetResourceVersion(existing.GetResourceVersion())
	updated, err := client.Update(ctx, wanted, metav1.UpdateOptions{FieldManager: fieldManager})
	if err != nil {
		return fmt.Errorf("update %s %s: %w", wanted.GetKind(), wanted.GetName(), err)
	}
	if _, hasStatus := wanted.Object[statusSubresource]; !hasStatus {
		return nil
	}
	wanted.SetResourceVersion(updated.GetResourceVersion())
	if _, err = client.UpdateStatus(ctx, wanted, metav1.UpdateOptions{FieldManager: fieldManager}); err != nil {
		return fmt.Errorf("status of %s %s: %w", wanted.GetKind(), wanted.GetName(), err)
	}
	return nil
}

// resolve returns an object for a dynamic client, and the client of its resource.
func (w *Writer) resolve(object simulator.Object) (*unstructured.Unstructured, dynamic.ResourceInterface, error) {
	made, err := toUnstructured(object)
	if err != nil {
		return nil, nil, err
	}
	client, err := w.of(made)
	return made, client, err
}

// Remove deletes an object.
func (w *Writer) Remove(ctx context.Context, object simulator.Object) error {
	gone, client, err := w.resolve(object)
	if err != nil {
		return err
	}
	if err := client.Delete(ctx, gone.GetName(), metav1.DeleteOptions{}); err != nil {
		return fmt.Errorf("delete %s %s: %w", gone.GetKind(), gone.GetName(), err)
	}
	return nil
}

// Release removes the finalizers of an object that is being deleted, after which it is gone.
func (w *Writer) Release(ctx context.Context, object simulator.Object) error {
	held, client, err := w.resolve(object)
	if err != nil {
		return err
	}
	options := metav1.PatchOptions{FieldManager: fieldManager}
	if _, err := client.Patch(ctx, held.GetName(), types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), options); err != nil {
		return fmt.Errorf("release %s %s: %w", held.GetKind(), held.GetName(), err)
	}
	return nil
}
