package faults

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/lag"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const (
	from, target = "4.20.1", "4.20.2"
	// writesAhead is after how many writes the cluster waits for the controller, and aheadLimit for how long at most: a fault may keep it
	// from reading or writing anything.
	writesAhead = 40
	aheadLimit  = time.Second
)

// payload are the operators of the cluster: few, of several run levels, since an API server needs most of the time for their objects and for
// what the UpdateStatus has of them.
var payload = []string{"etcd", "kube-apiserver", "cluster-autoscaler", "authentication", "monitoring", "storage", "network", "machine-config"}

// createCluster creates a cluster for an update.
func (w *World) createCluster(ctx context.Context) error {
	w.simulation = simulator.NewSimulation(simulator.Update{
		Seed: w.Seed, Start: time.Now(), From: from, To: target, Operators: payload,
		// A degraded node would hold up the control plane, whose assessment then depends on the clock.
		Pools: []simulator.Pool{{Name: "master", Nodes: 2}, {Name: "worker", Nodes: 1}, {Name: "infra", Nodes: 1, Paused: true}},
		Scale: w.Length.Hours(), // an update takes about an hour
	})
	for _, object := range w.simulation.Objects() {
		if err := w.write(ctx, simulator.Write{After: object}); err != nil {
			return err
		}
	}
	return nil
}

// update plays the update, and returns how long after the last fault the object was right.
func (w *World) update(ctx context.Context) (time.Duration, error) {
	if _, err := w.waitUntilRight(ctx, hangLimit); err != nil {
		return 0, fmt.Errorf("before the update: %w", err)
	}
	w.firstVersion = w.rightVersion
	watching, stop := context.WithCancel(ctx)
	defer stop()
	var err error
	if w.observer, err = harness.Observe(watching, w.Plane.Admin(), nil); err != nil {
		return 0, err
	}
	if w.scenario.BeforeUpdate != nil {
		if err := w.scenario.BeforeUpdate(ctx, w); err != nil {
			return 0, fmt.Errorf("before the update: %w", err)
		}
	}
	if err := w.playWithFaults(ctx); err != nil {
		return 0, err
	}
	settled, err := w.waitUntilRight(ctx, w.scenario.recoveryLimit())
	if err != nil {
		return 0, err
	}
	w.last, err = w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	return settled, err
}

// write writes as the cluster's own components do, which retry until they succeed.
func (w *World) write(ctx context.Context, write simulator.Write) error {
	var last error
	err := pace.Poll(ctx, retryInterval, outageLimit, func(ctx context.Context) (bool, error) {
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
	group, ctx := errgroup.WithContext(ctx)
	playing, stopFaults := context.WithCancel(ctx)
	group.Go(func() error {
		defer stopFaults()
		return w.play(ctx)
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

// play plays the update, as far ahead of the controller as it may be.
func (w *World) play(ctx context.Context) error {
	var previous time.Time
	for written := 1; ; written++ {
		write, more := w.simulation.Next()
		if !more {
			return nil
		}
		if written > 1 {
			if err := playback.RealTime(ctx, time.Now().Add(write.Time.Sub(previous))); err != nil {
				return fmt.Errorf("playing the update: %w", err)
			}
		}
		previous = write.Time
		if err := w.write(ctx, write); err != nil {
			return err
		}
		if written%writesAhead == 0 {
			w.waitForController(ctx)
		}
	}
}

// waitForController waits until the object has the present states of all nodes and operators, or for as long as the cluster waits for that.
func (w *World) waitForController(ctx context.Context) {
	states := lag.NewCluster(w.simulation.Objects()).States()
	_ = pace.Poll(ctx, pollInterval, aheadLimit, func(ctx context.Context) (bool, error) {
		us, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
		if err != nil {
			return false, nil //nolint:nilerr // it is read again
		}
		shown := lag.Of(us)
		for subject, state := range states {
			if shown[subject] != state {
				return false, nil
			}
		}
		return true, nil
	})
}
