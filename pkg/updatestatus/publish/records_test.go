package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
	clocktesting "k8s.io/utils/clock/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/fake"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/fakeapi"
)

var start = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// recordFixture is a RecordWriter with a fake client and a fake clock, and a cluster that is updated from 1 to 2.
type recordFixture struct {
	*RecordWriter

	t       *testing.T
	client  *fake.Clientset
	clock   *clocktesting.FakePassiveClock
	version updatev1alpha1.ClusterVersionInsight
	health  []updatev1alpha1.Insight
}

func newRecordFixture(t *testing.T) *recordFixture {
	t.Helper()
	f := &recordFixture{t: t, client: fake.NewSimpleClientset(), clock: clocktesting.NewFakePassiveClock(start)}
	f.update("1", "2")
	f.restart()
	return f
}

// restart starts a RecordWriter that knows nothing.
func (f *recordFixture) restart() {
	f.RecordWriter = NewRecordWriter(RecordInput{Store: Standalone(fakeapi.Client(f.client)).Records, Pace: f.clock, Built: f.built})
}

// built returns the status: in package record, times are those of the clock.
func (f *recordFixture) built() *update.Built {
	if f.version.StartedAt == nil {
		return nil
	}
	insights := append([]updatev1alpha1.Insight{{ClusterVersion: f.version.DeepCopy()}}, f.health...)
	return &update.Built{At: f.clock.Now(), ConfirmedAt: f.clock.Now(), Update: update.Read(&updatev1alpha1.UpdateStatusStatus{
		ControlPlane: &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{{Name: "control-plane-informer", Insights: insights}}},
	})}
}

// update starts an update now.
func (f *recordFixture) update(from, to string) {
	now := metav1.NewTime(f.clock.Now())
	f.version = updatev1alpha1.ClusterVersionInsight{StartedAt: &now, Versions: updatev1alpha1.ControlPlaneVersions{
		Previous: &updatev1alpha1.Version{Version: from}, Target: &updatev1alpha1.Version{Version: to},
	}}
}

func (f *recordFixture) complete() {
	now := metav1.NewTime(f.clock.Now())
	f.version.CompletedAt = &now
	f.version.Conditions = []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionFalse}}
}

// change changes what a record has.
func (f *recordFixture) change(uid string) {
	now := metav1.NewTime(f.clock.Now())
	f.health = append(f.health, updatev1alpha1.Insight{UID: uid, Health: &updatev1alpha1.HealthInsight{StartedAt: &now}})
}

func (f *recordFixture) passTime(length time.Duration) {
	f.clock.SetTime(f.clock.Now().Add(length))
}

// mustWrite compares the requests that change something, each with the name of its object.
func (f *recordFixture) mustWrite(isLast bool, want ...string) {
	f.t.Helper()
	f.client.ClearActions()
	if delay, err := f.Write(f.t.Context(), isLast); err != nil || delay != 0 {
		f.t.Fatalf("delay %s, error %v", delay, err)
	}
	var got []string
	for _, action := range f.client.Actions() {
		switch action := action.(type) {
		case clienttesting.CreateAction: // and update, which has the same methods
			object := action.GetObject().(*updatev1alpha1.UpdateRecord)
			got = append(got, action.GetVerb()+action.GetSubresource()+" "+strings.TrimPrefix(object.Name, "20260302-"))
		case clienttesting.DeleteAction:
			if action.GetVerb() == "delete" {
				got = append(got, "delete "+strings.TrimPrefix(action.GetName(), "20260302-"))
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.t.Errorf("writes (-want +got):\n%s", diff)
	}
}

func (f *recordFixture) results() string {
	f.t.Helper()
	listed, err := f.client.UpdateV1alpha1().UpdateRecords().List(f.t.Context(), metav1.ListOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	record.NewestFirst(listed.Items)
	var results []string
	for _, one := range listed.Items {
		results = append(results, string(one.Status.Result))
	}
	return strings.Join(results, " ")
}

// TestWrite checks when a record is written: at the start and the end, once a minute if it has changed, every ten minutes if it
// has not, and at the end of the process.
func TestWrite(t *testing.T) {
	f := newRecordFixture(t)
	started := f.version
	f.version = updatev1alpha1.ClusterVersionInsight{}
	f.mustWrite(false) // nothing is built yet
	f.version = started
	f.mustWrite(false, "create 120000-2", "updatestatus 120000-2")
	f.mustWrite(false)
	f.change("a")
	f.passTime(changed - time.Second)
	f.mustWrite(false)
	f.passTime(time.Second)
	f.mustWrite(false, "updatestatus 120000-2")
	for range 9 {
		f.passTime(time.Minute)
		f.mustWrite(false)
	}
	f.passTime(time.Minute)
	f.mustWrite(false, "updatestatus 120000-2")
	f.passTime(time.Second)
	f.mustWrite(true, "updatestatus 120000-2")
	f.passTime(time.Second)
	f.complete()
	f.mustWrite(false, "updatestatus 120000-2")
	f.passTime(time.Hour)
	f.mustWrite(false)
	f.mustWrite(true)
	if got := f.results(); got != "Completed" {
		t.Errorf("results: %s", got)
	}
}

// TestClockSetBack checks that a record is written although the time of its last write lies ahead.
func TestClockSetBack(t *testing.T) {
	f := newRecordFixture(t)
	f.mustWrite(false, "create 120000-2", "updatestatus 120000-2")
	f.passTime(-time.Hour)
	f.change("a")
	f.mustWrite(false, "updatestatus 120000-2")
	f.passTime(time.Hour + time.Minute)
	f.mustWrite(false, "updatestatus 120000-2")
	f.passTime(time.Minute)
	f.mustWrite(false) // nothing has changed
	f.in.Pace = clocktesting.NewFakePassiveClock(start.Add(-time.Hour))
	f.mustWrite(false, "updatestatus 120000-2")
}

// TestNextUpdate checks that the end of an update that the next one supersedes is written too.
func TestNextUpdate(t *testing.T) {
	f := newRecordFixture(t)
	f.mustWrite(false, "create 120000-2", "updatestatus 120000-2")
	f.passTime(time.Second)
	f.update("2", "3")
	f.version.Versions.Previous.Metadata = []updatev1alpha1.VersionMetadata{{Key: updatev1alpha1.VersionPartial}}
	f.mustWrite(false, "updatestatus 120000-2", "create 120001-3", "updatestatus 120001-3")
	if got := f.results(); got != "InProgress Superseded" {
		t.Errorf("results: %s", got)
	}
	f.complete()
	f.mustWrite(false, "updatestatus 120001-3")
	f.passTime(time.Minute)
	f.update("3", "4")
	f.mustWrite(false, "create 120101-4", "updatestatus 120101-4") // the one before is written
}

// TestRestart checks that a record that is stored is gone on with, whatever its name, and that nothing is written for it that is
// there already.
func TestRestart(t *testing.T) {
	f := newRecordFixture(t)
	f.mustWrite(false, "create 120000-2", "updatestatus 120000-2")
	f.restart()
	f.mustWrite(false)
	f.passTime(time.Hour)
	f.restart()
	f.mustWrite(false, "updatestatus 120000-2")
	if gaps := f.recorder.Record().Status.Gaps; len(gaps) != 1 {
		t.Errorf("gaps: %v", gaps)
	}
	f.complete()
	f.mustWrite(false, "updatestatus 120000-2")
	f.restart()
	f.mustWrite(false)
	if got := f.results(); got != "Completed" {
		t.Errorf("results: %s", got)
	}
}

// TestPrune checks that a new record deletes the one that is no longer kept.
func TestPrune(t *testing.T) {
	f := newRecordFixture(t)
	f.mustWrite(false, "create 120000-2", "updatestatus 120000-2")
	for range 9 {
		f.passTime(time.Second)
		f.update("1", "2")
		f.mustWrite(false, f.nextWrites()...)
	}
	f.passTime(time.Second)
	f.update("1", "2")
	f.mustWrite(false, append(f.nextWrites(), "delete 120000-2")...)
}

// TestPruneGoesOn checks that records that are not kept are deleted after an error, also by the next process, and that the one that is written
// stays however many others seem newer.
func TestPruneGoesOn(t *testing.T) {
	f := newRecordFixture(t)
	for at := range 12 {
		later := metav1.NewTime(start.Add(time.Duration(at+1) * time.Hour))
		f.create(fmt.Sprint("20260302-later-", at), updatev1alpha1.UpdateRecordStatus{RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &later}})
	}
	isFailing := true
	f.client.PrependReactor("delete", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		return isFailing && action.(clienttesting.DeleteAction).GetName() == "20260302-later-0", nil, errors.New("no connection")
	})
	f.mustFail("deleting UpdateRecord/20260302-later-0: ")
	f.restart()
	f.mustFail("deleting UpdateRecord/20260302-later-0: ")
	isFailing = false
	f.mustWrite(false, "delete later-0")
	f.mustWrite(false)
	f.client.ClearActions()
	f.restart()
	f.mustWrite(false)
	if lists := len(f.client.Actions()); lists != 1 {
		t.Errorf("%d requests of a process that has nothing to do", lists)
	}
}

// TestWrongClock checks that the record of an update that seems to start in the future, since a clock was wrong then, is not taken for that
// of the one that goes on, and that one that ended while no controller ran is.
func TestWrongClock(t *testing.T) {
	f := newRecordFixture(t)
	f.mustWrite(false, "create 120000-2", "updatestatus 120000-2")
	wrong := metav1.NewTime(start.Add(time.Hour))
	f.create("20260302-wrong", updatev1alpha1.UpdateRecordStatus{
		RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &wrong}, ObservedAt: &wrong, Result: updatev1alpha1.ResultInProgress,
	})
	f.passTime(time.Minute)
	f.restart()
	f.mustWrite(false, "updatestatus 120000-2") // its gap
	if got := f.recorder.Record(); got == nil || got.Name != "20260302-120000-2" || len(got.Status.Gaps) != 1 {
		t.Errorf("going on with %+v", got)
	}
	f.restart()
	f.passTime(time.Minute)
	f.update("2", "3")
	f.mustWrite(false, "updatestatus 120000-2", "create 120200-3", "updatestatus 120200-3")
	if got := f.results(); got != "InProgress InProgress Partial" {
		t.Errorf("results: %s", got)
	}
}

// TestUnknownUpdate checks that nothing is gone on with until a status says which update is the newest.
func TestUnknownUpdate(t *testing.T) {
	f := newRecordFixture(t)
	f.mustWrite(false, "create 120000-2", "updatestatus 120000-2")
	f.restart()
	known := f.version
	f.version.Versions = updatev1alpha1.ControlPlaneVersions{}
	f.mustWrite(false)
	if len(f.client.Actions()) != 0 || f.recorder != nil {
		t.Errorf("going on with %+v", f.recorder)
	}
	f.version = known
	f.passTime(time.Hour)
	f.mustWrite(false, "updatestatus 120000-2")
}

func (f *recordFixture) create(name string, status updatev1alpha1.UpdateRecordStatus) {
	f.t.Helper()
	stored := &updatev1alpha1.UpdateRecord{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: status}
	if _, err := f.client.UpdateV1alpha1().UpdateRecords().Create(f.t.Context(), stored, metav1.CreateOptions{}); err != nil {
		f.t.Fatal(err)
	}
}

// nextWrites are those for an update that supersedes the one of a second before.
func (f *recordFixture) nextWrites() []string {
	before, now := f.clock.Now().Add(-time.Second).Format("150405-2"), f.clock.Now().Format("150405-2")
	return []string{"updatestatus " + before, "create " + now, "updatestatus " + now}
}

// TestFailures checks that what could not be written is written later, also the end of an update after the start of the next one.
func TestFailures(t *testing.T) {
	f := newRecordFixture(t)
	f.mustWrite(false, "create 120000-2", "updatestatus 120000-2")
	failing := ""
	f.client.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		return action.GetVerb()+action.GetSubresource() == failing, nil, errors.New("no connection")
	})
	f.passTime(time.Second)
	f.complete()
	for _, failing = range []string{"get", "updatestatus"} {
		f.mustFail("UpdateRecord/20260302-120000-2: ")
	}
	f.passTime(time.Second)
	f.update("2", "3")
	f.mustFail("UpdateRecord/20260302-120000-2: ")
	failing = "create"
	f.mustFail("creating UpdateRecord/20260302-120002-3: ")
	failing = ""
	f.mustWrite(false, "create 120002-3", "updatestatus 120002-3")
	if got := f.results(); got != "InProgress Completed" {
		t.Errorf("results: %s", got)
	}
	failing = "list"
	f.restart()
	f.mustFail("listing updaterecords: ")
	failing = ""
	f.restart()
	f.mustWrite(false)
}

func (f *recordFixture) mustFail(want string) {
	f.t.Helper()
	if _, err := f.Write(f.t.Context(), false); err == nil || !strings.Contains(err.Error(), want) {
		f.t.Errorf("error %v, want %q", err, want)
	}
}

// TestDeleted checks that a record that was deleted is created again with its next write.
func TestDeleted(t *testing.T) {
	f := newRecordFixture(t)
	f.mustWrite(false, "create 120000-2", "updatestatus 120000-2")
	if err := f.client.UpdateV1alpha1().UpdateRecords().Delete(context.Background(), "20260302-120000-2", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	f.passTime(unchanged)
	f.mustWrite(false, "create 120000-2", "updatestatus 120000-2")
}

// TestExpected keeps in the record when the update was expected to be complete at its start, by the first summary that says it: no later one
// changes that, nor that of another update or one that is read when the update has gone on for a while.
func TestExpected(t *testing.T) {
	for name, test := range map[string]struct {
		started, at time.Duration
		want        bool
	}{
		"at the start": {at: time.Minute, want: true},
		"later":        {at: 10 * time.Minute},
		"of another":   {started: -time.Hour, at: time.Minute},
	} {
		f := newRecordFixture(t)
		since := metav1.NewTime(start.Add(test.started))
		made := &updatev1alpha1.UpdateStatusSummaryStatus{StartedAt: &since}
		f.in.Summary = func() *updatev1alpha1.UpdateStatusSummaryStatus { return made }
		write := func() {
			if _, err := f.Write(t.Context(), false); err != nil {
				t.Fatal(err)
			}
		}
		f.clock.SetTime(start.Add(test.at))
		write()
		expect := func(end time.Duration) {
			made.Estimate = &updatev1alpha1.SummaryEstimate{
				Earliest: metav1.NewTime(start.Add(end)), Latest: metav1.NewTime(start.Add(2 * end)), Basis: updatev1alpha1.BasisDefault,
			}
		}
		expect(time.Hour)
		f.clock.SetTime(start.Add(test.at + 2*time.Minute))
		write()
		expect(2 * time.Hour)
		f.clock.SetTime(start.Add(test.at + 4*time.Minute))
		write()
		got := f.recorder.Record().Status.Expected
		if (got != nil) != test.want || test.want && !got.Earliest.Time.Equal(start.Add(time.Hour)) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}
