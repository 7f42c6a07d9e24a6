package integration_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/actors"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// payload is the number of operators in the payload of played updates.
const payload = 33

// TestWholeUpdate: an administrator watches an update from before its start until every node is done. Whatever is looked
// at, and whenever, adds up, and nothing ever goes back.
func TestWholeUpdate(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorld(t)
			simulation := actors.NewSimulation(actors.Update{Seed: seed, Start: began, From: oldVersion, To: newVersion})
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
	simulation := actors.NewSimulation(actors.Update{
		Seed: 7, Start: began, From: oldVersion, To: newVersion,
		Degraded: map[string]string{actors.NodeName("worker", 1): "failed to drain node"},
	})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	w.play(simulation, nil)
	w.until("the degraded node", func(us *updatev1alpha1.UpdateStatus) bool {
		return healthOf(us, "Node "+actors.NodeName("worker", 1)+" is degraded") != nil && stageOf(us) == stageControlPlaneDone
	})
	w.settle(simulation)
	w.stop()
	stepByStep := w.get()

	if err := w.client.Delete(w.ctx, stepByStep.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	w.start()
	fromItsEnd := w.until("another object", func(us *updatev1alpha1.UpdateStatus) bool {
		return us.UID != stepByStep.UID && isAvailable(us)
	})
	if diff := cmp.Diff(withoutObserved(stepByStep), withoutObserved(fromItsEnd)); diff != "" {
		t.Errorf("status (-step by step +from its end):\n%s", diff)
	}
}

// withoutObserved returns a status without the times that a controller observes, and what it makes of them: those that no
// object of the cluster tells.
func withoutObserved(us *updatev1alpha1.UpdateStatus) updatev1alpha1.UpdateStatusStatus {
	status := *us.Status.DeepCopy()
	forEachInsight(&status, func(one *updatev1alpha1.Insight) {
		one.AcquiredAt = metav1.Time{}
		if one.Health != nil {
			one.Health.StartedAt = nil
		}
		if one.ClusterVersion != nil {
			one.ClusterVersion.EstimatedCompletedAt = nil // kept while it moves by little
		}
		if one.MachineConfigPool != nil {
			one.MachineConfigPool.EstimatedCompletedAt, one.MachineConfigPool.NodeDurations = nil, nil
		}
		if one.Node != nil {
			one.Node.Phases, one.Node.EstToComplete = nil, nil
		}
	})
	forEachConditions(&status, func(conditions []metav1.Condition) {
		for at := range conditions {
			conditions[at].LastTransitionTime = metav1.Time{}
		}
	})
	return status
}

func forEachInsight(status *updatev1alpha1.UpdateStatusStatus, visit func(*updatev1alpha1.Insight)) {
	informers := [][]updatev1alpha1.Informer{}
	if status.ControlPlane != nil {
		informers = append(informers, status.ControlPlane.Informers)
	}
	for _, pool := range status.WorkerPools {
		informers = append(informers, pool.Informers)
	}
	for _, each := range informers {
		for i := range each {
			for j := range each[i].Insights {
				visit(&each[i].Insights[j])
			}
		}
	}
}

func forEachConditions(status *updatev1alpha1.UpdateStatusStatus, visit func([]metav1.Condition)) {
	visit(status.Conditions)
	if status.ControlPlane != nil {
		visit(status.ControlPlane.Conditions)
	}
	for _, pool := range status.WorkerPools {
		visit(pool.Conditions)
	}
	forEachInsight(status, func(one *updatev1alpha1.Insight) {
		switch {
		case one.ClusterVersion != nil:
			visit(one.ClusterVersion.Conditions)
		case one.ClusterOperator != nil:
			visit(one.ClusterOperator.Conditions)
		case one.MachineConfigPool != nil:
			visit(one.MachineConfigPool.Conditions)
		case one.Node != nil:
			visit(one.Node.Conditions)
		}
	})
}

// TestRestartChangesNothing: a controller that restarts in the middle of an update, again and again, changes no byte of
// the object beyond what really changed meanwhile, and goes on as if nothing had been.
func TestRestartChangesNothing(t *testing.T) {
	const every = 60 // writes
	w := newWorld(t)
	simulation := actors.NewSimulation(actors.Update{Seed: 11, Start: began, From: oldVersion, To: newVersion})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	for more := true; more; {
		written := 0
		more = w.play(simulation, func(actors.Write) bool {
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
	forEachInsight(&after, func(one *updatev1alpha1.Insight) {
		if one.ClusterVersion == nil || one.ClusterVersion.EstimatedCompletedAt == nil || last.ClusterVersion.EstimatedCompletedAt == nil {
			return
		}
		moved := one.ClusterVersion.EstimatedCompletedAt.Sub(last.ClusterVersion.EstimatedCompletedAt.Time).Abs()
		if moved >= 30*time.Second && moved < 40*time.Second {
			one.AcquiredAt, one.ClusterVersion.EstimatedCompletedAt = last.AcquiredAt, last.ClusterVersion.EstimatedCompletedAt
		}
	})
	return after
}

// settle waits until the UpdateStatus says what an assessment of the whole cluster at once says.
func (w *world) settle(simulation *actors.Simulation) {
	w.t.Helper()
	want := withoutObserved(w.assess(simulation.Objects()))
	matches := func(us *updatev1alpha1.UpdateStatus) bool { return cmp.Equal(want, withoutObserved(us)) }
	if _, err := w.observer.Until(w.ctx, matches); err != nil {
		w.t.Fatalf("%v (-assessed at once +observed):\n%s", err, cmp.Diff(want, withoutObserved(w.get())))
	}
}

// assess returns what the objects of a cluster, assessed at once, give.
func (w *world) assess(objects []actors.Object) *updatev1alpha1.UpdateStatus {
	w.t.Helper()
	var in assess.ClusterInput
	for _, object := range objects {
		switch object := object.(type) {
		case *configv1.ClusterVersion:
			in.ClusterVersion = object
		case *configv1.ClusterOperator:
			in.ClusterOperators = append(in.ClusterOperators, object)
		case *appsv1.Deployment:
			in.MachineConfigOperator = object
		case *machineconfigv1.MachineConfigPool:
			in.MachineConfigPools = append(in.MachineConfigPools, object)
		case *machineconfigv1.MachineConfig:
			in.MachineConfigs = append(in.MachineConfigs, &metav1.PartialObjectMetadata{ObjectMeta: object.ObjectMeta})
		case *corev1.Node:
			in.Nodes = append(in.Nodes, object)
		}
	}
	said := ledger.New()
	for _, message := range assess.Cluster(in, w.clock.Now()) {
		said.Apply(message)
	}
	assessed := updatev1alpha1.UpdateStatus{Status: status.Build(status.Input{Ledger: said.View(), Now: w.clock.Now(), Observing: true})}
	// As it comes back from the API server, with times to the second.
	content, err := json.Marshal(assessed)
	if err != nil {
		w.t.Fatal(err)
	}
	stored := &updatev1alpha1.UpdateStatus{}
	if err := json.Unmarshal(content, stored); err != nil {
		w.t.Fatal(err)
	}
	return stored
}

// withoutPool returns a status without a worker pool.
func withoutPool(us *updatev1alpha1.UpdateStatus, name string) updatev1alpha1.UpdateStatusStatus {
	status := *us.Status.DeepCopy()
	status.WorkerPools = slices.DeleteFunc(status.WorkerPools, func(pool updatev1alpha1.WorkerPool) bool { return pool.Name == name })
	return status
}
