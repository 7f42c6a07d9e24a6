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
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/controller"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/publish"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/source"
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
	clients, err := newClients(controllerContext.KubeConfig)
	if err != nil {
		return err
	}
	if options.IsHosted() {
		return runHosted(ctx, controllerContext, clients, options)
	}
	return run(ctx, cluster{
		ControllerContext: controllerContext, clients: clients, options: options,
		platform: publish.Standalone(clients.update.UpdateV1alpha1().RESTClient()), object: updateStatuses, sources: sources(),
		events: newEvents(controllerContext, clients), metrics: servedMetrics(),
	})
}

// cluster is what controllers of a standalone or hosted cluster are made from.
type cluster struct {
	*controllercmd.ControllerContext

	clients  clients
	options  Options
	platform publish.Platform
	// object is the resource of the object that the primary controller writes.
	object  *resource
	sources []sourceEntry
	// events records those about the update.
	events  events.Recorder
	metrics *controller.Metrics
	// hosted is the health of the watches of a hosted cluster, nil for a standalone one.
	hosted *sourceHealth
}

// run runs the controllers of a cluster until the context ends.
func run(ctx context.Context, of cluster) error {
	informers, err := newInformers(of.clients, resourcesOf(of.object, of.sources)...)
	if err != nil {
		return err
	}
	built := &controller.Built{}
	all := &controllers{cluster: of, informers: informers, followers: newFollowers(of.ControllerContext, of.platform, built.Load)}
	all.primary = controller.New(controller.Input{
		Clock:     of.Clock,
		Pace:      clock.RealClock{},
		Store:     of.platform.Statuses,
		Namespace: of.object.namespace,
		Name:      of.platform.Name,
		Informer:  informers.of(of.object.Kind),
		Recorder:  of.EventRecorder,
		Events:    of.events,
		Metrics:   of.metrics,
		Built:     built,
		OnBuild:   all.followers.notify,
		// Some sources have work only while the others report an update, and one has settings.
		OnUpdateChange: all.resync,
		History:        all.followers.history,
		Summary:        all.followers.summary,
		Renewals:       source.Caches(informers.of).Renewals,
	})
	all.starters, err = newSourceStarters(sourceInput{
		ControllerContext: of.ControllerContext, clients: of.clients, informers: informers, options: of.options,
		send: all.primary.Send, view: all.primary,
	}, of.sources)
	if err != nil {
		return err
	}
	if of.hosted != nil {
		of.hosted.resync = all.resync
		informers.healths = append(informers.healths, of.hosted)
	}
	all.run(ctx)
	return nil
}

// controllers are the controllers that run together.
type controllers struct {
	cluster

	informers *informers
	primary   *controller.Controller
	starters  []*sourceStarter
	followers followers
}

// resync makes all sources assess everything.
func (c *controllers) resync() {
	for _, starter := range c.starters {
		starter.loop.Resync()
	}
}

// run runs them until the context ends. The primary controller and what follows it then write what they know.
func (c *controllers) run(ctx context.Context) {
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
