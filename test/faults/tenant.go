package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess/informers"
	"github.com/openshift/cluster-version-operator/test/controlplane"
)

const (
	// tenantInformers is the number of UpdateInformers of the tenant, each with as many insights as there may be.
	tenantInformers = 200
	// tenantRate is how many of them the tenant deletes and creates again in a second: a thousand a minute.
	tenantRate = 17
	// tenantAtOnce is how many requests of the tenant are in progress at a time.
	tenantAtOnce = 8
	tenantName   = "tenant"
)

var updateInformers = updatev1alpha1.SchemeGroupVersion.WithResource(informers.Resource)

// tenant is somebody who may do anything with the UpdateInformers of one namespace, and does.
type tenant struct {
	informers dynamic.ResourceInterface
	// next is the number of the next informer, and created how many were created.
	next    int
	created atomic.Int64
	// now returns the time of the controller.
	now func() time.Time
}

// newTenant returns the tenant, with the Role of docs/informers.md for any name, and the permission to delete.
func newTenant(ctx context.Context, w *World) (*tenant, error) {
	if err := w.admit(ctx); err != nil {
		return nil, fmt.Errorf("admitting the tenant: %w", err)
	}
	config, err := w.Plane.As(ctx, types.NamespacedName{Namespace: tenantName, Name: tenantName})
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{}
	if err := controlplane.AwaitAccess(ctx, config, authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
		Namespace: tenantName, Group: updateInformers.Group, Resource: updateInformers.Resource, Verb: "create",
	}}, true); err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("building a client of the tenant: %w", err)
	}
	return &tenant{
		informers: client.Resource(updateInformers).Namespace(tenantName),
		now:       func() time.Time { return clockAhead{by: &w.ahead}.Now() },
	}, nil
}

// admit creates the namespace of the tenant, its ServiceAccount and its Role, unless a scenario before has done that.
func (w *World) admit(ctx context.Context) error {
	meta := metav1.ObjectMeta{Namespace: tenantName, Name: tenantName}
	if err := w.createNamespace(ctx, tenantName); err != nil {
		return err
	}
	_, err := w.kube.CoreV1().ServiceAccounts(tenantName).Create(ctx, &corev1.ServiceAccount{ObjectMeta: meta}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	_, err = w.kube.RbacV1().Roles(tenantName).Create(ctx, &rbacv1.Role{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{{
		APIGroups: []string{updateInformers.Group}, Resources: []string{updateInformers.Resource, updateInformers.Resource + "/status"},
		Verbs: []string{"create", "patch", "delete", "deletecollection"},
	}}}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	_, err = w.kube.RbacV1().RoleBindings(tenantName).Create(ctx, &rbacv1.RoleBinding{
		ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: tenantName},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: tenantName, Name: tenantName}},
	}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	return nil
}

// createNamespace creates a namespace unless it exists. Nothing deletes namespaces here.
func (w *World) createNamespace(ctx context.Context, name string) error {
	_, err := w.kube.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("creating the namespace %s: %w", name, err)
	}
	return nil
}

// flood creates all informers of the tenant.
func (t *tenant) flood(ctx context.Context) error {
	creating, ctx := errgroup.WithContext(ctx)
	creating.SetLimit(tenantAtOnce)
	for range tenantInformers {
		number := t.next
		t.next++
		creating.Go(func() error { return t.create(ctx, number) })
	}
	return creating.Wait()
}

// churn deletes one informer after the other and creates it again with other insights, until the context ends.
func (t *tenant) churn(ctx context.Context) error {
	ticker := time.NewTicker(time.Second / tenantRate)
	defer ticker.Stop()
	running := new(errgroup.Group)
	running.SetLimit(tenantAtOnce)
	for {
		select {
		case <-ctx.Done():
			return running.Wait()
		case <-ticker.C:
			number := t.next
			t.next++
			running.Go(func() error {
				// What was started is completed.
				ctx := context.WithoutCancel(ctx)
				if err := t.informers.Delete(ctx, informerName(number), metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
					return fmt.Errorf("deleting an informer of the tenant: %w", err)
				}
				return t.create(ctx, number)
			})
		}
	}
}

// create creates an informer and writes its status. The API server refuses some of them.
func (t *tenant) create(ctx context.Context, number int) error {
	informer := &unstructured.Unstructured{}
	informer.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind("UpdateInformer"))
	informer.SetName(informerName(number))
	if _, err := t.informers.Create(ctx, informer, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("creating an informer of the tenant: %w", err)
	}
	content, err := json.Marshal(map[string]any{"status": hostileStatus(number, t.now())})
	if err != nil {
		return fmt.Errorf("encoding an informer of the tenant: %w", err)
	}
	_, err = t.informers.Patch(ctx, informer.GetName(), types.MergePatchType, content, metav1.PatchOptions{}, "status")
	if err != nil && !apierrors.IsInvalid(err) && !apierrors.IsNotFound(err) {
		return fmt.Errorf("writing the status of an informer of the tenant: %w", err)
	}
	t.created.Add(1)
	return nil
}

// leave deletes all informers of the tenant.
func (t *tenant) leave(ctx context.Context) error {
	if err := t.informers.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return fmt.Errorf("deleting the informers of the tenant: %w", err)
	}
	return nil
}

func informerName(number int) string {
	return fmt.Sprintf("informer-%d", number%tenantInformers)
}
