package integration_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/invariants"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// payload is the number of operators in the release payload of played updates.
const payload = 33

// TestWholeUpdate checks the invariants on every version of the UpdateStatus, from before an update until all nodes are
// updated.
func TestWholeUpdate(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorld(t)
			simulation := simulator.NewSimulation(simulator.Update{Seed: seed, Start: startTime, From: oldVersion, To: newVersion})
			w.create(simulation)
			w.start()
			w.until("the first report", isAvailable)
			w.play(simulation, nil)
			w.until("the end of the update", everythingUpdated)
			w.stop()

			checkVersions(t, w.observer.Versions(), payload)
			text := describeNow(t, w.get(), w.clock.Now())
			if text != "The cluster is not updating.\n" {
				t.Errorf("at the end the text is:\n%s", text)
			}
		})
	}
}

// TestEventOrder checks that the final status does not depend on the events: a controller that has watched the whole update
// and one that starts at its end write the same, but for observed times.
func TestEventOrder(t *testing.T) {
	w := newWorld(t)
	simulation := simulator.NewSimulation(simulator.Update{
		Seed: 7, Start: startTime, From: oldVersion, To: newVersion,
		Degraded: map[string]string{simulator.NodeName("worker", 1): "disk full"},
	})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	w.play(simulation, nil)
	w.until("the degraded node", func(us *updatev1alpha1.UpdateStatus) bool {
		// The operator machine-config is not updated while a pool is degraded.
		return healthOf(us, "Node "+simulator.NodeName("worker", 1)+" is degraded") != nil && stageOf(us) == invariants.StageControlPlaneNodes
	})
	w.settle(simulation)
	stepByStep := w.last()

	if err := w.client.Delete(w.ctx, stepByStep.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	w.start()
	atTheEnd := w.until("another object", func(us *updatev1alpha1.UpdateStatus) bool {
		return us.UID != stepByStep.UID && isAvailable(us)
	})
	if diff := cmp.Diff(invariants.WithoutObserved(stepByStep), invariants.WithoutObserved(atTheEnd)); diff != "" {
		t.Errorf("status (-watched +started at the end):\n%s", diff)
	}
}

// TestRestart checks that restarts in the middle of an update change nothing in the object but what has changed in the
// cluster.
func TestRestart(t *testing.T) {
	const every = 60 // writes
	w := newWorld(t)
	simulation := simulator.NewSimulation(simulator.Update{Seed: 11, Start: startTime, From: oldVersion, To: newVersion})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	for more := true; more; {
		written := 0
		more = w.play(simulation, func(simulator.Write) bool {
			written++
			return written == every
		})
		w.settle(simulation)
		w.stop()
		w.restart(false) // writes what the jump of the clock has changed
		w.stop()
		w.restart(true)
	}
	w.until("the end of the update", everythingUpdated)
	w.stop()
	checkVersions(t, w.observer.Versions(), payload)
}

// restart starts the controller, and compares what it writes with the object before. A pool without nodes, which is created
// and deleted, makes it write.
func (w *world) restart(compare bool) {
	w.t.Helper()
	before := w.get()
	w.until("the observer", func(us *updatev1alpha1.UpdateStatus) bool { return us.ResourceVersion == before.ResourceVersion })
	seen := len(w.observer.Versions())
	w.clock.Step(10 * time.Second)
	w.start()
	empty := builders.MachineConfigPool("empty")
	w.put(empty)
	after := w.until("the pool", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-empty") != nil })
	w.remove(empty)
	w.until("the end of the pool", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-empty") == nil })
	if !compare {
		return
	}

	for _, us := range w.observer.Versions()[seen : len(w.observer.Versions())-1] {
		if find(us, "mcp-empty") == nil {
			w.t.Errorf("the restart wrote version %s without a change", us.ResourceVersion)
		}
	}
	if diff := cmp.Diff(before.Status, withoutDrift(before, withoutPool(after, "empty"))); diff != "" {
		w.t.Errorf("the restart changed (-before +after):\n%s", diff)
	}
}

// withoutDrift returns a status with the estimate of before, if the clock alone has moved it beyond what is ignored.
func withoutDrift(before *updatev1alpha1.UpdateStatus, after updatev1alpha1.UpdateStatusStatus) updatev1alpha1.UpdateStatusStatus {
	last := find(before, "cv-version")
	for _, one := range invariants.Insights(&after) {
		if one.ClusterVersion == nil || one.ClusterVersion.EstimatedCompletedAt == nil || last.ClusterVersion.EstimatedCompletedAt == nil {
			continue
		}
		moved := one.ClusterVersion.EstimatedCompletedAt.Sub(last.ClusterVersion.EstimatedCompletedAt.Time).Abs()
		if moved >= 30*time.Second && moved < 40*time.Second {
			one.AcquiredAt, one.ClusterVersion.EstimatedCompletedAt = last.AcquiredAt, last.ClusterVersion.EstimatedCompletedAt
		}
	}
	return after
}

// settle waits until the UpdateStatus equals an assessment of the whole cluster.
func (w *world) settle(simulation *simulator.Simulation) {
	w.t.Helper()
	want := invariants.WithoutObserved(w.assess(simulation.Objects()))
	matches := func(us *updatev1alpha1.UpdateStatus) bool { return cmp.Equal(want, invariants.WithoutObserved(us)) }
	if _, err := w.observer.Until(w.ctx, matches); err != nil {
		w.t.Fatalf("%v (-assessed +observed):\n%s", err, cmp.Diff(want, invariants.WithoutObserved(w.get())))
	}
}

// assess returns an assessment of a whole cluster.
func (w *world) assess(objects []simulator.Object) *updatev1alpha1.UpdateStatus {
	w.t.Helper()
	expected, err := invariants.Expected(objects, w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	return expected
}

// withoutPool returns a status without a worker pool.
func withoutPool(us *updatev1alpha1.UpdateStatus, name string) updatev1alpha1.UpdateStatusStatus {
	status := *us.Status.DeepCopy()
	status.WorkerPools = slices.DeleteFunc(status.WorkerPools, func(pool updatev1alpha1.WorkerPool) bool { return pool.Name == name })
	return status
}
