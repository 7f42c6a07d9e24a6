package faults

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/playback"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// update plays the update, and waits until the object is right.
func (w *World) update(ctx context.Context, report *Report) error {
	if err := w.createCluster(ctx); err != nil {
		return err
	}
	if _, err := w.waitUntilRight(ctx, settleTimeout); err != nil {
		return fmt.Errorf("before the update: %w", err)
	}
	w.firstVersion = w.rightVersion
	watching, stop := context.WithCancel(ctx)
	defer stop()
	var err error
	if w.observer, err = harness.Observe(watching, w.Plane.Admin(), nil); err != nil {
		return err
	}
	if w.scenario.BeforeUpdate != nil {
		if err := w.scenario.BeforeUpdate(ctx, w); err != nil {
			return fmt.Errorf("before the update: %w", err)
		}
	}
	if err := w.playWithFaults(ctx); err != nil {
		return err
	}
	if report.Settled, err = w.waitUntilRight(ctx, w.scenario.recoveryLimit()); err != nil {
		return err
	}
	w.last, err = w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	return err
}

// newSimulation starts a new simulation of an update.
func (w *World) newSimulation() {
	update := simulator.Update{
		Seed: w.Seed, Start: time.Now(), From: from, To: target,
		// A degraded node would hold up the control plane, whose assessment then depends on the clock.
		Pools: []simulator.Pool{{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 4}, {Name: "infra", Nodes: 2, Paused: true}},
	}
	update.Scale = w.Length.Seconds() / lengthOf(update).Seconds()
	w.simulation = simulator.NewSimulation(update)
}

// lengthOf returns how long an update takes, unscaled.
func lengthOf(update simulator.Update) time.Duration {
	simulation := simulator.NewSimulation(update)
	last := update.Start
	for write, more := simulation.Next(); more; write, more = simulation.Next() {
		last = write.Time
	}
	return last.Sub(update.Start)
}

func (w *World) createCluster(ctx context.Context) error {
	for _, object := range w.simulation.Objects() {
		if err := w.write(ctx, simulator.Write{After: object}); err != nil {
			return err
		}
	}
	return nil
}

// write writes as the cluster's own components do, which retry until they succeed.
func (w *World) write(ctx context.Context, write simulator.Write) error {
	var last error
	err := wait.PollUntilContextTimeout(ctx, retryInterval, writeTimeout, true, func(ctx context.Context) (bool, error) {
		last = w.writer.Apply(ctx, write)
		return last == nil || apierrors.IsAlreadyExists(last), nil
	})
	if err != nil {
		return fmt.Errorf("playing the update: %w", errors.Join(err, last))
	}
	return nil
}

// playWithFaults plays the update and injects the faults. It returns when both are over.
func (w *World) playWithFaults(ctx context.Context) error {
	late := time.Duration(0)
	group, ctx := errgroup.WithContext(ctx)
	playing, stopFaults := context.WithCancel(ctx)
	group.Go(func() error {
		defer stopFaults()
		for first := true; ; first = false {
			write, more := w.simulation.Next()
			if !more {
				return nil
			}
			if first {
				late = time.Since(write.Time)
			}
			if err := playback.RealTime(ctx, write.Time.Add(late)); err != nil {
				return fmt.Errorf("playing the update: %w", err)
			}
			if err := w.write(ctx, write); err != nil {
				return err
			}
		}
	})
	group.Go(func() error {
		defer w.Proxy.Set()
		if w.scenario.During == nil {
			return nil
		}
		return w.scenario.During(playing, w)
	})
	return group.Wait()
}

// Pause waits for a random time of up to a length. It returns false when the update is over.
func (w *World) Pause(ctx context.Context, length time.Duration) bool {
	timer := time.NewTimer(time.Duration(w.Random.Int64N(int64(length))))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
