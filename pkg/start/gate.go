package start

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

const (
	// probeEvery is how often a gate looks whether what it needs can be listed by now.
	probeEvery = 10 * time.Second
	// reasonLength bounds what an API server's answer may put into a condition, in characters.
	reasonLength = 1024
)

// gate lets a source start when everything that it watches can be listed. Without it a resource that is missing or may
// not be read would leave an informer without an end to its first list, and the factory would end the process.
type gate struct {
	source    insight.Source
	metadata  metadata.Interface
	resources []resource
	send      insight.Send
	// open starts the source. It is called once, and returns when the context ends.
	open func(ctx context.Context)
	// resync makes the source report everything once more, after it could not see for a while.
	resync func()
	// lost is told when a watch of an open source is refused.
	lost chan struct{}
}

func newGate(made gate, watched ...cache.SharedIndexInformer) (*gate, error) {
	made.lost = make(chan struct{}, 1)
	for _, informer := range watched {
		if err := informer.SetWatchErrorHandlerWithContext(made.watchFailed); err != nil {
			return nil, fmt.Errorf("observing watches: %w", err)
		}
	}
	return &made, nil
}

func (g *gate) watchFailed(ctx context.Context, reflector *cache.Reflector, err error) {
	cache.DefaultWatchErrorHandler(ctx, reflector, err)
	if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) {
		select {
		case g.lost <- struct{}{}:
		default: // one is waiting already
		}
	}
}

// run opens the gate as soon as it can, and from then on says when the source can't see and when it can again. It
// returns when the context, and with it the source, has ended.
func (g *gate) run(ctx context.Context) {
	var source sync.WaitGroup
	defer source.Wait()
	var said *insight.State
	for opened := false; ctx.Err() == nil; {
		state := g.probe(ctx)
		if ctx.Err() != nil {
			return
		}
		if state != nil {
			g.say(ctx, state, said)
			said = state
			pause(ctx)
			continue
		}
		switch {
		case !opened:
			opened = true
			source.Go(func() { g.open(ctx) })
		case said != nil:
			g.resync()
		}
		said = nil
		select {
		case <-g.lost:
		case <-ctx.Done():
		}
	}
}

// say tells the primary controller, and the log if it is news, that the source can't see.
func (g *gate) say(ctx context.Context, state, said *insight.State) {
	if said == nil || *said != *state {
		klog.FromContext(ctx).Info("A source can not see the cluster", "source", g.source,
			"reason", state.Reason, "message", state.Message)
	}
	if err := g.send(ctx, insight.Message{Source: g.source, State: state}); err != nil {
		klog.FromContext(ctx).V(4).Info("The context ended", "source", g.source, "err", err)
	}
}

// probe returns why the source can't see the cluster, nil if it can.
func (g *gate) probe(ctx context.Context) *insight.State {
	for _, resource := range g.resources {
		err := list(ctx, g.metadata, resource)
		switch {
		case err == nil:
			continue
		case g.source == insight.NodeInformer && apierrors.IsNotFound(err):
			return assess.NoMachineConfigPools()
		default:
			return &insight.State{
				Reason:  "CannotList" + resource.kinds,
				Message: insight.Shorten(err.Error(), reasonLength),
			}
		}
	}
	return nil
}

// list lists the metadata of one object of a resource.
func list(ctx context.Context, from metadata.Interface, resource resource) error {
	_, err := from.Resource(resource.GroupVersionResource).List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return fmt.Errorf("listing %s: %w", resource.kinds, err)
	}
	return nil
}

// await returns when a resource can be listed, or the context has ended.
func await(ctx context.Context, from metadata.Interface, resource resource) {
	logger := klog.FromContext(ctx)
	for said := ""; ctx.Err() == nil; {
		err := list(ctx, from, resource)
		if err == nil {
			return
		}
		if err.Error() != said {
			said = err.Error()
			logger.Info("Waiting until a resource can be listed", "resource", resource.Resource, "err", err)
		}
		pause(ctx)
	}
}

func pause(ctx context.Context) {
	select {
	case <-time.After(probeEvery):
	case <-ctx.Done():
	}
}
