package integration_test

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/update"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/invariants"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// quickElection configures a lease that expires within seconds when it is not renewed.
const quickElection = `
leaderElection:
  leaseDuration: 20s
  renewDeadline: 15s
  retryPeriod: 3s
`

// TestHandover checks that one of two replicas writes, and that the other one takes over when the first is terminated or
// killed in the middle of an update, without losing changes or observed times.
func TestHandover(t *testing.T) { //nolint:tparallel // its subtests follow each other on one control plane
	plane := pool.Take(t)
	var undisturbed *updatev1alpha1.UpdateStatus
	if !t.Run("undisturbed", func(t *testing.T) {
		resetAfter(t, plane)
		undisturbed = newWorldOn(t, plane).playWith(func(w *world) { w.startPod(harness.PodOptions{Name: "alone"}) }, func() {})
	}) {
		return
	}
	for _, test := range []struct {
		name   string
		signal os.Signal
		// events is the least number of events on the start and on the end of the update. A process that is killed may not
		// have sent its last one.
		events int
	}{
		{name: "terminated", signal: syscall.SIGTERM, events: 1},
		{name: "killed", signal: syscall.SIGKILL},
	} {
		t.Run(test.name, func(t *testing.T) {
			resetAfter(t, plane)
			w := newWorldOn(t, plane)
			var first, second *pod
			var signalled time.Time
			final := w.playWith(func(w *world) {
				first = w.startPod(harness.PodOptions{Name: "first", Configuration: quickElection})
				w.until("the first report", isAvailable)
				second = w.startPod(harness.PodOptions{Name: "second", Configuration: quickElection})
			}, func() {
				signalled = time.Now()
				if err := first.Signal(test.signal); err != nil {
					t.Fatal(err)
				}
			})
			if diff := cmp.Diff(invariants.WithoutObserved(undisturbed), invariants.WithoutObserved(final)); diff != "" {
				t.Errorf("status (-undisturbed +after a handover):\n%s", diff)
			}
			checkVersions(t, w.observer.Versions(), payload)
			checkStarts(t, w.observer.Versions())
			w.stopPod(second) // sends its last events, and writes the record
			if records := w.records(); len(records) != 1 || records[0].Status.ControlPlane.CompletedAt == nil {
				t.Errorf("records: %+v", records)
			}
			took := w.checkWriters(first, second).Sub(signalled)
			t.Logf("from the signal to the first write of the other: %s", took.Round(time.Millisecond))
			for _, reason := range []string{update.EventUpdateStarted, update.EventUpdateCompleted} {
				if count := w.countEvents(reason); count < test.events || count > 1 {
					t.Errorf("%d events %s", count, reason)
				}
			}
		})
	}
}

// playWith plays an update with the controllers of start, calls disturb in the middle of it, repairs the degraded node on which it is
// stuck then, and returns the final status.
func (w *world) playWith(start func(*world), disturb func()) *updatev1alpha1.UpdateStatus {
	w.t.Helper()
	degraded := simulator.NodeName("infra", 1)
	simulation := simulator.NewSimulation(simulator.Update{
		Seed: 9, Start: startTime, From: oldVersion, To: newVersion,
		Degraded: map[string]string{degraded: "disk full"},
	})
	w.create(simulation)
	start(w)
	w.until("the first report", isAvailable)
	w.play(simulation, func(write simulator.Write) bool {
		return write.After.GetAnnotations()["machineconfiguration.openshift.io/state"] == "Degraded"
	})
	isDegraded := func(us *updatev1alpha1.UpdateStatus) bool {
		return healthOf(us, "Node "+degraded+" is degraded") != nil
	}
	w.until("an insight whose start only the controller has observed", isDegraded)
	disturb()
	written := 0
	w.play(simulation, func(simulator.Write) bool { written++; return false })
	if written < 50 {
		w.t.Errorf("only %d writes after the middle of the update", written)
	}
	w.until("the end of the update but for the node", func(us *updatev1alpha1.UpdateStatus) bool {
		return isDegraded(us) && stageOf(us) == invariants.StageControlPlaneNodes
	})
	simulation.Repair(degraded)
	w.play(simulation, nil)
	want := invariants.WithoutObserved(w.assess(simulation.Objects()))
	us, err := w.observer.Until(w.ctx, func(us *updatev1alpha1.UpdateStatus) bool { return cmp.Equal(want, invariants.WithoutObserved(us)) })
	if err != nil {
		w.t.Fatalf("waiting for the end of the update: %v (-assessed +observed):\n%s", err, cmp.Diff(want, invariants.WithoutObserved(w.get())))
	}
	return us
}

// checkWriters fails the test unless the first pod wrote, and then only the second one. It returns the time of the second
// one's first write.
func (w *world) checkWriters(first, second *pod) (took time.Time) {
	w.t.Helper()
	events, err := w.plane.Requests()
	if err != nil {
		w.t.Fatal(err)
	}
	var byFirst, bySecond int
	for _, event := range events {
		if event.ObjectRef == nil || event.ObjectRef.Resource != "updatestatuses" || event.Verb != "update" {
			continue
		}
		switch {
		case isOf(event, second):
			bySecond++
			if bySecond == 1 {
				took = event.RequestReceivedTimestamp.Time
			}
		case isOf(event, first):
			byFirst++
			if bySecond > 0 {
				w.t.Error("the first pod writes after the second one")
			}
		}
	}
	if byFirst == 0 || bySecond == 0 {
		w.t.Errorf("%d writes by the first, %d by the second", byFirst, bySecond)
	}
	return took
}

// checkStarts fails the test if a health insight changed its start.
func checkStarts(t *testing.T, versions []*updatev1alpha1.UpdateStatus) {
	t.Helper()
	seen, problems := invariants.Starts(versions)
	for _, problem := range problems {
		t.Error(problem)
	}
	if seen == 0 {
		t.Error("no health insight is in two versions")
	}
}

// countEvents returns the number of events with a reason.
func (w *world) countEvents(reason string) int {
	w.t.Helper()
	events, err := kubernetes.NewForConfigOrDie(w.plane.Admin()).CoreV1().Events(controlplane.Namespace).
		List(w.ctx, metav1.ListOptions{FieldSelector: "reason=" + reason})
	if err != nil {
		w.t.Fatal(err)
	}
	return len(events.Items)
}
