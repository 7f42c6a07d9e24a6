package controller

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

// initialState is what a source asks of the status that the object had when this controller first read it.
type initialState struct {
	once sync.Once
	// loaded is closed when the object was read. The fields below are not changed afterwards.
	loaded        chan struct{}
	starts        map[string]time.Time
	drainFailures map[string]string
}

// loadInitialState starts from the status in the cluster. Only the first call has an effect.
func (c *Controller) loadInitialState(stored *updatev1alpha1.UpdateStatusStatus) {
	c.initialState.once.Do(func() {
		c.builder.Stored(stored)
		c.events.start(update.Read(stored), c.clock.Now())
		c.initialState.starts, c.initialState.drainFailures = assess.PreviousStarts(stored), assess.PreviousDrainFailures(stored)
		close(c.initialState.loaded)
	})
}

// PreviousStarts returns when the drains of nodes, and the rollouts of components, started, by name, according to the object in the
// cluster when this controller first read it. It waits until the object was read.
func (c *Controller) PreviousStarts(ctx context.Context) (map[string]time.Time, error) {
	if err := c.awaitInitialState(ctx); err != nil {
		return nil, err
	}
	return maps.Clone(c.initialState.starts), nil
}

// PreviousDrainFailures returns what drains failed with, by the name of the node, according to the same object.
func (c *Controller) PreviousDrainFailures(ctx context.Context) (map[string]string, error) {
	if err := c.awaitInitialState(ctx); err != nil {
		return nil, err
	}
	return maps.Clone(c.initialState.drainFailures), nil
}

func (c *Controller) awaitInitialState(ctx context.Context) error {
	select {
	case <-c.initialState.loaded:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the UpdateStatus: %w", context.Cause(ctx))
	}
}
