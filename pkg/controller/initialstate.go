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
	loaded      chan struct{}
	drainStarts map[string]time.Time
}

// loadInitialState starts from the status in the cluster. Only the first call has an effect.
func (c *Controller) loadInitialState(stored *updatev1alpha1.UpdateStatusStatus) {
	c.initialState.once.Do(func() {
		c.builder.Stored(stored)
		c.events.start(stored, c.clock.Now())
		c.initialState.drainStarts = assess.PreviousDrainStarts(stored)
		close(c.initialState.loaded)
	})
}

// PreviousDrainStarts returns when the drains of nodes started, by the name of the node, according to the object in the
// cluster when this controller first read it. It waits until the object was read.
func (c *Controller) PreviousDrainStarts(ctx context.Context) (map[string]time.Time, error) {
	select {
	case <-c.initialState.loaded:
		return maps.Clone(c.initialState.drainStarts), nil
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for the UpdateStatus: %w", context.Cause(ctx))
	}
}
