package faults

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const (
	grownLabel = "example.com/grown"
	// grownConfig is the configuration of the nodes by which a pool grows.
	grownConfig = "rendered-worker-grown"
)

// growPool lets a pool grow by many nodes during the update, but not by as many as are listed by name (package truncate), which is compared
// elsewhere. Afterwards it shrinks again.
func growPool(ctx context.Context, w *World) error {
	w.Pause(ctx, maxPause)
	lasting := context.WithoutCancel(ctx)
	grown, err := w.createNodes(lasting, w.repeats(100, 200))
	if err != nil {
		return err
	}
	<-ctx.Done()
	created, err := w.kube.CoreV1().Nodes().List(lasting, metav1.ListOptions{LabelSelector: grownLabel})
	if err != nil {
		return fmt.Errorf("listing nodes: %w", err)
	}
	// The Machine Config Operator takes the oldest ones first.
	for at, node := range created.Items {
		grown[at] = builders.Node(node.Name, builders.Role("worker"), builders.Configs(grownConfig, grownConfig))
		grown[at].SetCreationTimestamp(node.CreationTimestamp)
	}
	w.added = grown
	if _, err := w.waitUntilRight(lasting, w.scenario.recoveryLimit()); err != nil {
		return fmt.Errorf("after a pool has grown: %w", err)
	}
	w.added = nil
	return w.deleteNodes(lasting)
}

// createNodes creates nodes of the pool of workers.
func (w *World) createNodes(ctx context.Context, count int) (created []simulator.Object, err error) {
	creating, ctx := errgroup.WithContext(ctx)
	creating.SetLimit(8)
	for at := range count {
		node := builders.Node(fmt.Sprintf("grown-%d", at), builders.Role("worker"), builders.NodeLabel(grownLabel, ""), builders.Configs(grownConfig, grownConfig))
		created = append(created, node)
		creating.Go(func() error { return w.write(ctx, simulator.Write{After: node}) })
	}
	return created, creating.Wait()
}

func (w *World) deleteNodes(ctx context.Context) error {
	err := w.kube.CoreV1().Nodes().DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: grownLabel})
	if err != nil {
		return fmt.Errorf("deleting nodes: %w", err)
	}
	return nil
}

// stealLeaseDuringTruncatedWrite is stealLeaseDuringWrite with an object so large that it lists nodes by name. Its next version does so, too.
func stealLeaseDuringTruncatedWrite(ctx context.Context, w *World) error {
	lasting := context.WithoutCancel(ctx)
	if _, err := w.createNodes(lasting, 500); err != nil {
		return err
	}
	truncated := func(ctx context.Context) (bool, error) {
		us, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
		return err == nil && isTruncated(us), err
	}
	if err := w.await(lasting, "an object that lists nodes by name", truncated); err != nil {
		return err
	}
	if err := stealLeaseDuringWrite(lasting, w); err != nil {
		return err
	}
	if is, err := truncated(lasting); err != nil || !is {
		return errors.Join(err, errors.New("the object of the next leader does not list nodes by name"))
	}
	<-ctx.Done()
	return w.deleteNodes(lasting)
}

// isTruncated returns whether an object lists nodes by name.
func isTruncated(us *updatev1alpha1.UpdateStatus) bool {
	return slices.ContainsFunc(invariants.Insights(&us.Status), func(one *updatev1alpha1.Insight) bool {
		return one.MachineConfigPool != nil && len(one.MachineConfigPool.NodeGroups) > 0
	})
}
