package faults

import (
	"context"
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// takePermission removes one rule of the role after the other, and adds it again.
func takePermission(ctx context.Context, w *World) error {
	const role = "system:openshift:update-status-controller"
	roles := w.kube.RbacV1().ClusterRoles()
	whole, err := roles.Get(ctx, role, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading the role: %w", err)
	}
	set := func(ctx context.Context, rules []rbacv1.PolicyRule) error {
		current, err := roles.Get(ctx, role, metav1.GetOptions{})
		if err != nil {
			return fmt.Errorf("reading the role: %w", err)
		}
		current.Rules = rules
		if _, err := roles.Update(ctx, current, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("changing the role: %w", err)
		}
		// A watch that is open goes on without the permission.
		w.Proxy.Cut()
		return nil
	}
	taken := 0
	return w.repeat(ctx, len(whole.Rules), func(ctx context.Context) error {
		rules := append(append([]rbacv1.PolicyRule{}, whole.Rules[:taken]...), whole.Rules[taken+1:]...)
		taken++
		if err := set(ctx, rules); err != nil {
			return err
		}
		w.Pause(ctx, maxPause)
		return set(ctx, whole.Rules)
	})
}
