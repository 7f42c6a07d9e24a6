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

// ending is how long the end of a CRD may take. When the controller creates the object anew just before that is refused,
// kube-apiserver waits for a minute for it to go, and only then deletes it again (its CRD finalizer).
const ending = 2 * time.Minute

// removeCRD removes the CRD of the object, and with it the object, and puts it back.
func removeCRD(ctx context.Context, w *World) error {
	return w.repeat(ctx, 2, func(ctx context.Context) error {
		client, err := dynamic.NewForConfig(w.Plane.Admin())
		if err != nil {
			return fmt.Errorf("making a client: %w", err)
		}
		crds := client.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
		const name = "updatestatuses.update.openshift.io"
		crd, err := crds.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return fmt.Errorf("reading the CRD: %w", err)
		}
		if err := crds.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
			return fmt.Errorf("removing the CRD: %w", err)
		}
		if err := wait.PollUntilContextTimeout(ctx, polling, ending, true, func(ctx context.Context) (bool, error) {
			_, err := crds.Get(ctx, name, metav1.GetOptions{})
			return apierrors.IsNotFound(err), nil
		}); err != nil {
			return fmt.Errorf("waiting for the end of the CRD: %w", err)
		}
		w.Pause(ctx, outage)
		crd.SetResourceVersion("")
		crd.SetUID("")
		unstructured.RemoveNestedField(crd.Object, "status")
		if _, err := crds.Create(ctx, crd, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("putting the CRD back: %w", err)
		}
		return awaitEstablished(ctx, crds, name)
	})
}

// awaitEstablished waits until an API server serves the resource of a CRD for good: before that it may do so for a moment,
// and then leave requests without an answer.
func awaitEstablished(ctx context.Context, crds dynamic.ResourceInterface, name string) error {
	err := wait.PollUntilContextTimeout(ctx, polling, settling, true, func(ctx context.Context) (bool, error) {
		crd, err := crds.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, nil //nolint:nilerr // it is asked again
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
