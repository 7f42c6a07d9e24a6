package updatestatus

import (
	"context"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/retrywatch"
)

const (
	// failureThreshold and failurePatience are how many lists and watches of a resource in a row must fail, and for how long,
	// until that is reported: an API server that restarts, or another one that takes over, is back by then. Both must be
	// reached, as an informer may wait for a minute after a failure.
	failureThreshold = 3
	failurePatience  = 30 * time.Second
	// refusalPatience is how long a resource must be forbidden or not served until that is reported: an API server that
	// starts refuses everything until it has read the roles.
	refusalPatience = 5 * time.Second
	// recoveryDelay is for how long watches must work until the source reports again: a cache is filled a moment after its
	// watch has brought all objects.
	recoveryDelay = time.Second
	// reasonLength bounds what an API server's answer may put into a condition, in characters.
	reasonLength = 1024
)

// sourceHealth tells whether the watches of a source work. While they fail the source stops reporting: it would assess
// stale caches by the clock. What it reported before stays.
type sourceHealth struct {
	source sourceEntry
	// server is what is known of the API server by the watches of all sources.
	server *apiServerHealth
	// isElsewhere is whether the resources are served by another API server than the one that is written to: while that one is away,
	// it is reported.
	isElsewhere bool
	// resync makes the source look at the state again, and report everything if its watches work.
	resync func()

	mu       sync.Mutex
	failures map[*resource]*failure
	// state is what the source reports of itself, nil while its watches work.
	state *insight.State
}

// failure is what is known of lists and watches of a resource that failed in a row.
type failure struct {
	err   error
	times int
	// since is when the first one failed, and refusedSince the first of the refusals, zero if the last is none.
	since, refusedSince time.Time
}

func newSourceHealth(of sourceEntry, server *apiServerHealth) *sourceHealth {
	return &sourceHealth{source: of, server: server, resync: func() {}, failures: map[*resource]*failure{}}
}

// apiServerHealth tells whether an API server processes requests, by the last list or watch of each resource.
type apiServerHealth struct {
	mu        sync.Mutex
	processed map[*resource]bool
}

func newAPIServerHealth() *apiServerHealth {
	return &apiServerHealth{processed: map[*resource]bool{}}
}

func (s *apiServerHealth) observe(of *resource, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.processed[of] = err == nil || !retrywatch.IsTemporary(err)
}

// isAway returns whether no request was processed, of those that are known.
func (s *apiServerHealth) isAway() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, processed := range s.processed {
		if processed {
			return false
		}
	}
	return true
}

// State returns what the source reports of itself while its watches fail, nil while they work.
func (h *sourceHealth) State() *insight.State {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state
}

// observe takes the error of a list or watch of a resource, nil if a watch succeeded.
func (h *sourceHealth) observe(ctx context.Context, of *resource, err error) {
	if !slices.Contains(h.source.resources, of) {
		return
	}
	h.server.observe(of, err)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil || of.Optional && apierrors.IsNotFound(err) {
		// The objects of an optional resource that is removed are deleted, and the source reports that.
		delete(h.failures, of)
	} else {
		h.add(of, err, time.Now())
	}
	switch state := h.judge(time.Now()); {
	case len(h.failures) == 0 && h.state != nil:
		time.AfterFunc(recoveryDelay, h.recover)
	case state != nil && (h.state == nil || h.state.Reason != state.Reason):
		h.state = state
		klog.FromContext(ctx).Info("The watches of a source are failing", "source", h.source.name,
			"reason", state.Reason, "message", state.Message)
		h.resync()
	}
}

// recover makes the source report everything, also what was deleted meanwhile, unless a watch has failed again.
func (h *sourceHealth) recover() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.failures) == 0 && h.state != nil {
		h.state = nil
		h.resync()
	}
}

func (h *sourceHealth) add(of *resource, err error, now time.Time) {
	failed := h.failures[of]
	if failed == nil {
		failed = &failure{since: now}
		h.failures[of] = failed
	}
	failed.err = err
	failed.times++
	switch {
	case !isRefusal(err):
		failed.refusedSince = time.Time{}
	case failed.refusedSince.IsZero():
		failed.refusedSince = now
	}
	if h.isElsewhere || !h.isServerAway() {
		return
	}
	// Nothing can be written either. What failed meanwhile proves nothing about a resource.
	for _, each := range h.failures {
		each.times, each.since = 0, now
	}
}

// isServerAway returns whether the API server processes no request at all, also none of other sources: a source may have one resource.
func (h *sourceHealth) isServerAway() bool {
	for _, each := range h.source.resources {
		if failed := h.failures[each]; failed == nil || !retrywatch.IsTemporary(failed.err) {
			return false
		}
	}
	return h.server.isAway()
}

// judge returns what to report of the first resource that fails for so long that it is not expected to pass, nil if there
// is none.
func (h *sourceHealth) judge(now time.Time) *insight.State {
	for _, each := range h.source.resources {
		failed := h.failures[each]
		if failed == nil {
			continue
		}
		isRefused := !failed.refusedSince.IsZero() && now.Sub(failed.refusedSince) >= refusalPatience
		isLasting := failed.times >= failureThreshold && now.Sub(failed.since) >= failurePatience
		if isRefused || isLasting {
			return &insight.State{
				Reason:  "CannotList" + each.Plural,
				Message: insight.Shorten(failed.err.Error(), reasonLength),
			}
		}
	}
	return nil
}

// isRefusal returns whether the API server processed a request and will not answer otherwise soon. A watch that is too old is
// none: the informer lists.
func isRefusal(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) || apierrors.IsNotFound(err)
}
