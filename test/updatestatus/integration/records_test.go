package integration_test

import (
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
)

// records returns the UpdateRecords, the newest one first.
func (w *world) records() []updatev1alpha1.UpdateRecord {
	w.t.Helper()
	listed, err := w.api.UpdateRecords().List(w.ctx, metav1.ListOptions{})
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
	w.await(what, func() bool {
		if all := w.records(); len(all) > 0 {
			newest = &all[0]
		}
		return newest != nil && newest.Status.StartedAt != nil && wanted(newest)
	})
	return newest
}

// createOldRecords creates records of earlier updates, the first of which completed.
func (w *world) createOldRecords(count int) {
	w.t.Helper()
	for number := range count {
		one := &updatev1alpha1.UpdateRecord{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("old-", number)}, Status: oldRecord(number)}
		if number == 0 {
			one.Status.Result = updatev1alpha1.ResultCompleted
		}
		if err := harness.Store(w.ctx, w.api.UpdateRecords(), one); err != nil {
			w.t.Fatal(err)
		}
	}
}

// oldRecord returns the record of an update of the year before.
func oldRecord(number int) updatev1alpha1.UpdateRecordStatus {
	startedAt := metav1.NewTime(startTime.AddDate(-1, 0, number))
	return updatev1alpha1.UpdateRecordStatus{
		Result: updatev1alpha1.ResultPartial, ObservedAt: &startedAt, RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &startedAt},
	}
}

// checkRecord checks the record of a whole update: its contents, and which earlier ones are kept, the newest ten and the last one that
// completed.
func (w *world) checkRecord(made *updatev1alpha1.UpdateRecord) {
	t := w.t
	t.Helper()
	started := find(w.get(), "cv-version").ClusterVersion
	if made.Name != started.StartedAt.UTC().Format("20060102-150405-")+newVersion {
		t.Errorf("its name is %s", made.Name)
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
}

// checkHistory checks what the client shows of the records, and of the newest one.
func (w *world) checkHistory(newest *updatev1alpha1.UpdateRecord) {
	w.t.Helper()
	shown := func(binary string, args ...string) string {
		w.t.Helper()
		out, errOut, status := w.clientOf(w.plane.Admin(), binary).run(w.ctx, append(args, "--now", w.now())...)
		if status != 0 {
			w.t.Errorf("%s %v: exit status %d", binary, args, status)
		}
		return out + errOut
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
	if text := shown("oc-update-rehearse", "--to=4.99.0"); !strings.Contains(text, "An update from "+newVersion+" to 4.99.0 would take ") || !strings.Contains(text, "\nworker ") {
		w.t.Errorf("the rehearsal is\n%s", text)
	}
	if report := shown("oc-update-report", "--history", newest.Name, "--output-file=-"); !strings.Contains(report, "<h1>"+title+"</h1>") || !strings.Contains(report, "Pool worker") {
		w.t.Errorf("the report has %d bytes:\n%.300s", len(report), report)
	}
}
