package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateac "github.com/openshift/cluster-version-operator/pkg/generated/applyconfigurations/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/informers"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const (
	// tenantShown is how many UpdateInformers of the tenant are shown at most.
	tenantShown = 20
	// tenantMinute is after how long the controller reads again what is not trusted.
	tenantMinute = time.Minute + time.Second
	// tenantAhead is by how much the clock of the controller is ahead, so that the update started as long ago: what was renewed just before
	// it becomes outdated three minutes later.
	tenantAhead = 4 * time.Minute
	tenantName  = "tenant"

	storageNamespace, storageName = "openshift-storage", "ceph"
	// storageNode is a node of a paused pool, which is degraded, and which the storage names as the reason.
	storageNode, storageConfig = "storage-0", "rendered-infra-storage"
)

var updateInformers = updatev1alpha1.SchemeGroupVersion.WithResource(informers.Resource)

// tenant is somebody who may do anything with the UpdateInformers of one namespace, and does.
type tenant struct {
	informers dynamic.ResourceInterface
	// count is the number of its informers, and next the number of the next one.
	count, next int
	// now returns the time of the controller.
	now func() time.Time
}

// prepareAttack creates what the tenant attacks: a degraded node, and a trusted UpdateInformer that is the cause. Then it creates the tenant,
// with its informers.
func prepareAttack(ctx context.Context, w *World) error {
	node := builders.Node(storageNode, builders.Role("infra"), builders.Configs(storageConfig, storageConfig), builders.DegradedBecause("disk full"))
	if err := w.write(ctx, simulator.Write{After: node}); err != nil {
		return err
	}
	w.added = append(w.added, node)
	for _, name := range []string{storageNamespace, tenantName} {
		_, err := w.kube.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) { // nothing deletes namespaces here
			return fmt.Errorf("creating the namespace %s: %w", name, err)
		}
	}
	if err := w.renewStorage(ctx); err != nil {
		return err
	}
	patch := fmt.Appendf(nil, `[{"op":"add","path":"/spec/informers/-","value":{"namespace":%q,"name":%q,"state":%q}}]`,
		storageNamespace, storageName, updatev1alpha1.InformerTrusted)
	if _, err := w.client.Patch(ctx, updatev1alpha1.SingletonName, types.JSONPatchType, patch, metav1.PatchOptions{}); err != nil {
		return fmt.Errorf("trusting the storage: %w", err)
	}
	if _, err := w.waitUntilRight(ctx, hangLimit); err != nil {
		return err
	}
	config := w.Plane.Admin()
	config.WarningHandler = rest.NoWarnings{}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("building a client of the tenant: %w", err)
	}
	w.tenant = &tenant{
		informers: client.Resource(updateInformers).Namespace(tenantName), count: w.repeats(60, 200), now: clockAhead{by: &w.ahead}.Now,
	}
	return w.tenant.replace(ctx, w.tenant.count)
}

// attack lets minutes of the controller pass, in each of which the tenant deletes and creates informers, the oldest ones first, which are
// shown. Everything else must be as without the tenant. Afterwards it leaves.
func attack(ctx context.Context, w *World) error {
	lasting := context.WithoutCancel(ctx)
	started, minutes, each := time.Now(), 2, w.repeats(w.tenant.count, 1000)
	shown := ""
	for range minutes {
		if err := w.waitForTenant(lasting, &shown); err != nil {
			return err
		}
		if err := errors.Join(w.tenant.replace(lasting, each), w.passMinute(lasting)); err != nil {
			return err
		}
	}
	if err := w.waitForTenant(lasting, &shown); err != nil {
		return err
	}
	<-ctx.Done()
	attacking := new(errgroup.Group)
	attacking.Go(func() error { return w.tenant.replace(lasting, each) })
	_, err := w.waitUntilRight(lasting, w.scenario.recoveryLimit())
	minutes += int(time.Since(started) / time.Minute)
	if err := errors.Join(err, attacking.Wait(), w.checkAttack(minutes)); err != nil {
		return fmt.Errorf("during the attack: %w", err)
	}
	if err := w.tenant.informers.DeleteCollection(lasting, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return fmt.Errorf("deleting the informers of the tenant: %w", err)
	}
	w.tenant = nil
	return w.passMinute(lasting)
}

// waitForTenant waits until the object has something else of the tenant than before.
func (w *World) waitForTenant(ctx context.Context, shown *string) error {
	before := *shown
	return w.await(ctx, "the informers of the tenant", func(context.Context) (bool, error) {
		*shown = contributionOfTenant(w.newest())
		return *shown != before, nil
	})
}

// passMinute lets a minute pass for the controller, whose timers are those of the real clock: it assesses when the storage changes. What was
// changed before, it reads after that minute: its watch brings changes in their order, so that it has them with those of the storage.
func (w *World) passMinute(ctx context.Context) error {
	if err := w.renewStorage(ctx); err != nil {
		return err
	}
	reported := storageNamespace + "/" + storageName + ": " + w.storage.Status.Insights[0].Summary
	err := w.await(ctx, "the informer of the storage", func(context.Context) (bool, error) {
		return slices.ContainsFunc(invariants.Insights(&w.newest().Status), func(one *updatev1alpha1.Insight) bool {
			return one.Health != nil && one.Health.Impact.Summary == reported
		}), nil
	})
	w.ahead.Add(int64(tenantMinute))
	return errors.Join(err, w.renewStorage(ctx))
}

// newest returns the version of the object that the observer received last.
func (w *World) newest() *updatev1alpha1.UpdateStatus {
	versions := w.observer.Versions()
	return versions[len(versions)-1]
}

// renewStorage renews the trusted UpdateInformer by the clock of the controller, with another summary each time, so that it is assessed.
func (w *World) renewStorage(ctx context.Context) error {
	w.renewals++
	now := metav1.NewTime(clockAhead{by: &w.ahead}.Now().Truncate(time.Second))
	options := metav1.ApplyOptions{FieldManager: storageName, Force: true}
	informer := updateac.UpdateInformer(storageName, storageNamespace)
	_, err := w.informers.UpdateInformers(storageNamespace).Apply(ctx, informer, options)
	if err != nil {
		return fmt.Errorf("creating the UpdateInformer of the storage: %w", err)
	}
	node, budget := assess.NodeRef(storageNode), insight.Budget(storageNamespace, "rook-ceph-osd")
	status := updateac.UpdateInformerStatus().WithRenewedAt(now).WithInsights(updateac.InformerInsight().
		WithName("rebuilding").WithReason("StorageRebuilding").WithLevel(updatev1alpha1.InformerError).WithImpact(updatev1alpha1.ImpactUpdateStalled).
		WithSummary(fmt.Sprintf("Rebuilds %d of 96 disks", w.renewals)).WithReference("https://example.com/ceph").
		WithResources(
			updateac.ResourceRef().WithResource(node.Resource).WithName(node.Name),
			updateac.ResourceRef().WithGroup(budget.Group).WithResource(budget.Resource).WithNamespace(budget.Namespace).WithName(budget.Name),
		))
	if w.storage, err = w.informers.UpdateInformers(storageNamespace).ApplyStatus(ctx, informer.WithStatus(status), options); err != nil {
		return fmt.Errorf("renewing the UpdateInformer of the storage: %w", err)
	}
	return nil
}

// replace deletes one informer after the other, if it exists, and creates it again with other insights.
func (t *tenant) replace(ctx context.Context, count int) error {
	running := new(errgroup.Group)
	running.SetLimit(8)
	for range count {
		number := t.next
		t.next++
		running.Go(func() error {
			name := fmt.Sprintf("informer-%d", number%t.count)
			err := t.informers.Delete(ctx, name, metav1.DeleteOptions{})
			if err != nil && !apierrors.IsNotFound(err) {
				return fmt.Errorf("deleting an informer of the tenant: %w", err)
			}
			return t.create(ctx, name, number)
		})
	}
	return running.Wait()
}

// create creates an informer and writes its status. The API server refuses some of them.
func (t *tenant) create(ctx context.Context, name string, number int) error {
	informer := &unstructured.Unstructured{}
	informer.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind("UpdateInformer"))
	informer.SetName(name)
	_, errCreate := t.informers.Create(ctx, informer, metav1.CreateOptions{})
	content, errJSON := json.Marshal(map[string]any{"status": hostileStatus(number, t.now())})
	if err := errors.Join(errCreate, errJSON); err != nil {
		return fmt.Errorf("creating an informer of the tenant: %w", err)
	}
	_, err := t.informers.Patch(ctx, name, types.MergePatchType, content, metav1.PatchOptions{}, "status")
	if err != nil && !apierrors.IsInvalid(err) {
		return fmt.Errorf("writing the status of an informer of the tenant: %w", err)
	}
	return nil
}
