package faults

import (
	"context"
	"time"

	"github.com/openshift/cluster-version-operator/test/controlplane"
)

func killing(component controlplane.Component, long int) func(context.Context, *World) error {
	return func(ctx context.Context, w *World) error {
		return w.repeat(ctx, long, func(ctx context.Context) error {
			if err := w.Plane.Kill(ctx, component); err != nil {
				return err
			}
			w.Pause(ctx, outage)
			return w.Plane.Revive(ctx, component)
		})
	}
}

// restart restarts the API server once.
func restart(ctx context.Context, w *World) error {
	ctx = context.WithoutCancel(ctx)
	w.Pause(ctx, between)
	return w.takeAway(ctx, 5*time.Second)
}

// awayForLong takes the API server away for minutes, or for some seconds in the short form.
func awayForLong(ctx context.Context, w *World) error {
	ctx = context.WithoutCancel(ctx)
	w.Pause(ctx, between)
	length := 15 * time.Second
	if w.Long {
		length = 3 * time.Minute
	}
	return w.takeAway(ctx, length)
}

// takeAway takes the API server away for a time.
func (w *World) takeAway(ctx context.Context, length time.Duration) error {
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

func killingController(ctx context.Context, w *World) error {
	const long = 50
	return w.repeat(ctx, long, w.Restart)
}
