package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/benchmark/shape"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// session is a control plane with a cluster on it that is about to be updated.
type session struct {
	plane    *controlplane.ControlPlane
	meter    *meter
	recorder *recorder
	player   *player
	// folder is for temporary files; it is removed at the end.
	folder string
}

// withSession starts a control plane, creates a cluster, calls use and removes everything again.
func withSession(ctx context.Context, of shape.Shape, use func(*session) error) error {
	return inFolder(func(folder string) error { return withSessionIn(ctx, folder, of, use) })
}

// inFolder calls use with a folder for temporary files, which it removes.
func inFolder(use func(folder string) error) (err error) {
	folder, err := os.MkdirTemp("", "update-status-benchmark-")
	if err != nil {
		return fmt.Errorf("creating a folder for the control plane: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := os.Setenv("TMPDIR", folder); err != nil {
		return fmt.Errorf("setting the folder for temporary files: %w", err)
	}
	defer func() { err = errors.Join(err, os.Unsetenv("TMPDIR")) }()
	return use(folder)
}

func withSessionIn(ctx context.Context, folder string, of shape.Shape, use func(*session) error) (err error) {
	plane, err := controlplane.Start(ctx, controlplane.Options{})
	if err != nil {
		return fmt.Errorf("starting the control plane: %w", err)
	}
	defer func() { err = errors.Join(err, plane.Stop()) }()
	meter, err := newMeter()
	if err != nil {
		return err
	}
	writer, err := playback.NewWriter(plane.Admin())
	if err != nil {
		return fmt.Errorf("creating a client for the simulation: %w", err)
	}
	start := time.Now()
	simulation, next := simulate(of, start)
	s := &session{plane: plane, meter: meter, folder: folder, recorder: newRecorder(simulation.Objects())}
	s.player = &player{writer: writer, simulation: simulation, recorder: s.recorder, start: start, next: next, rate: of.Rate()}
	if err := s.player.create(ctx); err != nil {
		return err
	}
	return use(s)
}

// simulate returns the simulation of the update of a cluster. At the pace of real updates it is in the middle of the update at a
// time, and next is the write that follows.
func simulate(of shape.Shape, at time.Time) (simulation *simulator.Simulation, next *simulator.Write) {
	if of.Name != shape.Real {
		return simulator.NewSimulation(of.Update(at, quietPeriod)), nil
	}
	simulation = simulator.NewSimulation(of.Update(at.Add(-of.Middle()), 0))
	for write, more := simulation.Next(); more; write, more = simulation.Next() {
		if write.Time.After(at) {
			return simulation, &write
		}
	}
	return simulation, nil
}
