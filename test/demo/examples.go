package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/demo/story"
	"github.com/openshift/cluster-version-operator/test/examples/clusters"
	"github.com/openshift/cluster-version-operator/test/examples/updateinformer"
	"github.com/openshift/cluster-version-operator/test/playback"
)

const (
	// renewing is how often the examples renew their UpdateInformers, and following how often the nodes are read.
	renewing  = time.Minute
	following = 500 * time.Millisecond
)

// contributor is an example of docs/informers.md, and the node whose drain is blocked by what it reports.
type contributor struct {
	example clusters.Example
	node    string

	informer   updateinformer.Informer
	isBlocking bool
	renewed    time.Time
}

// installExamples installs the examples.
func (s *setup) installExamples(ctx context.Context) ([]*contributor, error) {
	s.console.say("Installing two programs of others that report to the update (docs/informers.md) ...")
	contributors := []*contributor{
		{example: clusters.Ceph(), node: story.StorageNode}, {example: clusters.LiveMigration(), node: story.MachineNode},
	}
	for _, one := range contributors {
		var err error
		if one.informer, err = one.example.Install(ctx, s.plane); err != nil {
			return nil, fmt.Errorf("installing the example %s: %w", one.example.Informer, err)
		}
	}
	return contributors, nil
}

// trustExamples trusts the examples, as an administrator does.
func (s *setup) trustExamples(ctx context.Context, contributors []*contributor) error {
	for _, one := range contributors {
		patch, err := clusters.TrustPatch(one.example.Informer)
		if err != nil {
			return err
		}
		if err := s.kubectl(ctx, "patch", "updatestatus", updatev1alpha1.SingletonName, "--type=json", "--patch", patch); err != nil {
			return err
		}
	}
	return nil
}

// whileContributing runs the examples during something, each as its ServiceAccount.
func (s *setup) whileContributing(ctx context.Context, contributors []*contributor, during func(context.Context) error) error {
	happening, stop := context.WithCancelCause(ctx)
	contributing, done := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		err := s.contribute(contributing, contributors)
		if err != nil {
			stop(err)
		}
		ended <- err
	}()
	err := during(happening)
	done()
	if failed := <-ended; failed != nil {
		return failed
	}
	return err
}

// contribute lets each example report, and blocks the drain of its node as long as the story does, until the context ends.
func (s *setup) contribute(ctx context.Context, contributors []*contributor) error {
	kube, err := kubernetes.NewForConfig(s.plane.Admin())
	if err != nil {
		return fmt.Errorf("making a client for the examples: %w", err)
	}
	for ctx.Err() == nil {
		for _, one := range contributors {
			if err := s.follow(ctx, kube, one); err != nil && ctx.Err() == nil {
				return fmt.Errorf("the example %s: %w", one.example.Informer, err)
			}
		}
		// The end of the context ends the loop.
		_ = playback.RealTime(ctx, time.Now().Add(following))
	}
	return nil
}

// follow changes what an example reports about when the drain of its node starts or ends, and renews its UpdateInformer then and once a
// minute.
func (s *setup) follow(ctx context.Context, kube kubernetes.Interface, one *contributor) error {
	node, err := kube.CoreV1().Nodes().Get(ctx, one.node, metav1.GetOptions{})
	if err != nil {
		return err
	}
	now, isDraining := time.Now(), story.IsDraining(node)
	if isDraining == one.isBlocking && now.Sub(one.renewed) < renewing {
		return nil
	}
	change := one.example.Settle
	if isDraining {
		change = one.example.Put
	}
	if err := change(ctx, s.plane, one.node, now); err != nil {
		return err
	}
	one.isBlocking, one.renewed = isDraining, now
	return one.informer.Renew(ctx, now)
}
