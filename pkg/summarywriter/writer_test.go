package summarywriter

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/fake"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
)

// fixture is a Writer with a fake client and a fake clock.
type fixture struct {
	*Writer

	t      *testing.T
	client *fake.Clientset
	clock  *clocktesting.FakePassiveClock
	last   Built
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t, client: fake.NewSimpleClientset(), clock: clocktesting.NewFakePassiveClock(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC))}
	f.Writer = New(Input{
		Client: f.client.UpdateV1alpha1().UpdateStatusSummaries(), Pace: f.clock, Recorder: events.NewInMemoryRecorder("test", f.clock),
		Built: func() Built { return f.last },
	})
	t.Cleanup(f.syncContext.Queue().ShutDown)
	return f
}

// build sets the status to one of a control plane with a message.
func (f *fixture) build(message string) {
	f.last.Status = &updatev1alpha1.UpdateStatusStatus{ControlPlane: &updatev1alpha1.ControlPlane{Conditions: []metav1.Condition{
		{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionUnknown, Reason: "Some", Message: message},
	}}}
	f.confirm()
}

// confirm confirms the status. The two clocks differ.
func (f *fixture) confirm() {
	f.last.ConfirmedAt, f.last.At = f.clock.Now(), f.clock.Now().Add(-time.Hour)
}

func (f *fixture) passTime(length time.Duration) {
	f.clock.SetTime(f.clock.Now().Add(length))
}

// mustSync syncs, and compares the delay and the requests that change something.
func (f *fixture) mustSync(delay time.Duration, writes ...string) {
	f.t.Helper()
	f.client.ClearActions()
	got, err := f.sync(f.t.Context())
	if err != nil || got != delay {
		f.t.Fatalf("delay %s, error %v", got, err)
	}
	f.expectWrites(writes...)
}

func (f *fixture) expectWrites(want ...string) {
	f.t.Helper()
	var verbs []string
	for _, action := range f.client.Actions() {
		if verb := action.GetVerb(); verb != "get" {
			verbs = append(verbs, verb+action.GetSubresource())
		}
	}
	if diff := cmp.Diff(want, verbs); diff != "" {
		f.t.Errorf("writes (-want +got):\n%s", diff)
	}
}

func (f *fixture) stored() updatev1alpha1.UpdateStatusSummaryStatus {
	f.t.Helper()
	object, err := f.client.UpdateV1alpha1().UpdateStatusSummaries().Get(f.t.Context(), "cluster", metav1.GetOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	return object.Status
}

func TestWrite(t *testing.T) {
	f := newFixture(t)
	f.mustSync(0) // nothing is built yet
	f.build("one")
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

// TestHeartbeat checks that a status that does not change is written once a minute, and only if it is confirmed.
func TestHeartbeat(t *testing.T) {
	f := newFixture(t)
	f.build("one")
	f.mustSync(0, "create", "updatestatus")
	for range 3 {
		f.passTime(heartbeat - time.Second)
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
}

// TestPace checks that a burst of ten changes is written immediately, and two a second afterwards.
func TestPace(t *testing.T) {
	f := newFixture(t)
	f.build("zero")
	f.mustSync(0, "create", "updatestatus")
	for at := range writesBurst - 1 {
		f.build(string(rune('a' + at)))
		f.mustSync(0, "updatestatus")
	}
	f.build("late")
	f.mustSync(time.Second / writesASecond)
	f.passTime(time.Second / writesASecond)
	f.mustSync(0, "updatestatus")
	if stored := f.stored(); stored.Conditions[0].Message != "late" {
		t.Errorf("%+v", stored)
	}
}

// TestOtherClients checks that an object that another client changed or deleted is repaired.
func TestOtherClients(t *testing.T) {
	f := newFixture(t)
	f.build("one")
	f.mustSync(0, "create", "updatestatus")
	if err := f.client.UpdateV1alpha1().UpdateStatusSummaries().Delete(t.Context(), "cluster", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	f.passTime(time.Minute)
	f.build("two")
	queue := &queueOf{}
	for range 2 {
		if err := f.syncAndRequeue(t.Context(), queue); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]time.Duration{retryDelay}, queue.delays); diff != "" {
		t.Errorf("delays (-want +got):\n%s", diff)
	}
	if stored := f.stored(); stored.Conditions[0].Message != "two" {
		t.Errorf("%+v", stored)
	}
}

// TestFailure checks that each failure is retried, and that the object is read again.
func TestFailure(t *testing.T) {
	f := newFixture(t)
	failing := errors.New("no connection")
	f.client.PrependReactor("*", "*", func(clienttesting.Action) (bool, runtime.Object, error) { return failing != nil, nil, failing })
	f.build("one")
	queue := &queueOf{}
	for range 3 {
		if err := f.syncAndRequeue(t.Context(), queue); err != nil {
			t.Fatal(err)
		}
	}
	failing = nil
	if err := f.syncAndRequeue(t.Context(), queue); err != nil || len(queue.delays) != 3 || f.isFailing {
		t.Errorf("%v, error %v", queue.delays, err)
	}
	if stored := f.stored(); stored.Conditions[0].Message != "one" {
		t.Errorf("%+v", stored)
	}
}

// TestLastWrite checks that what was built last is written when the process ends, whatever the pace.
func TestLastWrite(t *testing.T) {
	f := newFixture(t)
	f.limit.SetBurst(0)
	f.build("last")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f.Run(ctx)
	if stored := f.stored(); stored.Conditions[0].Message != "last" {
		t.Errorf("%+v", stored)
	}
}

// TestShutdown checks that the end of the process does not cut off a write that has begun.
func TestShutdown(t *testing.T) {
	f := newFixture(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	f.object.client = &cutOff{UpdateStatusSummaryInterface: f.object.client}
	f.build("one")
	if _, err := f.sync(ended); err != nil {
		t.Errorf("the write was cut off: %v", err)
	}
}

// cutOff is a client whose writes fail when their context has ended, as those of a real client do.
type cutOff struct {
	updateclient.UpdateStatusSummaryInterface
}

func (c *cutOff) UpdateStatus(
	ctx context.Context, object *updatev1alpha1.UpdateStatusSummary, options metav1.UpdateOptions,
) (*updatev1alpha1.UpdateStatusSummary, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return c.UpdateStatusSummaryInterface.UpdateStatus(ctx, object, options)
}

// queueOf is a sync context that records the delays of what is queued.
type queueOf struct {
	factory.SyncContext
	workqueue.RateLimitingInterface

	delays []time.Duration
}

func (q *queueOf) QueueKey() string                       { return "key" }
func (q *queueOf) Queue() workqueue.RateLimitingInterface { return q }
func (q *queueOf) AddAfter(_ any, delay time.Duration)    { q.delays = append(q.delays, delay) }
