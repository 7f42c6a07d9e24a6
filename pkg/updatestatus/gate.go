package updatestatus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/steady"
)

const (
	// probeEvery is how often a gate looks whether what it needs can be listed by now: what a source says is stale until
	// then.
	probeEvery = 3 * time.Second
	// probeTimeout is how long an API server has for the answer to a probe.
	probeTimeout = 8 * time.Second
	// rarely is how often it looks whether a cluster has got by now what it is complete without.
	rarely = 10 * time.Second
	// hiccups is how many probes in a row must fail, for another reason than a refusal that lasts, before a source says so:
	// half a minute, in which an API server has restarted or another one has taken over.
	hiccups = 10
	// reasonLength bounds what an API server's answer may put into a condition, in characters.
	reasonLength = 1024
)

// gate lets a source start when everything that it watches can be listed. Without it a resource that is missing or may
// not be read would leave an informer without an end to its first list, and the factory would end the process.
type gate struct {
	source   insight.Source
	metadata metadata.Interface
	// resources are probed in this order. The first that can't be listed is what the source says.
	resources []resource
	// optional are the resources without which a cluster is complete all the same: it has no MachineConfigPools.
	optional []resource
	sight    *sight
	// open starts the source. It is called once, and returns when the context ends.
	open func(ctx context.Context)
	// resync makes the source report everything once more, after it could not see for a while.
	resync func()
	// troubles are what the informers of the resources meet.
	troubles *troubles
	// lost is told when a watch of an open source is refused, or can't be had.
	lost chan struct{}
}

func newGate(made gate, watched ...cache.SharedIndexInformer) (*gate, error) {
	made.lost = make(chan struct{}, 1)
	made.troubles.tell(made.lost)
	for _, informer := range watched {
		if err := informer.SetWatchErrorHandlerWithContext(made.watchFailed); err != nil {
			return nil, fmt.Errorf("observing watches: %w", err)
		}
	}
	return &made, nil
}

func (g *gate) watchFailed(ctx context.Context, reflector *cache.Reflector, err error) {
	cache.DefaultWatchErrorHandler(ctx, reflector, err)
	if isRefusal(err) {
		notify(g.lost)
	}
}

// isRefusal is whether the API server has understood and will not answer otherwise soon. That a watch is too old is none: an
// informer lists then.
func isRefusal(err error) bool {
	return isForbidden(err) || apierrors.IsNotFound(err)
}

func isForbidden(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err)
}

// failures are probes in a row that have failed.
type failures struct {
	times int
	// forbidden is since when it is forbidden to list or watch, zero if the last probe has failed otherwise.
	forbidden time.Time
}

func (f *failures) add(err error) {
	f.times++
	switch {
	case !isForbidden(err):
		f.forbidden = time.Time{}
	case f.forbidden.IsZero():
		f.forbidden = time.Now()
	}
}

// isForbiddenBriefly is whether what is forbidden may be so only because an API server starts, which has not read the roles.
func (f *failures) isForbiddenBriefly() bool {
	return !f.forbidden.IsZero() && time.Since(f.forbidden) < steady.ForbiddenPatience
}

// run opens the gate as soon as it can, and from then on says when the source can't see and when it can again. It
// returns when the context, and with it the source, has ended.
func (g *gate) run(ctx context.Context) {
	var source sync.WaitGroup
	defer source.Wait()
	opened, inARow := false, failures{}
	for ctx.Err() == nil {
		failed, err := g.probe(ctx)
		switch {
		case opened && errors.Is(err, errAway):
			// Nobody sees anything, and nothing can be written: nothing is to be said of this source.
			inARow.forbidden = time.Time{}
			g.pause(ctx)
			continue
		case err != nil:
			inARow.add(err)
			isPassing := (opened || g.sight.isComplete()) && inARow.isForbiddenBriefly()
			if state := g.judge(failed, err, inARow.times, isPassing); state != nil && ctx.Err() == nil {
				g.say(ctx, state)
			}
			g.pause(ctx)
			continue
		}
		inARow = failures{}
		gone, wasBlind := g.sight.regain()
		switch {
		case !opened:
			opened = true
			source.Go(func() { g.open(ctx) })
		case wasBlind:
			if len(gone) > 0 {
				g.send(ctx, insight.Message{Source: g.source, Reports: gone})
			}
			g.resync()
		}
		select {
		case <-g.lost:
		case <-ctx.Done():
		}
	}
}

// say tells the primary controller, and the log if it is news, that the source can't see.
func (g *gate) say(ctx context.Context, state *insight.State) {
	if isNews := g.sight.lose(state); isNews {
		klog.FromContext(ctx).Info("A source can not see the cluster", "source", g.source,
			"reason", state.Reason, "message", state.Message)
	}
	g.send(ctx, insight.Message{Source: g.source, State: state})
}

// send sends what a gate has to say, which a blind source has not.
func (g *gate) send(ctx context.Context, message insight.Message) {
	if err := g.sight.send(ctx, message); err != nil {
		klog.FromContext(ctx).V(4).Info("The context ended", "source", g.source, "err", err)
	}
}

// errAway is that no list was answered at all.
var errAway = errors.New("the API server answers nothing")

// probe returns the first resource that can't be listed, or that its informer can't watch, and why.
func (g *gate) probe(ctx context.Context) (resource, error) {
	failures := make([]error, len(g.resources))
	var asked sync.WaitGroup
	for at, each := range g.resources {
		asked.Go(func() { failures[at] = list(ctx, g.metadata, each) })
	}
	asked.Wait()
	isAway := !slices.ContainsFunc(failures, func(err error) bool { return err == nil || isRefusal(err) })
	for at, each := range g.resources {
		err := failures[at]
		if err == nil {
			err = g.troubles.with(each)
		}
		switch {
		case err == nil:
		case isAway:
			return each, fmt.Errorf("%w: %w", errAway, err)
		default:
			return each, err
		}
	}
	return resource{}, nil
}

// judge returns what a source says of itself that failed to list a resource a number of times in a row; nothing while
// that may be a hiccup of an API server that restarts, as is a refusal that may pass.
func (g *gate) judge(failed resource, err error, times int, isPassing bool) *insight.State {
	if apierrors.IsNotFound(err) && slices.Contains(g.optional, failed) {
		if times < 2 {
			return nil
		}
		return assess.NoMachineConfigPools()
	}
	if (isPassing || !isRefusal(err)) && times < hiccups {
		return nil
	}
	return &insight.State{
		Reason:  "CannotList" + failed.kinds,
		Message: insight.Shorten(err.Error(), reasonLength),
	}
}

// list lists the metadata of one object of a resource.
func list(ctx context.Context, from metadata.Interface, resource resource) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	options := metav1.ListOptions{Limit: 1}
	resource.selectName(&options)
	_, err := from.Resource(resource.GroupVersionResource).List(ctx, options)
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
		pause(ctx, probeEvery)
	}
}

// pause waits until the next probe.
func (g *gate) pause(ctx context.Context) {
	if g.sight.isComplete() {
		pause(ctx, rarely)
		return
	}
	pause(ctx, probeEvery)
}

func pause(ctx context.Context, length time.Duration) {
	select {
	case <-time.After(length):
	case <-ctx.Done():
	}
}
