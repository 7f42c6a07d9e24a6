package controlplane

import (
	"context"
	"fmt"
	"time"

	appslisters "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	configv1 "github.com/openshift/api/config/v1"
	configlisters "github.com/openshift/client-go/config/listers/config/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

const name = "ControlPlaneInformer"

// Controller reports how far the control plane is. Any change of the ClusterVersion, a ClusterOperator of the payload or
// the machine-config-operator Deployment triggers it, and the moment at which an assessment changes by itself; it writes
// nothing but messages to the primary controller.
type Controller struct {
	factory.Controller

	clock    clock.PassiveClock
	gatherer gatherer
	send     insight.Send
	queue    func(key string)
	// complete is whether everything has been reported once. Only the one worker touches it.
	complete bool
}

// Input is what the controller is made from. The informers' objects may be trimmed (Trim).
type Input struct {
	Clock            clock.PassiveClock
	ClusterVersions  cache.SharedIndexInformer
	ClusterOperators cache.SharedIndexInformer
	// Deployments holds the machine-config-operator Deployment. The controller does not wait for it to sync: a cluster
	// may have none, or none that may be read.
	Deployments cache.SharedIndexInformer
	Send        insight.Send
	Recorder    events.Recorder
}

// New returns the controller. It adds its event handlers to the informers.
func New(in Input) (*Controller, error) {
	syncContext := factory.NewSyncContext(name, in.Recorder)
	queue := func(key string) { syncContext.Queue().Add(key) }
	for _, informer := range []cache.SharedIndexInformer{in.ClusterVersions, in.ClusterOperators, in.Deployments} {
		if _, err := informer.AddEventHandler(handler(queue)); err != nil {
			return nil, fmt.Errorf("watching the control plane: %w", err)
		}
	}
	c := &Controller{
		clock: in.Clock,
		gatherer: gatherer{
			clusterVersions:  configlisters.NewClusterVersionLister(in.ClusterVersions.GetIndexer()),
			clusterOperators: configlisters.NewClusterOperatorLister(in.ClusterOperators.GetIndexer()),
			deployments:      appslisters.NewDeploymentLister(in.Deployments.GetIndexer()),
		},
		send:  in.Send,
		queue: queue,
	}
	c.Controller = factory.New().
		WithSync(c.sync).
		WithSyncContext(syncContext).
		WithBareInformers(in.ClusterVersions, in.ClusterOperators).
		WithPostStartHooks(func(context.Context, factory.SyncContext) error {
			c.Resync()
			return nil
		}).
		ToController(name, in.Recorder)
	return c, nil
}

// Resync reports everything once more.
func (c *Controller) Resync() {
	c.queue(everything)
}

// sync assesses what a key is about. The first key, whichever it is, stands for everything: at that moment the caches
// are full, though not every initial event has arrived.
func (c *Controller) sync(ctx context.Context, syncContext factory.SyncContext) error {
	key := syncContext.QueueKey()
	if !c.complete {
		key = everything
	}
	in, err := c.gatherer.whole()
	if err != nil {
		return err
	}
	now := c.clock.Now()
	results := map[string]assess.Result{clusterVersion: assess.ClusterVersion(in, now)}
	switch operator, ok := operatorOf(key); {
	case ok:
		results[key] = assessOperator(in, operator, now)
	case key == everything:
		for _, each := range in.ClusterOperators {
			results[operatorPrefix+each.Name] = assessOperator(in, each.Name, now)
		}
	}

	message := insight.Message{Source: insight.ControlPlaneInformer}
	if key == everything {
		message.State = &insight.State{Complete: true}
	}
	for _, result := range results {
		message.Reports = append(message.Reports, result.Report)
	}
	if err := c.send(ctx, message); err != nil {
		return fmt.Errorf("reporting the control plane: %w", err)
	}
	c.complete = c.complete || key == everything
	for key, result := range results {
		if !result.NextCheck.IsZero() {
			syncContext.Queue().AddAfter(key, result.NextCheck.Sub(now))
		}
	}
	return nil
}

// assessOperator takes back what was said about an operator that is gone.
func assessOperator(in assess.ClusterVersionInput, name string, now time.Time) assess.Result {
	operator := find(in.ClusterOperators, name)
	if operator == nil {
		return assess.Result{Report: insight.Report{Subject: assess.ClusterOperatorSubject(name)}}
	}
	return assess.ClusterOperator(assess.ClusterOperatorInput{
		Operator: operator, ClusterVersion: in.ClusterVersion, MachineConfigOperator: in.MachineConfigOperator,
	}, now)
}

func find(operators []*configv1.ClusterOperator, name string) *configv1.ClusterOperator {
	for _, operator := range operators {
		if operator.Name == name {
			return operator
		}
	}
	return nil
}
