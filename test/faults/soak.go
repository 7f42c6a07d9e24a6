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

// SoakInput is how long one controller lives through what.
type SoakInput struct {
	Plane *controlplane.ControlPlane
	Seed  uint64
	// Length is for how long updates are played, one after the other, each with something else that goes wrong.
	Length time.Duration
	// Each is how long an update takes when nothing goes wrong.
	Each time.Duration
	// Say takes a sentence on each update.
	Say func(format string, values ...any)
}

// Soak lets one controller live through updates in which something goes wrong, by chance, and samples what it holds after
// each. It returns an error as soon as an object is not right in the end of one.
func Soak(ctx context.Context, in SoakInput) (samples []Sample, err error) {
	chance := newChance(in.Seed, 1)
	survivable := survivable()
	w := &World{Input: Input{Plane: in.Plane, Seed: in.Seed, Length: in.Each}, Chance: chance}
	if w.folder, err = os.MkdirTemp("", "soak-"); err != nil {
		return nil, fmt.Errorf("making a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(w.folder)) }()
	if w.Way, err = NewWay(in.Plane.Admin()); err != nil {
		return nil, err
	}
	defer w.Way.Close()
	if err := w.prepare(ctx); err != nil {
		return nil, err
	}
	if err := w.Start(ctx); err != nil {
		return nil, err
	}
	process, ok := w.current().(*harness.Process)
	if !ok {
		return nil, errors.New("the controller is no process of its own")
	}
	sampler, err := newSampler(in.Plane.Admin(), process)
	if err != nil {
		return nil, err
	}
	for began, round := time.Now(), uint64(0); time.Since(began) < in.Length; round++ {
		w.scenario = survivable[chance.IntN(len(survivable))]
		// Faults follow each other within seconds.
		w.scenario.FailsRepeatedly = true
		w.Seed = in.Seed + round
		taken, err := w.round(ctx, sampler)
		if err != nil {
			return samples, errors.Join(fmt.Errorf("seed %d, update %d, %s: %w", in.Seed, round, w.scenario.Name, err),
				w.kill(), fmt.Errorf("the controller logged:\n%s", w.said.tail()))
		}
		samples = append(samples, taken)
		in.Say("%s  %s", taken, w.scenario.Name)
	}
	return samples, w.Stop()
}

// survivable are the scenarios that one process lives through.
func survivable() []Scenario {
	var all []Scenario
	for _, scenario := range Scenarios() {
		if scenario.Before == nil && len(scenario.Flags) == 0 && scenario.Config == "" && scenario.Ahead == 0 {
			all = append(all, scenario)
		}
	}
	return append(all, Undisturbed())
}

// round plays an update, and takes the cluster away again.
func (w *World) round(ctx context.Context, sampler *sampler) (taken Sample, err error) {
	w.script()
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
