package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/openshift/cluster-version-operator/test/updatestatus/demo/story"
	"github.com/openshift/cluster-version-operator/test/updatestatus/examples/ceph"
	"github.com/openshift/cluster-version-operator/test/updatestatus/examples/clusters"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
)

const (
	// renewing is how often the example renews its UpdateInformer, and following how often its node is read.
	renewing  = time.Minute
	following = 500 * time.Millisecond
)

// contributor is the example of docs/updatestatus/informers.md, as its ServiceAccount.
type contributor struct {
	informer   ceph.Informer
	isBlocking bool
	renewed    time.Time
}

// trustExample trusts the example, as an administrator does.
func (s *setup) trustExample(ctx context.Context) error {
	patch, err := clusters.TrustExample()
	if err != nil {
		return err
	}
	return s.kubectl(ctx, "patch", "updatestatus", "cluster", "--type=json", "--patch", patch)
}

// contribute lets the example report, and blocks the drain of its node as long as the story does, until the context ends.
func (s *setup) contribute(ctx context.Context, example *contributor) error {
	kube, err := kubernetes.NewForConfig(s.plane.Admin())
	if err != nil {
		return fmt.Errorf("making a client for the example: %w", err)
	}
	for ctx.Err() == nil {
		if err := s.follow(ctx, kube, example); err != nil && ctx.Err() == nil {
			return fmt.Errorf("the example %s: %w", clusters.Informer, err)
		}
		// The end of the context ends the loop.
		_ = playback.RealTime(ctx, time.Now().Add(following))
	}
	return nil
}

// follow changes what the example reports about when the drain of its node starts or ends, and renews its UpdateInformer then and once a
// minute.
func (s *setup) follow(ctx context.Context, kube kubernetes.Interface, example *contributor) error {
	node, err := kube.CoreV1().Nodes().Get(ctx, story.StorageNode, metav1.GetOptions{})
	if err != nil {
		return err
	}
	now, isDraining := time.Now(), story.IsDraining(node)
	if isDraining == example.isBlocking && now.Sub(example.renewed) < renewing {
		return nil
	}
	change := clusters.Settle
	if isDraining {
		change = clusters.Put
	}
	if err := change(ctx, s.plane, story.StorageNode, now); err != nil {
		return err
	}
	example.isBlocking, example.renewed = isDraining, now
	return example.informer.Renew(ctx, now)
}
