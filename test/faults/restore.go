package faults

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/openshift/cluster-version-operator/test/controlplane"
)

// restoreEtcd restores etcd after the update from a backup that was made during it. The components of the cluster then write again
// what they know.
func restoreEtcd(ctx context.Context, w *World) error {
	backup := filepath.Join(w.folder, "etcd")
	w.Pause(ctx, w.Length)
	if err := w.withoutEtcd(ctx, func() error { return w.Plane.BackupEtcd(backup) }); err != nil {
		return err
	}
	<-ctx.Done()
	ctx = context.WithoutCancel(ctx)
	if err := w.withoutEtcd(ctx, func() error { return w.Plane.RestoreEtcd(backup) }); err != nil {
		return err
	}
	for _, object := range w.simulation.Objects() {
		if err := w.writer.Put(ctx, object); err != nil {
			return fmt.Errorf("writing the state of the cluster again: %w", err)
		}
	}
	return nil
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
