package updatestatus

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"
	"k8s.io/klog/v2"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

const (
	// probeInterval is how often a starter lists what its source needs.
	probeInterval = 3 * time.Second
	// probeTimeout is how long an API server has to answer.
	probeTimeout = 8 * time.Second
	// optionalProbeInterval is how often it lists in a cluster that is complete without.
	optionalProbeInterval = 10 * time.Second
	// missingThreshold is how many probes in a row must miss an optional resource until that is reported.
	missingThreshold = 2
	// syncInterval is how often a starter asks whether caches are filled.
	syncInterval = 100 * time.Millisecond
	// secondaryPatience is how long a source that could start waits for its secondary resources, if it has no other patience. A
	// cluster may not have them, or not let them be read.
	secondaryPatience = 5 * time.Second
)

// sourceStarter starts a source once its resources are served and its caches are filled; library-go ends the process if
// caches are not filled in ten minutes. Until then it reports why not.
type sourceStarter struct {
	source    sourceEntry
	metadata  metadata.Interface
	informers *informers
	health    *sourceHealth
	send      insight.Send
	loop      sourceLoop

	// reported is what was reported last.
	reported insight.State
}

// sourceLoop is a source.Loop.
type sourceLoop interface {
	Run(ctx context.Context, workers int)
	Resync()
}

// run returns when the context, and with it the source, has ended.
func (s *sourceStarter) run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	s.awaitServed(ctx)
	if ctx.Err() != nil {
		return
	}
	s.informers.start(ctx, &running, s.source.resources...)
	s.informers.start(ctx, &running, s.source.secondary...)
	for ctx.Err() == nil && (!s.informers.haveSynced(s.source.resources...) || s.health.State() != nil) {
		s.report(ctx, s.health.State())
		pause(ctx, syncInterval)
	}
	secondary := s.servedSecondary(ctx)
	deadline := time.Now().Add(cmp.Or(s.source.patience, secondaryPatience))
	for ctx.Err() == nil && !s.informers.haveSynced(secondary...) && time.Now().Before(deadline) {
		pause(ctx, syncInterval)
	}
	s.loop.Run(ctx, 1)
}

// servedSecondary returns the secondary resources without those that the cluster does not have: there is nothing to wait for.
func (s *sourceStarter) servedSecondary(ctx context.Context) []*resource {
	return slices.DeleteFunc(slices.Clone(s.source.secondary), func(each *resource) bool {
		return each.Optional && apierrors.IsNotFound(list(ctx, s.metadata, each))
	})
}

// awaitServed waits until everything that the source watches can be listed.
func (s *sourceStarter) awaitServed(ctx context.Context) {
	for missing := 0; ctx.Err() == nil; {
		interval := probeInterval
		isServed, isMissing := s.probe(ctx)
		switch {
		case isServed:
			return
		case !isMissing:
			missing = 0
			s.report(ctx, s.health.State())
		case missing+1 < missingThreshold:
			missing++
		default:
			s.report(ctx, s.source.missing)
			interval = optionalProbeInterval
		}
		pause(ctx, interval)
	}
}

// probe lists all resources, and returns whether each can be, and whether an optional one does not exist.
func (s *sourceStarter) probe(ctx context.Context) (isServed, isMissing bool) {
	errs := make([]error, len(s.source.resources))
	var probing sync.WaitGroup
	for at, each := range s.source.resources {
		probing.Go(func() { errs[at] = list(ctx, s.metadata, each) })
	}
	probing.Wait()
	isServed = ctx.Err() == nil
	for at, each := range s.source.resources {
		s.health.observe(ctx, each, errs[at])
		isServed = isServed && errs[at] == nil
		isMissing = isMissing || each.Optional && apierrors.IsNotFound(errs[at])
	}
	return isServed, isMissing
}

// report sends a state of the source if it is another one than before.
func (s *sourceStarter) report(ctx context.Context, state *insight.State) {
	if state == nil || *state == s.reported {
		return
	}
	s.reported = *state
	if err := s.send(ctx, insight.Message{Source: s.source.name, State: state}); err != nil {
		klog.FromContext(ctx).V(4).Info("Unable to report the state of a source before the process ended", "source", s.source.name, "err", err)
	}
}

// list lists the metadata of one object of a resource.
func list(ctx context.Context, from metadata.Interface, r *resource) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	options := metav1.ListOptions{Limit: 1}
	r.selectName(&options)
	return r.list(func(version schema.GroupVersionResource) error {
		_, err := from.Resource(version).Namespace(r.namespace).List(ctx, options)
		return err //nolint:wrapcheck // it is reported as the API server's answer
	})
}

// awaitListable waits until a resource can be listed, and logs why it can't.
func awaitListable(ctx context.Context, from metadata.Interface, r *resource) {
	for logged := ""; ctx.Err() == nil; pause(ctx, probeInterval) {
		err := list(ctx, from, r)
		if err == nil {
			return
		}
		if err.Error() != logged {
			logged = err.Error()
			klog.FromContext(ctx).Info("Waiting until a resource can be listed", "resource", r.Resource(), "err", err)
		}
	}
}

func pause(ctx context.Context, length time.Duration) {
	select {
	case <-time.After(length):
	case <-ctx.Done():
	}
}
