package controlplane

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
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
	// context has the queue.
	context    factory.SyncContext
	watchState func() *insight.State

	// What follows is touched by the one worker only.

	// reported is what was assessed for the last reports, zero before the first.
	reported reportedObjects
	// complete is whether everything has been reported, and nothing missed since.
	complete bool
	// failing is the state that was reported last while the watches were failing, nil if they work.
	failing *insight.State
}

// reportedObjects are the objects in the caches whose assessments have been reported.
type reportedObjects struct {
	version    *configv1.ClusterVersion
	deployment *appsv1.Deployment
	operators  map[string]*configv1.ClusterOperator
}

// Input is what the controller is made from. The informers' objects may be trimmed (Trim).
type Input struct {
	Clock            clock.PassiveClock
	ClusterVersions  cache.SharedIndexInformer
	ClusterOperators cache.SharedIndexInformer
	// Deployments holds the machine-config-operator Deployment. The controller does not wait for it to sync: a cluster
	// may have none, or none that may be read.
	Deployments cache.SharedIndexInformer
	// WatchState returns what the source reports of itself while its watches fail, nil while they work. When that changes
	// Resync is called.
	WatchState func() *insight.State
	Send       insight.Send
	Recorder   events.Recorder
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
		send:       in.Send,
		watchState: in.WatchState,
		context:    syncContext,
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

// Resync reports everything again.
func (c *Controller) Resync() {
	c.context.Queue().Add(allKey)
}

// sync assesses what a key is about, and whatever else has changed meanwhile: the control plane as a whole counts all
// operators as they are now, and the report of each must agree with it. The first key, whichever it is, assesses everything:
// at that moment the caches are full, though not every initial event has arrived. So does the first key after the watches
// failed.
func (c *Controller) sync(ctx context.Context, syncContext factory.SyncContext) error {
	if state := c.watchState(); state != nil {
		return c.reportFailing(ctx, state)
	}
	key := syncContext.QueueKey()
	in, err := c.gatherer.input()
	if err != nil {
		return err
	}
	if !c.complete || c.reported.version != in.ClusterVersion || c.reported.deployment != in.MachineConfigOperator {
		key = allKey
	}
	now := c.clock.Now()
	results := map[string]assess.Result{clusterVersion: assess.ClusterVersion(in, now)}
	for _, operator := range c.operatorsToAssess(key, in) {
		results[operatorPrefix+operator] = assessOperator(in, operator, now)
	}

	message := insight.Message{Source: insight.ControlPlaneInformer}
	if key == allKey {
		message.State = &insight.State{Complete: true, Target: assess.TargetOf(in.ClusterVersion).String()}
	}
	for _, result := range results {
		message.Reports = append(message.Reports, result.Report)
	}
	if err := c.send(ctx, message); err != nil {
		c.complete = false
		return fmt.Errorf("reporting the control plane: %w", err)
	}
	c.reported, c.complete, c.failing = reportedOf(in), true, nil
	for key, result := range results {
		if !result.NextCheck.IsZero() {
			syncContext.Queue().AddAfter(key, result.NextCheck.Sub(now))
		}
	}
	return nil
}

// reportFailing reports that the watches are failing, and nothing else.
func (c *Controller) reportFailing(ctx context.Context, state *insight.State) error {
	if state == c.failing {
		return nil
	}
	c.complete = false
	if err := c.send(ctx, insight.Message{Source: insight.ControlPlaneInformer, State: state}); err != nil {
		return fmt.Errorf("reporting that watches are failing: %w", err)
	}
	c.failing = state
	return nil
}

// operatorsToAssess returns the names of the operators to assess, also of those that were deleted.
func (c *Controller) operatorsToAssess(key string, in assess.ClusterVersionInput) []string {
	var names []string
	exists := map[string]bool{}
	for _, operator := range in.ClusterOperators {
		exists[operator.Name] = true
		if key == allKey || key == operatorPrefix+operator.Name || c.reported.operators[operator.Name] != operator {
			names = append(names, operator.Name)
		}
	}
	for name := range c.reported.operators {
		if !exists[name] {
			names = append(names, name)
		}
	}
	return names
}

func reportedOf(in assess.ClusterVersionInput) reportedObjects {
	objects := reportedObjects{
		version: in.ClusterVersion, deployment: in.MachineConfigOperator,
		operators: make(map[string]*configv1.ClusterOperator, len(in.ClusterOperators)),
	}
	for _, operator := range in.ClusterOperators {
		objects.operators[operator.Name] = operator
	}
	return objects
}

// assessOperator returns an empty report for an operator that was deleted.
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
