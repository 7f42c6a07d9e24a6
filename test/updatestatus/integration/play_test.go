package integration_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const (
	// oldVersion and newVersion are the versions of played updates.
	oldVersion = "4.20.1"
	newVersion = "4.20.2"
	// payload is the number of operators in their release payload.
	payload = 33
)

// smallOperators are the operators of small updates.
var smallOperators = []string{"dns", "etcd", "machine-config", "network"}

// smallUpdate is an update of a cluster with four operators and three nodes.
func smallUpdate() simulator.Update {
	return simulator.Update{
		Seed: 5, Start: startTime, From: oldVersion, To: newVersion, Operators: smallOperators,
		Pools: []simulator.Pool{{Name: "master", Nodes: 1}, {Name: "worker", Nodes: 2}},
	}
}

// startUpdate creates the cluster of an update before its first write, and runs the controller.
func (w *world) startUpdate(update simulator.Update) *simulator.Simulation {
	w.t.Helper()
	simulation := simulator.NewSimulation(update)
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	return simulation
}

// create creates the cluster of a simulation.
func (w *world) create(simulation *simulator.Simulation) {
	w.t.Helper()
	player := playback.Player{Writer: w.writer}
	if err := player.Create(w.ctx, simulation); err != nil {
		w.t.Fatal(err)
	}
}

// play plays an update up to the first write for which stop returns true, or to its end, and sets the clock to each write.
func (w *world) play(simulation *simulator.Simulation, stop func(simulator.Write) bool) (stopped bool) {
	w.t.Helper()
	player := playback.Player{Writer: w.writer, Wait: func(_ context.Context, moment time.Time) error {
		w.clock.SetTime(moment)
		return nil
	}}
	stopped, err := player.Play(w.ctx, simulation, stop)
	if err != nil {
		w.t.Fatal(err)
	}
	return stopped
}

// playWrites plays a number of writes, and returns whether there are more.
func (w *world) playWrites(simulation *simulator.Simulation, number int) bool {
	w.t.Helper()
	return w.play(simulation, func(simulator.Write) bool {
		number--
		return number == 0
	})
}

// settle waits until the UpdateStatus equals an assessment of the whole cluster, and returns it.
func (w *world) settle(simulation *simulator.Simulation) *updatev1alpha1.UpdateStatus {
	w.t.Helper()
	expected, err := invariants.Expected(simulation.Objects(), w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	want := invariants.WithoutObserved(expected)
	us, err := w.observer.Until(w.ctx, func(us *updatev1alpha1.UpdateStatus) bool { return cmp.Equal(want, invariants.WithoutObserved(us)) })
	if err != nil {
		w.t.Fatalf("%v (-assessed +observed):\n%s", err, harness.Cut(w.t, cmp.Diff(want, invariants.WithoutObserved(w.get()))))
	}
	return us
}

// restart stops the controller and starts it again a moment later, and checks that this changes nothing in the object.
func (w *world) restart() {
	w.t.Helper()
	w.stop()
	w.startAgain() // writes what the jump of the clock has changed
	w.stop()
	before := w.get()
	w.untilVersion(before)
	seen := len(w.observer.Versions())
	after := w.startAgain()
	for _, us := range w.observer.Versions()[seen : len(w.observer.Versions())-1] {
		if find(us, "mcp-empty") == nil {
			w.t.Errorf("the restart wrote version %s without a change", us.ResourceVersion)
		}
	}
	if diff := cmp.Diff(before.Status, withoutDrift(before, withoutPool(after, "empty"))); diff != "" {
		w.t.Errorf("the restart changed (-before +after):\n%s", harness.Cut(w.t, diff))
	}
}

// startAgain starts the controller, and returns what it writes. A pool without nodes, which is created and deleted, makes it write.
func (w *world) startAgain() *updatev1alpha1.UpdateStatus {
	w.t.Helper()
	w.clock.Step(10 * time.Second)
	w.start()
	empty := builders.MachineConfigPool("empty")
	w.put(empty)
	after := w.until("the pool", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-empty") != nil })
	w.remove(empty)
	w.until("the end of the pool", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-empty") == nil })
	return after
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

// withoutPool returns a status without a worker pool.
func withoutPool(us *updatev1alpha1.UpdateStatus, name string) updatev1alpha1.UpdateStatusStatus {
	status := *us.Status.DeepCopy()
	status.WorkerPools = slices.DeleteFunc(status.WorkerPools, func(pool updatev1alpha1.WorkerPool) bool { return pool.Name == name })
	return status
}

// stageOf returns how far the played update is.
func stageOf(us *updatev1alpha1.UpdateStatus) invariants.Stage {
	return invariants.StageOf(us, newVersion)
}

// checkVersions checks the invariants on all versions of the UpdateStatus in a complete update of some operators.
func checkVersions(t *testing.T, versions []*updatev1alpha1.UpdateStatus, operators int) {
	t.Helper()
	last, problems := invariants.Update{Target: newVersion, Operators: operators}.Check(versions)
	for _, problem := range problems {
		t.Error(problem)
	}
	if last != invariants.StageEverything {
		t.Errorf("the update ended at stage %d", last)
	}
}
