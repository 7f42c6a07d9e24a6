package faults

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
)

// SoakInput is what Soak needs.
type SoakInput struct {
	Input

	// Lasts is how long updates are played, one after the other, each with another scenario.
	Lasts time.Duration
	// Print prints a line about each update.
	Print func(format string, values ...any)
}

// Soak plays updates with random scenarios, with one process of the controller, and samples its resource usage after each. It
// returns an error if the object is wrong after one of them.
func Soak(ctx context.Context, in SoakInput) (samples []Sample, err error) {
	// The scenarios that do not end the process.
	survivable := []Scenario{Undisturbed()}
	for _, scenario := range Scenarios() {
		if scenario.Start == nil && len(scenario.Flags) == 0 && scenario.Config == nil && !scenario.TokenFile && !scenario.OwnClock && !scenario.EndsProcess {
			survivable = append(survivable, scenario)
		}
	}
	w, err := newWorld(ctx, in.Input, Undisturbed())
	if err != nil {
		return nil, err
	}
	defer func() { err = w.shorten(errors.Join(err, w.close())) }()
	if err := w.Start(ctx); err != nil {
		return nil, err
	}
	process, ok := w.current.(*harness.Process)
	if !ok {
		return nil, errors.New("the controller is not a process of its own")
	}
	for started, round := time.Now(), uint64(0); time.Since(started) < in.Lasts; round++ {
		w.scenario = survivable[w.random.IntN(len(survivable))]
		// Faults follow each other within seconds.
		w.scenario.FailsRepeatedly = true
		w.Seed = in.Seed + round
		taken, err := w.round(ctx, process)
		if err != nil {
			return samples, fmt.Errorf("seed %d, update %d, %s: %w", in.Seed, round, w.scenario.Name, err)
		}
		samples = append(samples, taken)
		in.Print("%s  %s", taken, w.scenario.Name)
	}
	return samples, w.stop(ctx, process)
}

// round plays an update, and deletes the cluster.
func (w *World) round(ctx context.Context, controller *harness.Process) (taken Sample, err error) {
	w.restored = false
	if err := w.createCluster(ctx); err != nil {
		return taken, err
	}
	if _, err := w.update(ctx); err != nil {
		return taken, err
	}
	if err := w.check(); err != nil {
		return taken, err
	}
	if taken, err = w.sample(ctx, controller); err != nil {
		return taken, err
	}
	return taken, w.Plane.ResetUnder(ctx)
}
