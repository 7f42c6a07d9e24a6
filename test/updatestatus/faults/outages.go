package faults

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
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

// stopAPIServer stops the API server for a time, which is another one in the long form.
func stopAPIServer(short, long time.Duration) func(context.Context, *World) error {
	return func(ctx context.Context, w *World) error {
		ctx = context.WithoutCancel(ctx)
		w.Pause(ctx, maxPause)
		if err := w.Plane.Kill(ctx, controlplane.APIServer); err != nil {
			return err
		}
		length := short
		if w.Long {
			length = long
		}
		err := playback.RealTime(ctx, time.Now().Add(length))
		return errors.Join(err, w.Plane.Revive(ctx, controlplane.APIServer))
	}
}

// backUpEtcd makes a backup of etcd.
func backUpEtcd(ctx context.Context, w *World) error {
	w.backup = w.simulation.Objects()
	return w.withoutEtcd(ctx, func() error { return w.Plane.BackupEtcd(w.backupPath()) })
}

// restoreEtcd restores etcd from the backup after the update: the cluster is as it was before.
func restoreEtcd(ctx context.Context, w *World) error {
	<-ctx.Done()
	w.restored = true
	return w.withoutEtcd(ctx, func() error { return w.Plane.RestoreEtcd(w.backupPath()) })
}

func (w *World) backupPath() string {
	return filepath.Join(w.folder, fmt.Sprintf("etcd-%d", w.Seed))
}

// withoutEtcd calls a function while etcd and the API server, which caches its data, are down.
func (w *World) withoutEtcd(ctx context.Context, call func() error) error {
	ctx = context.WithoutCancel(ctx)
	if err := errors.Join(w.Plane.Kill(ctx, controlplane.APIServer), w.Plane.Kill(ctx, controlplane.Etcd)); err != nil {
		return err
	}
	err := call()
	return errors.Join(err, w.Plane.Revive(ctx, controlplane.Etcd), w.Plane.Revive(ctx, controlplane.APIServer))
}

// silence is a little longer than a watch may bring nothing (pkg/updatestatus/retrywatch, silenceThreshold).
const silence = 3*time.Minute + 5*time.Second

// silenceWatches replaces all watches by others that bring nothing. They stay so when new ones work again.
func silenceWatches(ctx context.Context, w *World) error {
	ctx = context.WithoutCancel(ctx)
	w.Proxy.Set(Rule{Matches: IsWatch, Do: Silent})
	w.Proxy.Cut()
	if err := playback.RealTime(ctx, time.Now().Add(w.Length)); err != nil {
		return err
	}
	w.Proxy.Set()
	return playback.RealTime(ctx, time.Now().Add(silence))
}
