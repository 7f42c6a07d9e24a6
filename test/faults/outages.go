package faults

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

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

const (
	// refusals is how many writes of the status fail at least while they are refused.
	refusals = 3
	// longRefusal is for how long they are refused in the long form.
	longRefusal = time.Minute
)

// refuseWrites lets something in the cluster refuse the writes of the status, from one of them on, and removes it after some have failed.
func (w *World) refuseWrites(ctx context.Context, refuse, allow func(context.Context) error) error {
	w.Pause(ctx, maxPause)
	ctx = context.WithoutCancel(ctx)
	refused := sync.OnceValue(func() error { return refuse(ctx) })
	writes := &responses{}
	counted := writes.count(IsStatusWrite)
	w.Proxy.Set(Rule{Matches: IsStatusWrite, Do: func(response http.ResponseWriter, r *http.Request, next http.Handler) {
		_ = refused() // it is returned below
		counted.Do(response, r, next)
	}})
	length := time.Duration(0)
	if w.Long {
		length = longRefusal
	}
	started := time.Now()
	err := wait.PollUntilContextTimeout(ctx, pollInterval, length+settleTimeout, true, func(context.Context) (bool, error) {
		return writes.failed() >= refusals && time.Since(started) >= length, nil
	})
	if err != nil {
		err = fmt.Errorf("waiting until writes are refused: the responses were %s: %w", writes, err)
	}
	return errors.Join(err, refused(), allow(ctx))
}

// fillEtcd lets etcd reach its quota: writes fail, those of the cluster's own components as well, and reads do not.
func fillEtcd(ctx context.Context, w *World) error {
	return w.refuseWrites(ctx, w.Plane.FillEtcd, w.Plane.FreeEtcd)
}
