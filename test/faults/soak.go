package faults

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
)

// SoakInput is what Soak needs.
type SoakInput struct {
	Plane *controlplane.ControlPlane
	Seed  uint64
	// Length is how long updates are played, one after the other, each with another scenario.
	Length time.Duration
	// Each is the length of an update without faults.
	Each time.Duration
	// Log logs a line about each update.
	Log func(format string, values ...any)
}

// Soak plays updates with random scenarios, with one process of the controller, and samples its resource usage after each. It
// returns an error if the object is wrong after one of them.
func Soak(ctx context.Context, in SoakInput) (samples []Sample, err error) {
	random := newRandom(in.Seed, 1)
	survivableScenarios := survivableScenarios()
	w := &World{Input: Input{Plane: in.Plane, Seed: in.Seed, Length: in.Each}, Random: random}
	if w.folder, err = os.MkdirTemp("", "soak-"); err != nil {
		return nil, fmt.Errorf("creating a directory: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(w.folder)) }()
	if w.Proxy, err = NewProxy(in.Plane.Admin()); err != nil {
		return nil, err
	}
	defer w.Proxy.Close()
	if err := w.prepare(ctx); err != nil {
		return nil, err
	}
	if err := w.Start(ctx); err != nil {
		return nil, err
	}
	process, ok := w.current().(*harness.Process)
	if !ok {
		return nil, errors.New("the controller is not a process of its own")
	}
	sampler, err := newSampler(in.Plane.Admin(), process)
	if err != nil {
		return nil, err
	}
	for started, round := time.Now(), uint64(0); time.Since(started) < in.Length; round++ {
		w.scenario = survivableScenarios[random.IntN(len(survivableScenarios))]
		// Faults follow each other within seconds.
		w.scenario.FailsRepeatedly = true
		w.Seed = in.Seed + round
		taken, err := w.round(ctx, sampler)
		if err != nil {
			return samples, errors.Join(fmt.Errorf("seed %d, update %d, %s: %w", in.Seed, round, w.scenario.Name, err),
				w.kill(), fmt.Errorf("the controller logged:\n%s", w.logs.tail()))
		}
		samples = append(samples, taken)
		in.Log("%s  %s", taken, w.scenario.Name)
	}
	return samples, w.Stop()
}

// survivableScenarios are the scenarios that do not end the process.
func survivableScenarios() []Scenario {
	var all []Scenario
	for _, scenario := range Scenarios() {
		if scenario.Before == nil && len(scenario.Flags) == 0 && scenario.Config == "" && !scenario.TokenFile && !scenario.OwnClock && !scenario.EndsProcess {
			all = append(all, scenario)
		}
	}
	return append(all, Undisturbed())
}

// round plays an update, and deletes the cluster.
func (w *World) round(ctx context.Context, sampler *sampler) (taken Sample, err error) {
	w.newSimulation()
	w.restored = false
	report := &Report{}
	if err := w.update(ctx, report); err != nil {
		return taken, err
	}
	if err := w.check(); err != nil {
		return taken, err
	}
	if taken, err = sampler.sample(ctx, w); err != nil {
		return taken, err
	}
	return taken, w.Plane.ResetUnder(ctx)
}
