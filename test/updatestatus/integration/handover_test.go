package integration_test

import (
	"strings"
	"syscall"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// quickElection configures a lease that expires within seconds when it is not renewed.
const quickElection = `
leaderElection:
  leaseDuration: 20s
  renewDeadline: 15s
  retryPeriod: 3s
`

// TestHandover checks that one of two replicas writes, and that the other one takes over when the first is terminated in the middle of an
// update, without losing changes or observed times. Leaders that are killed are a scenario of test/updatestatus/faults.
func TestHandover(t *testing.T) {
	w := newWorld(t)
	degraded := simulator.NodeName("worker", 0)
	isDegraded := func(us *updatev1alpha1.UpdateStatus) bool {
		return healthOf(us, "Node "+degraded+" is degraded") != nil
	}
	script := smallUpdate()
	script.Degraded = map[string]string{degraded: "disk full"}
	simulation := simulator.NewSimulation(script)
	w.create(simulation)
	first := w.startPod(harness.PodOptions{Name: "first", Configuration: quickElection})
	w.until("the first report", isAvailable)
	second := w.startPod(harness.PodOptions{Name: "second", Configuration: quickElection})
	w.play(simulation, func(write simulator.Write) bool {
		return write.After.GetAnnotations()[builders.AnnotationState] == builders.StateDegraded
	})
	w.until("an insight whose start only the controller has observed", isDegraded)
	if err := first.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.play(simulation, nil)
	w.until("the end of the update but for the node", func(us *updatev1alpha1.UpdateStatus) bool {
		return isDegraded(us) && stageOf(us) == invariants.StageControlPlaneNodes
	})
	simulation.Repair(degraded)
	w.play(simulation, nil)
	w.settle(simulation)
	checkVersions(t, w.observer.Versions(), len(smallOperators))
	checkStarts(t, w.observer.Versions())
	w.stopPod(second) // sends its last events, and writes the record
	if records := w.records(); len(records) != 1 || records[0].Status.ControlPlane.CompletedAt == nil {
		t.Errorf("records: %+v", records)
	}
	w.checkWriters(first, second)
	counts := map[string]int{}
	for event, count := range w.events() {
		reason, _, _ := strings.Cut(event, ":")
		counts[reason] += count
	}
	for _, reason := range []string{update.EventUpdateStarted, update.EventUpdateCompleted} {
		if counts[reason] != 1 {
			t.Errorf("%d events %s", counts[reason], reason)
		}
	}
}

// checkWriters fails the test unless the first pod wrote, and then only the second one.
func (w *world) checkWriters(first, second *pod) {
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
