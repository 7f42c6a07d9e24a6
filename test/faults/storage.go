package faults

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	updateac "github.com/openshift/cluster-version-operator/pkg/generated/applyconfigurations/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

const (
	storageNamespace = "openshift-storage"
	storageName      = "ceph"
	// storageNode is a node of a paused pool, which is degraded, and which the storage names as the reason.
	storageNode   = "storage-0"
	storageConfig = "rendered-infra-storage"
)

// trustStorage adds a degraded node to the cluster, and a trusted UpdateInformer that is the cause.
func (w *World) trustStorage(ctx context.Context) error {
	node := builders.Node(storageNode, builders.Role("infra"), builders.Configs(storageConfig, storageConfig), builders.DegradedBecause("disk full"))
	if err := w.write(ctx, simulator.Write{After: node}); err != nil {
		return err
	}
	w.added = append(w.added, node)
	if err := w.createNamespace(ctx, storageNamespace); err != nil {
		return err
	}
	if err := w.rebuildStorage(ctx); err != nil {
		return err
	}
	patch := fmt.Sprintf(`[{"op":"add","path":"/spec/informers/-","value":{"namespace":%q,"name":%q,"state":%q}}]`,
		storageNamespace, storageName, updatev1alpha1.InformerTrusted)
	if _, err := w.client.Patch(ctx, updatev1alpha1.SingletonName, types.JSONPatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		return fmt.Errorf("trusting the storage: %w", err)
	}
	_, err := w.waitUntilRight(ctx, settleTimeout)
	return err
}

// rebuildStorage renews the trusted UpdateInformer by the clock of the controller, with another summary each time, so that it is assessed.
func (w *World) rebuildStorage(ctx context.Context) error {
	w.rebuilt++
	now := metav1.NewTime(clockAhead{by: &w.ahead}.Now().Truncate(time.Second))
	options := metav1.ApplyOptions{FieldManager: storageName, Force: true}
	informer := updateac.UpdateInformer(storageName, storageNamespace)
	if _, err := w.informers.UpdateInformers(storageNamespace).Apply(ctx, informer, options); err != nil {
		return fmt.Errorf("creating the UpdateInformer of the storage: %w", err)
	}
	node, budget := assess.NodeRef(storageNode), insight.Budget(storageNamespace, "rook-ceph-osd")
	status := updateac.UpdateInformerStatus().WithRenewedAt(now).WithInsights(updateac.InformerInsight().
		WithName("rebuilding").WithReason("StorageRebuilding").WithLevel(updatev1alpha1.InformerError).WithImpact(updatev1alpha1.InformerImpactUpdateStalled).
		WithSummary(fmt.Sprintf("Rebuilds %d of 96 disks", w.rebuilt)).WithReference("https://example.com/ceph").
		WithResources(
			updateac.ResourceRef().WithResource(node.Resource).WithName(node.Name),
			updateac.ResourceRef().WithGroup(budget.Group).WithResource(budget.Resource).WithNamespace(budget.Namespace).WithName(budget.Name),
		))
	stored, err := w.informers.UpdateInformers(storageNamespace).ApplyStatus(ctx, informer.WithStatus(status), options)
	if err != nil {
		return fmt.Errorf("renewing the UpdateInformer of the storage: %w", err)
	}
	w.trusted = stored
	return nil
}
