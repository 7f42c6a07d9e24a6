package updatestatus

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"

	"github.com/openshift/cluster-version-operator/pkg/controller"
)

// servedMetrics returns the metrics of this process. They are registered with what controllercmd serves at /metrics when
// the process leads for the first time.
var servedMetrics = sync.OnceValue(func() *controller.Metrics {
	metrics := controller.NewMetrics()
	metrics.Register(legacyregistry.MustRegister, legacyregistry.CustomMustRegister)
	return metrics
})

// Run runs the controller until the context ends, and then writes what it knows.
func Run(ctx context.Context, controllerContext *controllercmd.ControllerContext, options Options) error {
	clients, err := newClients(controllerContext)
	if err != nil {
		return err
	}
	informers, err := newInformers(clients, watchedResources()...)
	if err != nil {
		return err
	}
	primary := controller.New(controller.Input{
		Clock:     controllerContext.Clock,
		Pace:      clock.RealClock{},
		Client:    clients.update.UpdateV1alpha1().UpdateStatuses(),
		PutStatus: controller.NewPutStatus(clients.update.UpdateV1alpha1().RESTClient()),
		Informer:  informers.of(updateStatuses),
		Recorder:  controllerContext.EventRecorder,
		Events:    newEvents(controllerContext, clients),
		Metrics:   servedMetrics(),
	})
	alertInformer, err := newAlerts(controllerContext, options, primary)
	if err != nil {
		return err
	}
	drainInformer := newDrainsAhead(controllerContext, clients, primary)
	primary.OnUpdateChange(func() {
		alertInformer.Requeue()
		drainInformer.Requeue()
	})
	followers := newFollowers(controllerContext, clients, primary)
	primary.OnBuild(followers.notify)
	starters, err := newSourceStarters(sourceInput{
		ControllerContext:   controllerContext,
		clients:             clients,
		informers:           informers,
		send:                primary.Send,
		previousDrainStarts: primary.PreviousDrainStarts,
	})
	if err != nil {
		return err
	}

	// Without UpdateStatus there is nothing to write.
	awaitListable(ctx, clients.metadata, updateStatuses)
	if ctx.Err() != nil {
		return nil
	}
	klog.FromContext(ctx).Info("Starting to write the UpdateStatus")
	var running sync.WaitGroup
	informers.start(ctx, &running, updateStatuses)
	// These watch nothing: they poll while others report an update.
	running.Go(func() { alertInformer.Run(ctx, 1) })
	running.Go(func() { drainInformer.Run(ctx, 1) })
	for _, starter := range starters {
		running.Go(func() { starter.run(ctx) })
	}
	stopFollowers := followers.start(ctx, &running)
	primary.Run(ctx)
	stopFollowers()
	running.Wait()
	return nil
}

// watchedResources returns all resources that are watched.
func watchedResources() []*resource {
	watched := []*resource{updateStatuses}
	for _, source := range sources() {
		for _, r := range slices.Concat(source.resources, source.secondary) {
			if !slices.Contains(watched, r) {
				watched = append(watched, r)
			}
		}
	}
	return watched
}

// newSourceStarters builds all sources.
func newSourceStarters(in sourceInput) ([]*sourceStarter, error) {
	var starters []*sourceStarter
	for _, source := range sources() {
		health := newSourceHealth(source)
		in.watchState = health.State
		controller, err := source.build(in)
		if err != nil {
			return nil, fmt.Errorf("building the %s: %w", source.name, err)
		}
		health.resync = controller.Resync
		in.informers.healths = append(in.informers.healths, health)
		starters = append(starters, &sourceStarter{
			source: source, metadata: in.clients.metadata, informers: in.informers, health: health, send: in.send, controller: controller,
		})
	}
	return starters, nil
}
