package controller

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	metadatafake "k8s.io/client-go/metadata/fake"
	"k8s.io/client-go/metadata/metadatainformer"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/fake"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// bench is a controller on a fake client, whose cache the test fills by hand.
type bench struct {
	*Controller

	t        *testing.T
	client   *fake.Clientset
	informer cache.SharedIndexInformer
	cache    cache.Indexer
	clock    *clocktesting.FakePassiveClock
	events   events.InMemoryRecorder
	// announcing is over when the announcer, which was told so once, has finished.
	announcing sync.WaitGroup
	finished   sync.Once
}

// prepare returns a bench whose collector does not run.
func prepare(t *testing.T) *bench {
	t.Helper()
	client := fake.NewSimpleClientset() // its successor wants an OpenAPI schema, for server-side apply
	versionObjects(client)
	clock := clocktesting.NewFakePassiveClock(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC))
	scheme := metadatafake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	informer := metadatainformer.NewFilteredMetadataInformer(metadatafake.NewSimpleMetadataClient(scheme), updateStatuses,
		metav1.NamespaceAll, 0, cache.Indexers{}, nil).Informer()
	made := &bench{
		t: t, client: client, informer: informer, cache: informer.GetIndexer(), clock: clock, events: events.NewInMemoryRecorder("test", clock),
	}
	made.Controller = New(Input{
		Clock: clock, Pace: clock, Client: client.UpdateV1alpha1().UpdateStatuses(), PutStatus: putTo(client), Informer: informer,
		Recorder: events.NewInMemoryRecorder("test", clock), Events: made.events,
		Metrics: NewMetrics(),
	})
	t.Cleanup(made.context.Queue().ShutDown)
	return made
}

func newBench(t *testing.T) *bench {
	t.Helper()
	made := prepare(t)
	ctx, cancel := context.WithCancel(t.Context())
	var collecting sync.WaitGroup
	collecting.Go(func() { made.collector.run(ctx) })
	made.announcing.Go(func() { made.announcer.run(context.WithoutCancel(ctx)) })
	t.Cleanup(func() {
		cancel()
		collecting.Wait()
		made.recorded()
	})
	return made
}

// recorded returns all events, when there will be no more.
func (b *bench) recorded() []*corev1.Event {
	b.finished.Do(b.announcer.finish)
	b.announcing.Wait()
	return b.events.Events()
}

var updateStatuses = updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses")

// putTo is a PutStatus to a fake client.
func putTo(client *fake.Clientset) PutStatus {
	return func(ctx context.Context, name string, content []byte) (*metav1.PartialObjectMetadata, error) {
		sent := &updatev1alpha1.UpdateStatus{}
		if err := json.Unmarshal(content, sent); err != nil {
			return nil, err
		}
		if len(sent.ManagedFields) > 0 {
			return nil, errors.New("managedFields are sent back")
		}
		if sent.Name != name || sent.GroupVersionKind() != updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus") {
			return nil, fmt.Errorf("%s is put as %s", sent.GroupVersionKind(), name)
		}
		written, err := client.UpdateV1alpha1().UpdateStatuses().UpdateStatus(ctx, sent, metav1.UpdateOptions{})
		if err != nil {
			return nil, err
		}
		answer := &metav1.PartialObjectMetadata{ObjectMeta: written.ObjectMeta}
		answer.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "test"}}
		return answer, nil
	}
}

// versionObjects gives every written object the next resource version, as an API server does.
func versionObjects(client *fake.Clientset) {
	var version int
	client.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if write, ok := action.(clienttesting.UpdateAction); ok { // creations have the same methods
			version++
			write.GetObject().(*updatev1alpha1.UpdateStatus).ResourceVersion = strconv.Itoa(version)
		}
		return false, nil, nil
	})
}

// look brings the cache up to date with what was written.
func (b *bench) look() *updatev1alpha1.UpdateStatus {
	b.t.Helper()
	object, err := b.client.UpdateV1alpha1().UpdateStatuses().Get(b.t.Context(), "cluster", metav1.GetOptions{})
	if err != nil {
		b.t.Fatal(err)
	}
	b.see(object)
	return object
}

// see brings the cache up to date with an object.
func (b *bench) see(object *updatev1alpha1.UpdateStatus) {
	b.t.Helper()
	if err := b.cache.Update(&metav1.PartialObjectMetadata{ObjectMeta: object.ObjectMeta}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) say(messages ...insight.Message) {
	b.t.Helper()
	for _, message := range messages {
		if err := b.Send(b.t.Context(), message); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bench) keep(want time.Duration) {
	b.t.Helper()
	wait, err := b.Controller.keep(b.t.Context())
	if err != nil || wait != want {
		b.t.Fatalf("wait %s, error %v", wait, err)
	}
}

// writes returns the verbs of the requests that changed something, and forgets them.
func (b *bench) writes() []string {
	var verbs []string
	for _, action := range b.client.Actions() {
		if verb := action.GetVerb(); verb != "get" {
			if sub := action.GetSubresource(); sub != "" {
				verb += " " + sub
			}
			verbs = append(verbs, verb)
		}
	}
	b.client.ClearActions()
	return verbs
}

func (b *bench) wrote(want ...string) {
	b.t.Helper()
	if diff := cmp.Diff(want, b.writes()); diff != "" {
		b.t.Errorf("writes (-want +got):\n%s", diff)
	}
}

func complete(source insight.Source) insight.Message {
	return insight.Message{Source: source, State: &insight.State{Complete: true}}
}

func TestCreatesAndKeeps(t *testing.T) {
	b := newBench(t)
	b.keep(startupPatience)
	b.wrote("create")
	b.look()

	b.say(complete(insight.ControlPlaneInformer), message("a", "one"))
	b.keep(startupPatience)
	b.wrote()
	b.say(complete(insight.NodeInformer))
	b.keep(0)
	b.wrote("update status")
	b.keep(gap) // it is not looked again before something may be written
	b.clock.SetTime(b.clock.Now().Add(gap))
	b.keep(0)
	b.wrote() // the cache is behind the own write: nothing to do all the same
	b.look()
	b.keep(0)
	b.wrote()
}

// gap is the time between two small writes.
const gap = time.Second / writesASecond

func TestWritesThatItWaitsWhenASourceIsSilent(t *testing.T) {
	b := newBench(t)
	b.say(complete(insight.ControlPlaneInformer))
	b.keep(startupPatience)
	b.clock.SetTime(b.clock.Now().Add(startupPatience))
	b.look()
	b.keep(0)
	b.wrote("create", "update status")
	if available := b.look().Status.Conditions[0]; available.Reason != updatev1alpha1.ReasonWaitingForInformers {
		t.Errorf("Available is %s %s", available.Status, available.Reason)
	}
}

// TestWaitsUntilTheSourcesAgree: at the start of an update one source sees it before the other. What they say together
// then, that the control plane is updating to a version and that its nodes are complete, was never true.
func TestWaitsUntilTheSourcesAgree(t *testing.T) {
	about := func(source insight.Source, target string) insight.Message {
		return insight.Message{Source: source, State: &insight.State{Complete: true, Target: target}}
	}
	b := settled(t)
	b.look()
	b.say(about(insight.ControlPlaneInformer, "4.20.1"), about(insight.NodeInformer, "4.20.1"), message("a", "two"))
	b.keep(0)
	b.wrote("update status")
	b.look()

	b.clock.SetTime(b.clock.Now().Add(time.Hour))
	b.say(about(insight.ControlPlaneInformer, "4.20.2"), message("a", "three"))
	b.keep(agreementPatience)
	b.clock.SetTime(b.clock.Now().Add(time.Second))
	b.keep(agreementPatience - time.Second)
	b.wrote()
	b.say(about(insight.NodeInformer, "4.20.2"))
	b.keep(0)
	b.wrote("update status")
	b.look()

	b.clock.SetTime(b.clock.Now().Add(time.Hour))
	b.say(about(insight.NodeInformer, "4.20.3"), message("a", "four"))
	b.keep(agreementPatience)
	b.clock.SetTime(b.clock.Now().Add(agreementPatience))
	b.keep(0)
	b.wrote("update status") // it is better to say something than to wait for ever
}

func settled(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.say(complete(insight.ControlPlaneInformer), complete(insight.NodeInformer), message("a", "one"))
	b.keep(0)
	b.look()
	b.clock.SetTime(b.clock.Now().Add(time.Hour))
	b.keep(0)
	b.wrote("create", "update status")
	return b
}

func TestRepairs(t *testing.T) {
	b := settled(t)
	want := b.look()
	for name, edit := range map[string]func(*updatev1alpha1.UpdateStatusStatus){
		"emptied": func(status *updatev1alpha1.UpdateStatusStatus) { *status = updatev1alpha1.UpdateStatusStatus{} },
		"times": func(status *updatev1alpha1.UpdateStatusStatus) {
			status.Conditions[0].LastTransitionTime = metav1.Now()
		},
		"content": func(status *updatev1alpha1.UpdateStatusStatus) {
			status.ControlPlane.Informers[0].Insights[0].Node.Message = "fine"
		},
	} {
		edited := want.DeepCopy()
		edit(&edited.Status)
		if _, err := b.client.UpdateV1alpha1().UpdateStatuses().UpdateStatus(t.Context(), edited, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		b.look()
		b.clock.SetTime(b.clock.Now().Add(time.Minute))
		b.keep(0)
		if diff := cmp.Diff(want.Status, b.look().Status); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestCreatesAgainWhatWasDeleted(t *testing.T) {
	b := settled(t)
	want := b.look()
	if err := b.client.UpdateV1alpha1().UpdateStatuses().Delete(t.Context(), "cluster", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := b.cache.Delete(want); err != nil {
		t.Fatal(err)
	}
	b.writes()
	b.clock.SetTime(b.clock.Now().Add(time.Minute))
	b.keep(0)
	b.wrote("create", "update status")
	if diff := cmp.Diff(want.Status, b.look().Status); diff != "" {
		t.Errorf("status (-before +after):\n%s", diff)
	}
}

// TestCreatesOnlyOnce: a cache that is behind the creation is no reason to create, but what was deleted meanwhile is.
func TestCreatesOnlyOnce(t *testing.T) {
	b := newBench(t)
	b.say(complete(insight.ControlPlaneInformer), complete(insight.NodeInformer), message("a", "one"))
	b.keep(0)
	b.clock.SetTime(b.clock.Now().Add(time.Minute))
	b.say(message("a", "two"))
	b.keep(0)
	b.wrote("create", "update status", "update status")

	if err := b.client.UpdateV1alpha1().UpdateStatuses().Delete(t.Context(), "cluster", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	b.writes()
	b.clock.SetTime(b.clock.Now().Add(time.Minute))
	b.say(message("a", "three"))
	if _, err := b.Controller.keep(t.Context()); !apierrors.IsNotFound(err) {
		t.Fatalf("error %v", err)
	}
	b.clock.SetTime(b.clock.Now().Add(time.Minute))
	b.keep(0)
	b.wrote("update status", "create", "update status")
}

func TestPaces(t *testing.T) {
	b := settled(t)
	b.look()
	b.say(message("a", "two"))
	b.keep(0)
	b.wrote("update status")
	b.look()
	b.say(message("a", "three"))
	b.keep(gap)
	b.say(message("a", "four"))
	b.keep(gap)
	b.wrote()
	b.clock.SetTime(b.clock.Now().Add(gap))
	b.keep(0)
	b.wrote("update status")
	if got := b.look().Status.ControlPlane.Informers[0].Insights[0].Node.Message; got != "four" {
		t.Errorf("%s was written: changes are collected, and the last one is always written", got)
	}
}

func alarm(level updatev1alpha1.HealthLevel) insight.Message {
	made := message("a", "one")
	made.Reports[0].Insights = append(made.Reports[0].Insights, insight.ScopedInsight{Insight: updatev1alpha1.Insight{
		UID: "health-a", Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
			Impact: updatev1alpha1.HealthImpact{Level: level, Summary: "Node a is degraded", Type: "Update Stalled"},
		},
	}})
	return made
}

// TestEvents: an event for each change, when it is written, and none again after a restart.
func TestEvents(t *testing.T) {
	b := settled(t)
	for _, level := range []updatev1alpha1.HealthLevel{"Warning", "Error", "Error", "Critical"} {
		b.look()
		b.say(alarm(level))
		b.clock.SetTime(b.clock.Now().Add(time.Minute))
		b.keep(0)
	}
	object := b.look()

	restarted := newBench(t)
	if _, err := restarted.client.UpdateV1alpha1().UpdateStatuses().Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	restarted.look()
	restarted.say(complete(insight.ControlPlaneInformer), complete(insight.NodeInformer), alarm("Critical"))
	restarted.keep(0)
	restarted.say(message("a", "one"))
	restarted.keep(0)

	var got []string
	for _, event := range append(b.recorded(), restarted.recorded()...) {
		got = append(got, event.Type+" "+event.Reason+" "+event.Message)
	}
	want := []string{
		"Warning HealthInsightAppeared Error: Node a is degraded (Update Stalled)",
		"Normal HealthInsightGone Critical: Node a is degraded (Update Stalled)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestEventsOfAWriteWithoutAnAnswer: what was stored is told, although nobody said that it was; what was refused is not.
func TestEventsOfAWriteWithoutAnAnswer(t *testing.T) {
	gone := updatev1alpha1.Resource("updatestatuses")
	for name, test := range map[string]struct {
		answer error
		stored bool
		events int
	}{
		"the connection is lost":            {errors.New("connection reset by peer"), true, 1},
		"the API server waited for etcd":    {apierrors.NewTimeoutError("etcd", 0), true, 1},
		"lost on the way":                   {errors.New("connection refused"), false, 1},
		"another controller wrote the same": {apierrors.NewConflict(gone, "cluster", errors.New("changed")), true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := settled(t)
			before := b.look()
			b.say(alarm("Error"))
			failing := true
			b.client.PrependReactor("update", "updatestatuses", func(action clienttesting.Action) (bool, runtime.Object, error) {
				if !failing {
					return false, nil, nil
				}
				if sent := action.(clienttesting.UpdateAction).GetObject().(*updatev1alpha1.UpdateStatus); test.stored {
					sent.ResourceVersion = before.ResourceVersion + "0"
					if err := b.client.Tracker().Update(action.GetResource(), sent, ""); err != nil {
						t.Error(err)
					}
				}
				return true, nil, test.answer
			})
			if _, err := b.Controller.keep(t.Context()); !errors.Is(err, test.answer) {
				t.Fatalf("error %v", err)
			}
			failing = false
			b.look()
			for range 2 {
				b.clock.SetTime(b.clock.Now().Add(time.Minute))
				b.keep(0)
			}
			if got := b.recorded(); len(got) != test.events {
				t.Errorf("events: %v", got)
			}
		})
	}
}

// TestFinishesWhatHasBegun: the end that comes in the middle of a write lets it and its events through.
func TestFinishesWhatHasBegun(t *testing.T) {
	b := settled(t)
	b.look()
	b.say(alarm("Error"))
	ctx, end := context.WithCancel(t.Context())
	b.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
		end()
		return false, nil, nil
	})
	if err := b.sync(ctx, &queueOf{}); err != nil {
		t.Fatal(err)
	}
	if recorded := len(b.recorded()); recorded != 1 {
		t.Errorf("%d events were recorded", recorded)
	}
}

func TestFinishingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parent, end := context.WithCancel(t.Context())
		ctx, cancel := finishing(parent)
		defer cancel()
		end()
		began := time.Now()
		<-ctx.Done()
		if took := time.Since(began); took != finishTimeout {
			t.Errorf("ended after %s", took)
		}
	})
}

func TestFlushDoesNotWaitForThePace(t *testing.T) {
	b := settled(t)
	for _, reason := range []string{"two", "three"} {
		b.look()
		b.say(message("a", reason))
		if _, err := b.Controller.keep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	b.look()
	b.flush(t.Context())
	b.wrote("update status", "update status")
}

func TestConflictIsANewLook(t *testing.T) {
	gone := updatev1alpha1.Resource("updatestatuses")
	for name, refusal := range map[string]error{
		"conflict": apierrors.NewConflict(gone, "cluster", errors.New("changed")),
		"deleted":  apierrors.NewNotFound(gone, "cluster"),
	} {
		b := settled(t)
		b.look()
		b.say(message("a", "two"))
		b.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, refusal
		})
		queue := &queueOf{}
		if err := b.sync(t.Context(), queue); err != nil || len(queue.later) != 1 {
			t.Errorf("%s: %v, queued for later %v", name, err, queue.later)
		}
	}
}

// TestFailuresAreTriedAgain: more and more seldom, but never later than lastRetry.
func TestFailuresAreTriedAgain(t *testing.T) {
	b := settled(t)
	b.look()
	b.say(message("a", "two"))
	broken := true
	b.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
		return broken, nil, errors.New("broken")
	})
	queue := &queueOf{}
	for range 20 {
		b.clock.SetTime(b.clock.Now().Add(time.Minute))
		if err := b.sync(t.Context(), queue); err != nil {
			t.Fatal(err)
		}
	}
	if len(queue.later) != 20 || queue.later[0] != firstRetry || queue.later[19] != lastRetry {
		t.Errorf("tried again after %v", queue.later)
	}
	broken = false
	b.clock.SetTime(b.clock.Now().Add(time.Minute))
	if err := b.sync(t.Context(), queue); err != nil {
		t.Fatal(err)
	}
	if got := b.look().Status.ControlPlane.Informers[0].Insights[0].Node.Message; got != "two" {
		t.Errorf("%s was written in the end", got)
	}
}

// TestReportsDoNotHurryFailures: each report queues the key, and hundreds of them would be as many tries and log lines.
func TestReportsDoNotHurryFailures(t *testing.T) {
	b := newBench(t)
	tries := 0
	b.client.PrependReactor("create", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
		tries++
		return true, nil, errors.New("broken")
	})
	for at := range 20 {
		b.say(message("a", strconv.Itoa(at)))
		if err := b.sync(t.Context(), &queueOf{}); err != nil {
			t.Fatal(err)
		}
	}
	if tries != 1 {
		t.Errorf("%d tries within a moment", tries)
	}
}

// TestWaitsInTheQueue: what has to wait for the pace is queued for the moment at which it may be written.
func TestWaitsInTheQueue(t *testing.T) {
	b := settled(t)
	for _, reason := range []string{"two", "three"} {
		b.look()
		b.say(message("a", reason))
		queue := &queueOf{}
		if err := b.sync(t.Context(), queue); err != nil {
			t.Fatal(err)
		}
		if reason == "three" && (len(queue.later) != 1 || queue.later[0] != gap) {
			t.Errorf("queued for later: %v", queue.later)
		}
	}
}

// TestWritesWithTheVersionItHasSeen: a write from a stale look must not undo what somebody else wrote.
func TestWritesWithTheVersionItHasSeen(t *testing.T) {
	b := settled(t)
	seen := b.look().ResourceVersion
	b.say(message("a", "two"))
	var sent string
	b.client.PrependReactor("update", "updatestatuses", func(action clienttesting.Action) (bool, runtime.Object, error) {
		sent = action.(clienttesting.UpdateAction).GetObject().(*updatev1alpha1.UpdateStatus).ResourceVersion
		return true, nil, errors.New("seen enough")
	})
	if _, err := b.Controller.keep(t.Context()); err == nil || sent != seen {
		t.Errorf("sent resource version %q, seen was %q, error %v", sent, seen, err)
	}
}

// TestAnotherObjectIsNotTheOneItWrote: what was deleted and created again has versions of its own, newer or not.
func TestAnotherObjectIsNotTheOneItWrote(t *testing.T) {
	b := settled(t)
	b.look()
	b.say(message("a", "two"))
	b.keep(0) // the cache is behind the own write
	another := &updatev1alpha1.UpdateStatus{ObjectMeta: metav1.ObjectMeta{Name: "cluster", UID: "another", ResourceVersion: "1"}}
	if err := b.client.Tracker().Update(updateStatuses, another, ""); err != nil {
		t.Fatal(err)
	}
	b.see(another)
	current, err := b.object.current(t.Context())
	if err != nil || current.UID != "another" {
		t.Errorf("it goes by %v, error %v", current, err)
	}
}

// TestRunEndsWithTheLastStatus: what the pace has held back is written when the controller ends.
func TestRunEndsWithTheLastStatus(t *testing.T) {
	b := prepare(t)
	wrote := make(chan string, 10)
	b.client.PrependReactor("update", "updatestatuses", func(action clienttesting.Action) (bool, runtime.Object, error) {
		written := action.(clienttesting.UpdateAction).GetObject().(*updatev1alpha1.UpdateStatus)
		for _, told := range written.Status.ControlPlane.Informers[0].Insights {
			if told.Node != nil {
				wrote <- told.Node.Message
			}
		}
		return false, nil, nil
	})
	ctx, end := context.WithCancel(t.Context())
	informing, stopInforming := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go b.informer.RunWithContext(informing)
	go func() {
		defer close(ended)
		b.Run(ctx)
	}()
	b.say(complete(insight.ControlPlaneInformer), complete(insight.NodeInformer), message("a", "one"))
	if got := <-wrote; got != "one" {
		t.Errorf("first written was %s", got)
	}
	last := alarm("Error")
	last.Reports[0].Insights[0].Insight.Node.Message = "two"
	b.say(last) // the clock of the pace stands still
	end()
	<-ended
	stopInforming()
	select {
	case got := <-wrote:
		if got != "two" {
			t.Errorf("last written was %s", got)
		}
	default:
		t.Error("nothing was written at the end")
	}
	if recorded := len(b.events.Events()); recorded != 1 {
		t.Errorf("%d events were recorded at the end", recorded)
	}
}

// queueOf is a sync context that keeps what is queued for later.
type queueOf struct {
	factory.SyncContext
	workqueue.RateLimitingInterface

	later []time.Duration
}

func (q *queueOf) QueueKey() string                       { return "key" }
func (q *queueOf) Queue() workqueue.RateLimitingInterface { return q }
func (q *queueOf) AddAfter(_ any, after time.Duration)    { q.later = append(q.later, after) }
