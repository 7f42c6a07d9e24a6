package faults

import (
	"context"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
)

// crdDeletionTimeout bounds the deletion of a CRD. When the controller creates the object again just before that is refused,
// kube-apiserver waits a minute for it to be deleted, and only then deletes it again (its CRD finalizer).
const crdDeletionTimeout = 2 * time.Minute

// crdName is the name of the CRD of the object.
const crdName = "updatestatuses.update.openshift.io"

var crdResource = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// removeCRD deletes the CRD of the object, and with it the object, and creates it again.
func removeCRD(ctx context.Context, w *World) error {
	return w.repeat(ctx, 2, func(ctx context.Context) error {
		client, err := dynamic.NewForConfig(w.Plane.Admin())
		if err != nil {
			return fmt.Errorf("building a client: %w", err)
		}
		crds := client.Resource(crdResource)
		crd, err := crds.Get(ctx, crdName, metav1.GetOptions{})
		if err != nil {
			return fmt.Errorf("reading the CRD: %w", err)
		}
		if err := crds.Delete(ctx, crdName, metav1.DeleteOptions{}); err != nil {
			return fmt.Errorf("deleting the CRD: %w", err)
		}
		if err := wait.PollUntilContextTimeout(ctx, pollInterval, crdDeletionTimeout, true, func(ctx context.Context) (bool, error) {
			_, err := crds.Get(ctx, crdName, metav1.GetOptions{})
			return apierrors.IsNotFound(err), nil
		}); err != nil {
			return fmt.Errorf("waiting for the deletion of the CRD: %w", err)
		}
		w.Pause(ctx, maxOutage)
		crd.SetResourceVersion("")
		crd.SetUID("")
		unstructured.RemoveNestedField(crd.Object, "status")
		if _, err := crds.Create(ctx, crd, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating the CRD again: %w", err)
		}
		return waitUntilEstablished(ctx, crds)
	})
}

// waitUntilEstablished waits until a CRD is established. Before that an API server may serve its resource for a moment, and then
// not respond to requests.
func waitUntilEstablished(ctx context.Context, crds dynamic.ResourceInterface) error {
	err := wait.PollUntilContextTimeout(ctx, pollInterval, settleTimeout, true, func(ctx context.Context) (bool, error) {
		crd, err := crds.Get(ctx, crdName, metav1.GetOptions{})
		if err != nil {
			return false, nil //nolint:nilerr // it is read again
		}
		conditions, _, _ := unstructured.NestedFieldNoCopy(crd.Object, "status", "conditions")
		list, _ := conditions.([]any)
		return slices.ContainsFunc(list, func(condition any) bool {
			fields, _ := condition.(map[string]any)
			return fields["type"] == "Established" && fields["status"] == "True"
		}), nil
	})
	if err != nil {
		return fmt.Errorf("waiting for the CRD: %w", err)
	}
	return nil
}
