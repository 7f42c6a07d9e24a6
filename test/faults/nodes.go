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
	// grownNodes is how many nodes a pool grows by: not as many as are listed by name (package truncate), which is compared elsewhere.
	grownNodes = 200
	// grownAtOnce is how many of them are created at a time.
	grownAtOnce = 8
	grownLabel  = "example.com/grown"
	// grownConfig is the configuration of these nodes.
	grownConfig = "rendered-worker-grown"
)

// growPool lets a pool grow by hundreds of nodes during the update, and shrink again afterwards.
func growPool(ctx context.Context, w *World) error {
	w.Pause(ctx, maxPause)
	lasting := context.WithoutCancel(ctx)
	var grown []simulator.Object
	for at := range grownNodes {
		grown = append(grown, builders.Node(fmt.Sprintf("grown-%d", at), builders.Role("worker"), builders.NodeLabel(grownLabel, ""), builders.Configs(grownConfig, grownConfig)))
	}
	creating, creatingContext := errgroup.WithContext(lasting)
	creating.SetLimit(grownAtOnce)
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
