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

// payload is the number of operators in the payload of played updates.
const payload = 33

// TestWholeUpdate: an administrator watches an update from before its start until every node is done. Whatever is looked
// at, and whenever, adds up, and nothing ever goes back.
func TestWholeUpdate(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorld(t)
			simulation := simulator.NewSimulation(simulator.Update{Seed: seed, Start: began, From: oldVersion, To: newVersion})
			w.create(simulation)
			w.start()
			w.until("the first report", isAvailable)
			w.play(simulation, nil)
			w.until("the end of the update", everythingUpdated)
			w.stop()

			checkVersions(t, w.observer.Versions(), payload)
			text := describeNow(t, w.get(), w.clock.Now())
			if text != "The cluster is not updating.\n" {
				t.Errorf("at the end an administrator reads:\n%s", text)
			}
		})
	}
}

// TestOrderOfEventsDoesNotMatter: two controllers that saw one update in different ways, one step by step and one from
// its end, say the same to the byte, but for times that only the first could observe.
func TestOrderOfEventsDoesNotMatter(t *testing.T) {
	w := newWorld(t)
	simulation := simulator.NewSimulation(simulator.Update{
		Seed: 7, Start: began, From: oldVersion, To: newVersion,
		Degraded: map[string]string{simulator.NodeName("worker", 1): "failed to drain node"},
	})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	w.play(simulation, nil)
	w.until("the degraded node", func(us *updatev1alpha1.UpdateStatus) bool {
		return healthOf(us, "Node "+simulator.NodeName("worker", 1)+" is degraded") != nil && stageOf(us) == invariants.StageControlPlaneDone
	})
	w.settle(simulation)
	stepByStep := w.last()

	if err := w.client.Delete(w.ctx, stepByStep.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	w.start()
	fromItsEnd := w.until("another object", func(us *updatev1alpha1.UpdateStatus) bool {
		return us.UID != stepByStep.UID && isAvailable(us)
	})
	if diff := cmp.Diff(invariants.WithoutObserved(stepByStep), invariants.WithoutObserved(fromItsEnd)); diff != "" {
		t.Errorf("status (-step by step +from its end):\n%s", diff)
	}
}

// TestRestartChangesNothing: a controller that restarts in the middle of an update, again and again, changes no byte of
// the object beyond what really changed meanwhile, and goes on as if nothing had been.
func TestRestartChangesNothing(t *testing.T) {
	const every = 60 // writes
	w := newWorld(t)
	simulation := simulator.NewSimulation(simulator.Update{Seed: 11, Start: began, From: oldVersion, To: newVersion})
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
		w.restart(false) // the clock has jumped with the played writes: what it alone changes is written now
		w.stop()
		w.restart(true)
	}
	w.until("the end of the update", everythingUpdated)
	w.stop()
	checkVersions(t, w.observer.Versions(), payload)
}

// restart starts the controller, which is stopped, and compares what it writes with what there was. So that it writes
// anything at all, a pool without nodes comes and goes.
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
			w.t.Errorf("the restart wrote version %s, although nothing had changed", us.ResourceVersion)
		}
	}
	if diff := cmp.Diff(before.Status, withoutDrift(before, withoutPool(after, "empty"))); diff != "" {
		w.t.Errorf("the restart changed (-before +after):\n%s", diff)
	}
}

// withoutDrift returns a status with the estimate of before, if it has moved so far by the clock alone that it is worth
// telling.
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

// settle waits until the UpdateStatus says what an assessment of the whole cluster at once says.
func (w *world) settle(simulation *simulator.Simulation) {
	w.t.Helper()
	want := invariants.WithoutObserved(w.assess(simulation.Objects()))
	matches := func(us *updatev1alpha1.UpdateStatus) bool { return cmp.Equal(want, invariants.WithoutObserved(us)) }
	if _, err := w.observer.Until(w.ctx, matches); err != nil {
		w.t.Fatalf("%v (-assessed at once +observed):\n%s", err, cmp.Diff(want, invariants.WithoutObserved(w.get())))
	}
}

// assess returns what the objects of a cluster, assessed at once, give.
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
