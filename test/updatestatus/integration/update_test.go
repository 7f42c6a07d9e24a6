package integration_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// TestUpdate plays a whole update with all that looks at it: the invariants on every version of the UpdateStatus, the summary, the record, what
// hack/updatestatus/gather.sh collects, and the client, which watches through an outage of the API server. In the middle the controller restarts.
func TestUpdate(t *testing.T) {
	w := newWorld(t)
	w.createOldRecords(12)
	w.createGathered()
	simulation := w.startUpdate(simulator.Update{Seed: 3, Start: startTime, From: oldVersion, To: newVersion})
	accepted := w.startAcceptance()
	for range 3 {
		w.playWrites(simulation, 50)
		w.checkSummary(simulation)
	}
	w.settle(simulation)
	w.checkGather(simulation)
	w.playWrites(simulation, 50)
	w.settle(simulation)
	w.restart()
	if text := describeWhole(t, w.get(), w.clock.Now()); !strings.Contains(text, "\nESTIMATE FOR ") {
		t.Errorf("the text has no estimate:\n%s", text)
	}
	watch := w.startWatch()
	for w.playWrites(simulation, 40) {
		w.checkSummary(simulation)
	}
	w.until("the end of the update", everythingUpdated)
	w.checkLastSummary()
	w.expectNoDrainRequests()
	w.settle(simulation)
	made := w.untilRecord("the end of the update in the record", func(made *updatev1alpha1.UpdateRecord) bool {
		return made.Status.Result == updatev1alpha1.ResultCompleted
	})
	us := w.last()
	checkVersions(t, w.observer.Versions(), payload)
	accepted.expect("")
	watch.expectEnd(us)
	w.checkRecord(made)
	w.checkHistory(made)
	if text := describeText(t, us, describe.Options{Now: w.clock.Now()}); text != "The cluster is not updating.\n" {
		t.Errorf("at the end the text is:\n%s", text)
	}
}

// checkSummary waits until the counts of the summary are those of the simulated cluster.
func (w *world) checkSummary(simulation *simulator.Simulation) {
	w.t.Helper()
	objects := simulation.Objects()
	made := w.untilSummary("the counts of the cluster", func(made *updatev1alpha1.UpdateStatusSummary) []string {
		return append(invariants.CheckSummary(&made.Status, objects, payload), checkReason(&made.Status, objects)...)
	})
	if encoded, err := json.Marshal(made); err != nil || len(encoded) > 16<<10 {
		w.t.Errorf("%d bytes, error %v", len(encoded), err)
	}
}

// checkReason returns what is wrong with the reason of Updating once the ClusterVersion is complete: the counts do not show that.
func checkReason(made *updatev1alpha1.UpdateStatusSummaryStatus, objects []simulator.Object) []string {
	if len(made.Conditions) == 0 {
		return []string{"it is created, and not written"}
	}
	for _, object := range objects {
		version, ok := object.(*configv1.ClusterVersion)
		isComplete := ok && version.Status.History[0].Version == newVersion && version.Status.History[0].State == configv1.CompletedUpdate
		if reason := made.Conditions[0].Reason; isComplete && made.Nodes.Completed < made.Nodes.Total && reason != updatev1alpha1.ReasonWorkers {
			return []string{"the reason of Updating is " + reason}
		}
	}
	return nil
}

// checkLastSummary checks the summary of a complete update, and the reasons that Updating had before.
func (w *world) checkLastSummary() {
	w.t.Helper()
	made := w.untilSummary("the end of the update", func(made *updatev1alpha1.UpdateStatusSummary) []string {
		if made.Status.CompletedVersion != newVersion {
			return []string{"completed is " + made.Status.CompletedVersion}
		}
		return nil
	})
	if made.Generation == 0 || made.Status.ObservedGeneration != made.Generation {
		w.t.Errorf("the generation is %d, and that of the status %d", made.Generation, made.Status.ObservedGeneration)
	}
	if made.Status.CompletedAt == nil || made.Status.ObservedAt == nil || made.Status.Conditions[0].Reason != updatev1alpha1.ReasonCompleted {
		w.t.Errorf("at the end: %+v", made.Status)
	}
	reasons := map[string]bool{}
	for _, version := range w.summaries.Versions() {
		if len(version.Status.Conditions) > 0 {
			reasons[version.Status.Conditions[0].Reason] = true
		}
	}
	if !reasons[updatev1alpha1.ReasonControlPlane] || !reasons[updatev1alpha1.ReasonWorkers] {
		w.t.Errorf("reasons of Updating: %v", reasons)
	}
}

// acceptance is bin/update-status-invariants, which runs as a user who may read the object and nothing else.
type acceptance struct {
	w       *world
	command *exec.Cmd
	folder  string
	out     *harness.Log
}

func (w *world) startAcceptance() *acceptance {
	w.t.Helper()
	a := &acceptance{w: w, folder: w.t.TempDir(), out: harness.LogFile(w.t, "acceptance")}
	binary := filepath.Join(a.folder, "update-status-invariants")
	build := exec.CommandContext(w.ctx, "go", "build", "-tags", "grpcnotrace", "-o", binary, "../acceptance")
	if output, err := build.CombinedOutput(); err != nil {
		w.t.Fatalf("%v\n%s", err, output)
	}
	a.command = exec.CommandContext(w.ctx, binary, "--junit", filepath.Join(a.folder, "junit.xml"), "--versions", a.folder)
	a.command.Env, a.command.Stdout, a.command.Stderr = w.newClient("list", "watch").env, a.out, a.out
	if err := a.command.Start(); err != nil {
		w.t.Fatal(err)
	}
	a.out.Until(w.ctx, "Watching UpdateStatus/cluster")
	return a
}

// expect waits for its end, and checks that it has found a problem, or none if it is empty.
func (a *acceptance) expect(problem string) {
	t, fails := a.w.t, problem != ""
	t.Helper()
	status := 0
	if fails {
		status = 1
	}
	a.w.awaitExit(a.command, status)
	result, err := os.ReadFile(filepath.Join(a.folder, "junit.xml"))
	if err != nil || strings.Contains(string(result), "<failure>") != fails {
		t.Errorf("junit.xml: %v\n%s", err, result)
	}
	after, err := os.ReadFile(filepath.Join(a.folder, "after.yaml"))
	if (err == nil) != fails || fails && !strings.Contains(string(after), updatev1alpha1.SingletonName) {
		t.Errorf("after.yaml: %v\n%s", err, harness.Cut(t, string(after)))
	}
	if !strings.Contains(a.out.String(), problem) {
		t.Errorf("it does not say %q", problem)
	}
}
