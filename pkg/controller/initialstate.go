package controller

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// initialState is what a source asks of the status that the object had when this controller first read it.
type initialState struct {
	once sync.Once
	// loaded is closed when the object was read. The fields below are not changed afterwards.
	loaded chan struct{}
	starts map[string]time.Time
}

// loadInitialState starts from the status in the cluster. Only the first call has an effect.
func (c *Controller) loadInitialState(stored *updatev1alpha1.UpdateStatusStatus) {
	c.initialState.once.Do(func() {
		c.builder.Stored(stored)
		c.events.start(stored, c.clock.Now())
		c.initialState.starts = assess.PreviousStarts(stored)
		close(c.initialState.loaded)
	})
}

// PreviousStarts returns when the drains of nodes, and the rollouts of components, started, by name, according to the object in the
// cluster when this controller first read it. It waits until the object was read.
func (c *Controller) PreviousStarts(ctx context.Context) (map[string]time.Time, error) {
	select {
	case <-c.initialState.loaded:
		return maps.Clone(c.initialState.starts), nil
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for the UpdateStatus: %w", context.Cause(ctx))
	}
}
