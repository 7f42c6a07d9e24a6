package integration_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/pkg/record"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// records returns the UpdateRecords, the newest one first.
func (w *world) records() []updatev1alpha1.UpdateRecord {
	w.t.Helper()
	listed, err := updateclient.NewForConfigOrDie(w.plane.Admin()).UpdateV1alpha1().UpdateRecords().List(w.ctx, metav1.ListOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	record.NewestFirst(listed.Items)
	return listed.Items
}

// untilRecord waits until the newest record is as wanted, and returns it.
func (w *world) untilRecord(what string, wanted func(*updatev1alpha1.UpdateRecord) bool) *updatev1alpha1.UpdateRecord {
	w.t.Helper()
	var newest *updatev1alpha1.UpdateRecord
	err := wait.PollUntilContextCancel(w.ctx, summaryInterval, true, func(context.Context) (bool, error) {
		all := w.records()
		if len(all) > 0 {
			newest = &all[0]
		}
		return newest != nil && newest.Status.StartedAt != nil && wanted(newest), nil
	})
	if err != nil {
		w.t.Fatalf("waiting for %s: %v: %+v", what, err, newest)
	}
	return newest
}

// createOldRecords creates records of earlier updates, the first of which completed.
func (w *world) createOldRecords(count int) {
	w.t.Helper()
	client := updateclient.NewForConfigOrDie(w.plane.Admin()).UpdateV1alpha1().UpdateRecords()
	for number := range count {
		one, err := client.Create(w.ctx, &updatev1alpha1.UpdateRecord{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("old-", number)}}, metav1.CreateOptions{})
		if err != nil {
			w.t.Fatal(err)
		}
		startedAt := metav1.NewTime(startTime.AddDate(-1, 0, number))
		one.Status = updatev1alpha1.UpdateRecordStatus{
			Result: updatev1alpha1.ResultPartial, ObservedAt: &startedAt, RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &startedAt},
		}
		if number == 0 {
			one.Status.Result = updatev1alpha1.ResultCompleted
		}
		if _, err := client.UpdateStatus(w.ctx, one, metav1.UpdateOptions{}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// TestRecord checks the record of an update in which the controller is stopped and started: it goes on, and those of earlier
// updates are kept, the newest ten and the last one that completed.
func TestRecord(t *testing.T) {
	const every = 150 // writes
	w := newWorld(t)
	w.createOldRecords(12)
	simulation := simulator.NewSimulation(simulator.Update{Seed: 5, Start: startTime, From: oldVersion, To: newVersion})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	names := map[string]bool{}
	for more := true; more; {
		written := 0
		more = w.play(simulation, func(simulator.Write) bool {
			written++
			return written == every
		})
		w.settle(simulation)
		w.stop()
		names[w.records()[0].Name] = true
		w.start()
	}
	w.until("the end of the update", everythingUpdated)
	made := w.untilRecord("the end of the update in the record", func(made *updatev1alpha1.UpdateRecord) bool {
		return made.Status.Result == updatev1alpha1.ResultCompleted
	})
	w.stop()

	started := find(w.get(), "cv-version").ClusterVersion
	if len(names) != 1 || made.Name != started.StartedAt.UTC().Format("20060102-150405-")+newVersion {
		t.Errorf("names %v, at the end %s", names, made.Name)
	}
	s := made.Status
	if s.Versions.Previous != oldVersion || s.Versions.Target != newVersion || !s.StartedAt.Equal(started.StartedAt) ||
		!s.ControlPlane.CompletedAt.Equal(started.CompletedAt) || s.Took.ControlPlane.Duration != started.CompletedAt.Sub(started.StartedAt.Time) {
		t.Errorf("%+v, of %+v", s, started)
	}
	if len(s.Operators) < payload-3 || len(s.Pools) != 3 || len(s.Nodes) == 0 || s.CompletedAt == nil && s.CompletedBy == nil {
		t.Errorf("%d operators, %d pools, %d nodes, end %v", len(s.Operators), len(s.Pools), len(s.Nodes), s.CompletedAt)
	}
	if encoded, err := json.Marshal(made); err != nil || len(encoded) > 64<<10 {
		t.Errorf("%d bytes, error %v", len(encoded), err)
	}
	var kept []string
	for _, one := range w.records() {
		kept = append(kept, one.Name)
	}
	want := []string{made.Name, "old-11", "old-10", "old-9", "old-8", "old-7", "old-6", "old-5", "old-4", "old-3", "old-0"}
	if strings.Join(kept, " ") != strings.Join(want, " ") {
		t.Errorf("kept are %v", kept)
	}
	w.checkHistory(made)
}

// checkHistory checks what the client shows of the records, and of the newest one.
func (w *world) checkHistory(newest *updatev1alpha1.UpdateRecord) {
	w.t.Helper()
	kubeconfig, err := w.plane.KubeconfigOf("history", w.plane.Admin())
	if err != nil {
		w.t.Fatal(err)
	}
	shown := func(binary string, args ...string) string {
		w.t.Helper()
		path, err := harness.Binary(binary)
		if err != nil {
			w.t.Fatal(err)
		}
		output, err := exec.CommandContext(w.ctx, path, append(args, "--kubeconfig", kubeconfig, "--now", w.second().Format(time.RFC3339))...).CombinedOutput()
		if err != nil {
			w.t.Errorf("%s %v: %v", binary, args, err)
		}
		return string(output)
	}
	if lines := strings.Split(shown("oc-update-status", "--history"), "\n"); len(lines) != 13 || !strings.HasPrefix(lines[1], newest.Name+" ") {
		w.t.Errorf("the history is\n%s", strings.Join(lines, "\n"))
	}
	title := fmt.Sprintf("Update from %s to %s: completed", oldVersion, newVersion)
	for _, args := range [][]string{{"--timeline"}, {"--history=" + newVersion}} {
		if text := shown("oc-update-status", args...); !strings.HasPrefix(text, title+"\n") || !strings.Contains(text, "\npool worker (") {
			w.t.Errorf("%v:\n%s", args, text)
		}
	}
	if report := shown("oc-update-report", "--history", newest.Name, "--output-file=-"); !strings.Contains(report, "<h1>"+title+"</h1>") || !strings.Contains(report, "Pool worker") {
		w.t.Errorf("the report has %d bytes:\n%.300s", len(report), report)
	}
}
