package faults

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// editObject edits, empties and deletes the object, as another client may: while the controller writes it, and when nothing else changes.
func editObject(ctx context.Context, w *World) error {
	const ways, rounds = 3, 9
	lasting := context.WithoutCancel(ctx)
	for round := range w.repeats(ways, rounds) {
		w.Pause(lasting, maxPause/ways)
		// If the controller was faster, there is nothing to edit.
		if err := w.edit(lasting, round%ways); err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			return err
		}
	}
	<-ctx.Done()
	for way := range ways {
		if _, err := w.waitUntilRight(lasting, w.scenario.recoveryLimit()); err != nil {
			return err
		}
		if err := w.edit(lasting, way); err != nil {
			return err
		}
	}
	return nil
}

func (w *World) edit(ctx context.Context, way int) error {
	if way == 2 {
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

// takePermission removes one rule of the role after the other, and adds it again.
func takePermission(ctx context.Context, w *World) error {
	const role = "system:openshift:update-status-controller"
	ctx = context.WithoutCancel(ctx)
	roles := w.kube.RbacV1().ClusterRoles()
	current, err := roles.Get(ctx, role, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading the role: %w", err)
	}
	set := func(rules []rbacv1.PolicyRule) error {
		current.Rules = rules
		if current, err = roles.Update(ctx, current, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("changing the role: %w", err)
		}
		// A watch that is open goes on without the permission.
		w.Proxy.Cut()
		return nil
	}
	whole := current.Rules
	for taken := range w.repeats(shortRepeats, len(whole)) {
		w.Pause(ctx, maxPause)
		if err := set(slices.Delete(slices.Clone(whole), taken, taken+1)); err != nil {
			return err
		}
		w.Pause(ctx, maxPause)
		if err := set(whole); err != nil {
			return err
		}
	}
	return nil
}
