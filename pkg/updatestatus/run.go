package updatestatus

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"k8s.io/client-go/tools/cache"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"

	"github.com/openshift/cluster-version-operator/pkg/controller"
	"github.com/openshift/cluster-version-operator/pkg/publish"
	"github.com/openshift/cluster-version-operator/pkg/source"
)

// servedMetrics returns the metrics of this process. They are registered with what is served at /metrics when the process leads for the
// first time.
var servedMetrics = sync.OnceValue(func() *controller.Metrics {
	return registeredMetrics(nil)
})

func registeredMetrics(labels map[string]string) *controller.Metrics {
	metrics := controller.NewMetrics(labels)
	metrics.Register(legacyregistry.MustRegister, legacyregistry.CustomMustRegister)
	return metrics
}

// Run runs the controller until the context ends, and then writes what it knows.
func Run(ctx context.Context, controllerContext *controllercmd.ControllerContext, options Options) error {
	clients, err := newClients(controllerContext)
	if err != nil {
		return err
	}
	if options.IsHosted() {
		return runHosted(ctx, controllerContext, clients, options)
	}
	informers, err := newInformers(clients, watchedResources()...)
	if err != nil {
		return err
	}
	platform := publish.Standalone(clients.update.UpdateV1alpha1().RESTClient())
	primary := controller.New(controller.Input{
		Clock:    controllerContext.Clock,
		Pace:     clock.RealClock{},
		Store:    platform.Statuses,
		Name:     platform.Name,
		Informer: informers.of(updateStatuses.Kind),
		Recorder: controllerContext.EventRecorder,
		Events:   newEvents(controllerContext, clients),
		Metrics:  servedMetrics(),
	})
	starters, err := newSourceStarters(newSourceInput(controllerContext, clients, informers, options, primary), sources())
	if err != nil {
		return err
	}
	// Some have work only while the others report an update, and one has settings.
	primary.OnUpdateChange(resyncAll(starters))
	all := controllers{
		clients: clients, informers: informers, object: updateStatuses, primary: primary, starters: starters,
		followers: newFollowers(controllerContext, platform, primary),
	}
	all.run(ctx)
	return nil
}

// controllers are the controllers that run together.
type controllers struct {
	clients   clients
	informers *informers
	// object is the resource of the object that the primary controller writes.
	object    *resource
	primary   *controller.Controller
	starters  []*sourceStarter
	followers followers
}

// run runs them until the context ends. The primary controller and what follows it then write what they know.
func (c controllers) run(ctx context.Context) {
	c.primary.OnBuild(c.followers.notify)
	// Without the resource there is nothing to write.
	awaitListable(ctx, c.clients.metadata, c.object)
	if ctx.Err() != nil {
		return
	}
	klog.FromContext(ctx).Info("Starting to write the UpdateStatus")
	var running sync.WaitGroup
	c.informers.start(ctx, &running, c.object)
	for _, starter := range c.starters {
		running.Go(func() { starter.run(ctx) })
	}
	stopFollowers := c.followers.start(ctx, &running)
	c.primary.Run(ctx)
	stopFollowers()
	running.Wait()
}

// watchedResources returns all resources that are watched.
func watchedResources() []*resource {
	return resourcesOf(updateStatuses, sources())
}

// resourcesOf returns the resource of the object that is written, and those of sources.
func resourcesOf(object *resource, sources []sourceEntry) []*resource {
	watched := []*resource{object}
	for _, entry := range sources {
		for _, r := range slices.Concat(entry.resources, entry.secondary) {
			if !slices.Contains(watched, r) {
				watched = append(watched, r)
			}
		}
	}
	return watched
}

func newSourceInput(
	controllerContext *controllercmd.ControllerContext, clients clients, informers *informers, options Options, primary *controller.Controller,
) sourceInput {
	return sourceInput{
		ControllerContext: controllerContext, clients: clients, informers: informers, options: options,
		send: primary.Send, previouslyObserved: primary.PreviouslyObserved, update: primary.Update, reported: primary.Reported, settings: primary.Settings,
		setRenewals: primary.SetRenewals,
	}
}

// newSourceStarters builds sources.
func newSourceStarters(in sourceInput, sources []sourceEntry) ([]*sourceStarter, error) {
	var starters []*sourceStarter
	server := newAPIServerHealth()
	for _, entry := range sources {
		health := newSourceHealth(entry, server)
		assess, background, err := entry.build(in)
		if err != nil {
			return nil, fmt.Errorf("building the %s: %w", entry.name, err)
		}
		var watched []cache.SharedIndexInformer
		for _, r := range slices.Concat(entry.resources, entry.secondary) {
			watched = append(watched, in.informers.of(r.Kind))
		}
		loop, err := source.New(source.Input{
			Source: entry.name, Clock: in.Clock, Informers: watched, Health: health.State, Assess: assess, Background: background,
			Send: in.send, Recorder: in.EventRecorder,
		})
		if err != nil {
			return nil, fmt.Errorf("building the %s: %w", entry.name, err)
		}
		health.resync = loop.Resync
		in.informers.healths = append(in.informers.healths, health)
		starters = append(starters, &sourceStarter{
			source: entry, metadata: in.clients.metadata, informers: in.informers, health: health, send: in.send, loop: loop,
		})
	}
	return starters, nil
}

// resyncAll returns what makes all sources assess everything.
func resyncAll(starters []*sourceStarter) func() {
	return func() {
		for _, starter := range starters {
			starter.loop.Resync()
		}
	}
}
