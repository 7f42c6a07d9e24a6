package controller

import (
	"context"
	"fmt"
	"sync"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// initialState is what a source asks of the status that the object had when this controller first read it.
type initialState struct {
	once sync.Once
	// loaded is closed when the object was read. What was observed is not changed afterwards.
	loaded   chan struct{}
	observed assess.Observed
}

// loadInitialState starts from the status in the cluster, which was read. Only the first call has an effect.
func (c *Controller) loadInitialState(stored *updatev1alpha1.UpdateStatusStatus) {
	c.initialState.once.Do(func() {
		c.builder.Stored(stored)
		c.events.start(c.written, c.clock.Now())
		c.initialState.observed = assess.ObservedBefore(stored)
		close(c.initialState.loaded)
	})
}

// PreviouslyObserved returns what was observed according to the object in the cluster when this controller first read it, which must not
// be changed. It waits until the object was read.
func (c *Controller) PreviouslyObserved(ctx context.Context) (assess.Observed, error) {
	select {
	case <-c.initialState.loaded:
		return c.initialState.observed, nil
	case <-ctx.Done():
		return assess.Observed{}, fmt.Errorf("waiting for the UpdateStatus: %w", context.Cause(ctx))
	}
}
