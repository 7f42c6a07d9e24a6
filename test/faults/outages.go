package faults

import (
	"context"
	"time"

	"github.com/openshift/cluster-version-operator/test/controlplane"
)

func killRepeatedly(component controlplane.Component, long int) func(context.Context, *World) error {
	return func(ctx context.Context, w *World) error {
		return w.repeat(ctx, long, func(ctx context.Context) error {
			if err := w.Plane.Kill(ctx, component); err != nil {
				return err
			}
			w.Pause(ctx, maxOutage)
			return w.Plane.Revive(ctx, component)
		})
	}
}

// restartAPIServer restarts the API server once.
func restartAPIServer(ctx context.Context, w *World) error {
	ctx = context.WithoutCancel(ctx)
	w.Pause(ctx, maxPause)
	return w.stopAPIServer(ctx, 5*time.Second)
}

// stopAPIServerForLong stops the API server for minutes, or for some seconds in the short form.
func stopAPIServerForLong(ctx context.Context, w *World) error {
	ctx = context.WithoutCancel(ctx)
	w.Pause(ctx, maxPause)
	length := 15 * time.Second
	if w.Long {
		length = 3 * time.Minute
	}
	return w.stopAPIServer(ctx, length)
}

// stopAPIServer stops the API server for a time.
func (w *World) stopAPIServer(ctx context.Context, length time.Duration) error {
	if err := w.Plane.Kill(ctx, controlplane.APIServer); err != nil {
		return err
	}
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return w.Plane.Revive(ctx, controlplane.APIServer)
}

func killController(ctx context.Context, w *World) error {
	const long = 50
	return w.repeat(ctx, long, w.Restart)
}
