package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/openshift/cluster-version-operator/test/benchmark/shape"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// session is a control plane with a cluster on it that is about to be updated.
type session struct {
	plane    *controlplane.ControlPlane
	meter    *meter
	recorder *recorder
	player   *player
	// folder takes files; it is removed in the end.
	folder string
}

// withSession starts a control plane, creates a cluster, calls use and takes everything away again.
func withSession(ctx context.Context, of shape.Shape, use func(*session) error) (err error) {
	folder, err := os.MkdirTemp("", "update-status-benchmark-")
	if err != nil {
		return fmt.Errorf("making a folder for the control plane: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := os.Setenv("TMPDIR", folder); err != nil {
		return fmt.Errorf("naming the folder for temporary files: %w", err)
	}
	defer func() { err = errors.Join(err, os.Unsetenv("TMPDIR")) }()
	plane, meter, err := startMetered(ctx, controlplane.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plane.Stop()) }()
	made := &session{plane: plane, meter: meter, folder: folder}
	writer, err := simulator.NewWriter(plane.Admin())
	if err != nil {
		return fmt.Errorf("making a client for the actors: %w", err)
	}
	start := time.Now()
	simulation := simulator.NewSimulation(of.Update(start, quiet))
	made.recorder = newRecorder(simulation.Objects())
	made.player = &player{writer: writer, simulation: simulation, recorder: made.recorder, start: start, rate: of.Rate()}
	if err := made.player.create(ctx); err != nil {
		return err
	}
	return use(made)
}

// startMetered starts a control plane, with a meter of it. The caller stops it.
func startMetered(ctx context.Context, options controlplane.Options) (*controlplane.ControlPlane, *meter, error) {
	plane, err := controlplane.Start(ctx, options)
	if err != nil {
		return nil, nil, fmt.Errorf("starting the control plane: %w", err)
	}
	meter, err := newMeter()
	if err != nil {
		return nil, nil, errors.Join(err, plane.Stop())
	}
	return plane, meter, nil
}
