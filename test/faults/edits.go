package faults

import (
	"context"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// editObject deletes, empties and edits the object, as another client may.
func editObject(ctx context.Context, w *World) error {
	const rounds = 9
	round := 0
	return w.repeat(ctx, rounds, func(ctx context.Context) error {
		round++
		err := w.edit(ctx, round%3)
		if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
			return nil // the controller was faster
		}
		return err
	})
}

func (w *World) edit(ctx context.Context, way int) error {
	if way == 0 {
		return w.client.Delete(ctx, updatev1alpha1.SingletonName, metav1.DeleteOptions{})
	}
	us, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		return err
	}
	us.Labels = map[string]string{"example.com/edited": strconv.Itoa(way)}
	if us, err = w.client.Update(ctx, us, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if way == 1 || us.Status.ControlPlane == nil {
		us.Status = updatev1alpha1.UpdateStatusStatus{}
	} else {
		us.Status.ControlPlane.Informers = us.Status.ControlPlane.Informers[:1]
		us.Status.WorkerPools = nil
	}
	if us, err = w.client.UpdateStatus(ctx, us, metav1.UpdateOptions{}); err == nil {
		w.edited[us.ResourceVersion] = true
	}
	return err
}
