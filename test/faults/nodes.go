package faults

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/simulator"
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
	var grown []simulator.Object
	for at := range w.repeats(100, 200) {
		grown = append(grown, builders.Node(fmt.Sprintf("grown-%d", at), builders.Role("worker"), builders.NodeLabel(grownLabel, ""), builders.Configs(grownConfig, grownConfig)))
	}
	creating, creatingContext := errgroup.WithContext(lasting)
	creating.SetLimit(8)
	for _, node := range grown {
		creating.Go(func() error { return w.write(creatingContext, simulator.Write{After: node}) })
	}
	if err := creating.Wait(); err != nil {
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
	err = w.kube.CoreV1().Nodes().DeleteCollection(lasting, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: grownLabel})
	if err != nil {
		return fmt.Errorf("deleting nodes: %w", err)
	}
	return nil
}
