package publish

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
	clocktesting "k8s.io/utils/clock/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/fake"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/fakeapi"
)

// summaryFixture is a SummaryWriter with a fake client and a fake clock.
type summaryFixture struct {
	*SummaryWriter

	t      *testing.T
	client *fake.Clientset
	clock  *clocktesting.FakePassiveClock
	last   *update.Built
	// updating is whether the control plane is updating.
	updating metav1.ConditionStatus
	// earlier are the records of earlier updates. isUntried is whether no attempt was made to read them.
	earlier   estimate.History
	isUntried bool
}

func newSummaryFixture(t *testing.T) *summaryFixture {
	t.Helper()
	f := &summaryFixture{
		t: t, client: fake.NewSimpleClientset(), clock: clocktesting.NewFakePassiveClock(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)),
		updating: metav1.ConditionUnknown,
	}
	f.SummaryWriter = NewSummaryWriter(SummaryInput{
		Platform: Standalone(fakeapi.Client(f.client)), Pace: f.clock, Built: func() *update.Built { return f.last },
		History: func(*update.Built) (estimate.History, bool) { return f.earlier, !f.isUntried },
	})
	return f
}

// build sets the status to one of a control plane with a message.
func (f *summaryFixture) build(message string) {
	started := metav1.NewTime(time.Date(2026, 3, 2, 11, 0, 0, 0, time.UTC))
	version := updatev1alpha1.Insight{ClusterVersion: &updatev1alpha1.ClusterVersionInsight{StartedAt: &started, Versions: updatev1alpha1.ControlPlaneVersions{
		Previous: &updatev1alpha1.Version{Version: "4.20.1"}, Target: &updatev1alpha1.Version{Version: "4.20.2"},
	}}}
	f.last = &update.Built{Update: update.Read(&updatev1alpha1.UpdateStatusStatus{ControlPlane: &updatev1alpha1.ControlPlane{
		Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: f.updating, Reason: "Some", Message: message}},
		Informers:  []updatev1alpha1.Informer{{Name: "control-plane-informer", Insights: []updatev1alpha1.Insight{version}}},
	}})}
	f.confirm()
}

// confirm confirms the status. The two clocks differ.
func (f *summaryFixture) confirm() {
	f.last.ConfirmedAt, f.last.At = f.clock.Now(), f.clock.Now().Add(-time.Hour)
}

func (f *summaryFixture) passTime(length time.Duration) {
	f.clock.SetTime(f.clock.Now().Add(length))
}

// mustSync syncs, and compares the delay and the requests that change something.
func (f *summaryFixture) mustSync(delay time.Duration, writes ...string) {
	f.t.Helper()
	f.client.ClearActions()
	got, err := f.Write(f.t.Context(), false)
	if err != nil || got != delay {
		f.t.Fatalf("delay %s, error %v", got, err)
	}
	f.expectWrites(writes...)
}

func (f *summaryFixture) expectWrites(want ...string) {
	f.t.Helper()
	var verbs []string
	for _, action := range f.client.Actions() {
		if verb := action.GetVerb(); verb != "get" && verb != "list" {
			verbs = append(verbs, verb+action.GetSubresource())
		}
	}
	if diff := cmp.Diff(want, verbs); diff != "" {
		f.t.Errorf("writes (-want +got):\n%s", diff)
	}
}

func (f *summaryFixture) stored() updatev1alpha1.UpdateStatusSummaryStatus {
	f.t.Helper()
	object, err := f.client.UpdateV1alpha1().UpdateStatusSummaries().Get(f.t.Context(), "cluster", metav1.GetOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	return object.Status
}

func TestSummary(t *testing.T) {
	f := newSummaryFixture(t)
	f.mustSync(0) // nothing is built yet
	f.build("one")
	f.isUntried = true
	f.mustSync(0)
	f.isUntried = false
	f.mustSync(0, "create", "updatestatus")
	if stored := f.stored(); stored.Conditions[0].Message != "one" || !stored.ObservedAt.Time.Equal(f.clock.Now()) {
		t.Errorf("%+v", stored)
	}
	f.mustSync(0)
	f.passTime(time.Second)
	f.build("two")
	f.mustSync(0, "updatestatus")
	if stored := f.stored(); stored.Conditions[0].Message != "two" || !stored.ObservedAt.Time.Equal(f.clock.Now()) {
		t.Errorf("%+v", stored)
	}
}

// TestSummaryHeartbeat checks that a status that does not change is written once a minute, whether an update is in progress or not, every five
// minutes that of an idle hosted cluster, and only if it is confirmed.
func TestSummaryHeartbeat(t *testing.T) {
	for _, test := range []struct {
		updating metav1.ConditionStatus
		state    update.State
		isHosted bool
		want     time.Duration
	}{
		{metav1.ConditionTrue, update.UpdatingControlPlane, false, time.Minute},
		{metav1.ConditionFalse, update.Completed, false, time.Minute},
		{metav1.ConditionUnknown, update.Unknown, false, time.Minute},
		{metav1.ConditionTrue, update.UpdatingControlPlane, true, time.Minute},
		{metav1.ConditionFalse, update.Completed, true, 5 * time.Minute},
	} {
		t.Run(fmt.Sprint(test.state, test.isHosted), func(t *testing.T) {
			f := newSummaryFixture(t)
			f.updating, f.in.Platform.IsHosted = test.updating, test.isHosted
			f.build("one")
			f.mustSync(0, "create", "updatestatus")
			if reason := f.stored().Conditions[0].Reason; reason != string(test.state) {
				t.Errorf("its state is %s", reason)
			}
			for range 3 {
				f.passTime(test.want - early - time.Second)
				f.build("one")
				f.mustSync(0)
				f.passTime(time.Second)
				f.confirm()
				f.mustSync(0, "updatestatus")
				if stored := f.stored(); !stored.ObservedAt.Time.Equal(f.clock.Now()) {
					t.Errorf("observed at %s", stored.ObservedAt)
				}
			}
			f.passTime(time.Hour)
			f.mustSync(0)
			// A clock that was set back.
			f.passTime(-3 * time.Hour)
			f.confirm()
			f.mustSync(0, "updatestatus")
		})
	}
}

// TestSummaryPace checks that a burst of ten changes is written immediately, and two a second afterwards.
func TestSummaryPace(t *testing.T) {
	f := newSummaryFixture(t)
	f.build("zero")
	f.mustSync(0, "create", "updatestatus")
	for at := range insight.BuildsBurst - 1 {
		f.build(string(rune('a' + at)))
		f.mustSync(0, "updatestatus")
	}
	f.build("late")
	f.mustSync(time.Second / insight.BuildsASecond)
	f.passTime(time.Second / insight.BuildsASecond)
	f.mustSync(0, "updatestatus")
	if stored := f.stored(); stored.Conditions[0].Message != "late" {
		t.Errorf("%+v", stored)
	}
}

// TestSummaryOfOtherClients checks that an object that another client changed or deleted is repaired.
func TestSummaryOfOtherClients(t *testing.T) {
	f := newSummaryFixture(t)
	f.build("one")
	f.mustSync(0, "create", "updatestatus")
	if err := f.client.UpdateV1alpha1().UpdateStatusSummaries().Delete(t.Context(), "cluster", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	f.passTime(time.Minute)
	f.build("two")
	if _, err := f.Write(t.Context(), false); !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	f.mustSync(0, "create", "updatestatus")
	if stored := f.stored(); stored.Conditions[0].Message != "two" {
		t.Errorf("%+v", stored)
	}
}

// TestSummaryFailure checks that the object is read again after a failure.
func TestSummaryFailure(t *testing.T) {
	f := newSummaryFixture(t)
	failing := errors.New("no connection")
	f.client.PrependReactor("*", "*", func(clienttesting.Action) (bool, runtime.Object, error) { return failing != nil, nil, failing })
	f.build("one")
	if _, err := f.Write(t.Context(), false); err == nil || !strings.Contains(err.Error(), failing.Error()) {
		t.Errorf("error %v", err)
	}
	failing = nil
	f.mustSync(0, "create", "updatestatus")
	if stored := f.stored(); stored.Conditions[0].Message != "one" {
		t.Errorf("%+v", stored)
	}
}

// TestLastSummary checks that what was built last is written when the process ends, whatever the pace.
func TestLastSummary(t *testing.T) {
	f := newSummaryFixture(t)
	f.limit.SetBurst(0)
	f.build("last")
	if _, err := f.Write(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if stored := f.stored(); stored.Conditions[0].Message != "last" {
		t.Errorf("%+v", stored)
	}
}

// TestSummaryHistory checks that the records of earlier updates count.
func TestSummaryHistory(t *testing.T) {
	f := newSummaryFixture(t)
	f.updating = metav1.ConditionTrue
	f.earlier = estimate.History{{Took: updatev1alpha1.RecordTook{ControlPlane: &metav1.Duration{Duration: time.Hour}}}}
	f.build("one")
	f.mustSync(0, "create", "updatestatus")
	if expected := f.stored().ControlPlane.Estimate; expected == nil || expected.Basis != updatev1alpha1.BasisHistory {
		t.Errorf("estimate %+v", expected)
	}
}

// TestLastMadeSummary checks what the metrics show: the estimate of the object, which does not follow small changes, and the present state also
// while the object can't be read.
func TestLastMadeSummary(t *testing.T) {
	f := newSummaryFixture(t)
	if f.Last() != nil {
		t.Error("a summary before the first one")
	}
	f.updating = metav1.ConditionTrue
	hour := func(more time.Duration) estimate.History {
		return estimate.History{{Took: updatev1alpha1.RecordTook{ControlPlane: &metav1.Duration{Duration: time.Hour + more}}}}
	}
	f.earlier = hour(0)
	f.build("one")
	f.mustSync(0, "create", "updatestatus")
	first := f.stored().Estimate
	if first == nil {
		t.Fatal("no estimate")
	}
	f.earlier = hour(20 * time.Second)
	f.passTime(time.Minute)
	f.build("two")
	f.mustSync(0, "updatestatus")
	if got := f.Last().Estimate; !equality.Semantic.DeepEqual(first, got) || !equality.Semantic.DeepEqual(first, f.stored().Estimate) {
		t.Errorf("a small change: got %v, want %v", got, first)
	}
	f.client.PrependReactor("*", "*", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, errors.New("no connection")
	})
	f.known, f.updating = nil, metav1.ConditionFalse
	f.build("three")
	if _, err := f.Write(t.Context(), false); err == nil {
		t.Error("it was written")
	}
	if got := f.Last(); got.Conditions[0].Status != metav1.ConditionFalse || got.Estimate != nil {
		t.Errorf("without an API server: %+v", got)
	}
}

// TestSummaryGeneration checks that the status has the generation of the object that was read, also after another client changed it.
func TestSummaryGeneration(t *testing.T) {
	f := newSummaryFixture(t)
	summaries := f.client.UpdateV1alpha1().UpdateStatusSummaries()
	object := &updatev1alpha1.UpdateStatusSummary{ObjectMeta: metav1.ObjectMeta{Name: "cluster", Generation: 2}}
	if _, err := summaries.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	f.build("one")
	f.mustSync(0, "updatestatus")
	if got := f.stored().ObservedGeneration; got != 2 {
		t.Errorf("generation %d", got)
	}
	// The API server rejects the next write, as the object has changed: then it is read again.
	f.known = nil
	stored, err := summaries.Get(t.Context(), "cluster", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	stored.Generation = 3
	if _, err := summaries.Update(t.Context(), stored, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	f.mustSync(0, "updatestatus")
	if got := f.stored().ObservedGeneration; got != 3 {
		t.Errorf("generation %d after a change", got)
	}
}
