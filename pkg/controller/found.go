package controller

import (
	"context"
	"fmt"
	"maps"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// found is what a source asks of the object as it was when this controller first read it: what was observed before.
type found struct {
	// read is closed when the object was read. What follows is not changed afterwards.
	read   chan struct{}
	drains map[string]time.Time
}

func newFound() found {
	return found{read: make(chan struct{})}
}

func (f *found) take(status *updatev1alpha1.UpdateStatusStatus) {
	f.drains = assess.PreviousDrainStarts(status)
	close(f.read)
}

// KeptDrains returns since when nodes drain by what the object in the cluster said when this controller first read it. It
// waits for that: without the object, nothing can be kept of what a source reports.
func (c *Controller) KeptDrains(ctx context.Context) (map[string]time.Time, error) {
	select {
	case <-c.found.read:
		return maps.Clone(c.found.drains), nil
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for the UpdateStatus: %w", context.Cause(ctx))
	}
}
