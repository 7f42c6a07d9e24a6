package controller

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
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
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/publish"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/fakeapi"
)

// fixture is a controller with a fake client and a fake clock. The test fills its cache and calls its sync.
type fixture struct {
	*Controller

	t        *testing.T
	client   *fake.Clientset
	informer cache.SharedIndexInformer
	cache    cache.Indexer
	clock    *clocktesting.FakePassiveClock
	recorder events.InMemoryRecorder
	// recording ends after the queue of events was closed, once.
	recording sync.WaitGroup
	closed    sync.Once
}

// newStoppedFixture returns a fixture whose goroutines do not run.
func newStoppedFixture(t *testing.T) *fixture {
	t.Helper()
	client := fake.NewSimpleClientset() // its successor needs an OpenAPI schema, for server-side apply
	setResourceVersions(client)
	clock := clocktesting.NewFakePassiveClock(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC))
	scheme := metadatafake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	informer := metadatainformer.NewFilteredMetadataInformer(metadatafake.NewSimpleMetadataClient(scheme), updateStatuses,
		metav1.NamespaceAll, 0, cache.Indexers{}, nil).Informer()
	f := &fixture{
		t: t, client: client, informer: informer, cache: informer.GetIndexer(), clock: clock, recorder: events.NewInMemoryRecorder("test", clock),
	}
	f.Controller = New(alone(Input{
		Clock: clock, Pace: clock, Store: storeOf(client), Name: "cluster", Informer: informer,
		Recorder: events.NewInMemoryRecorder("test", clock), Events: f.recorder,
		Metrics: NewMetrics(nil),
	}))
	t.Cleanup(f.syncContext.Queue().ShutDown)
	return f
}

// alone returns the input of a controller that nothing follows.
func alone(in Input) Input {
	in.Built, in.OnBuild, in.OnUpdateChange = &atomic.Pointer[update.Built]{}, func() {}, func() {}
	in.History = func() estimate.History { return nil }
	in.Summary = func() *updatev1alpha1.UpdateStatusSummaryStatus { return nil }
	in.Renewals = func(updatev1alpha1.UpdateStatusSpec) map[types.NamespacedName]time.Time { return nil }
	return in
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := newStoppedFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	var collecting sync.WaitGroup
	collecting.Go(func() { f.collector.run(ctx) })
	f.recording.Go(func() { f.events.run(context.WithoutCancel(ctx)) })
	t.Cleanup(func() {
		cancel()
		collecting.Wait()
		f.recorded()
	})
	return f
}

// recorded returns all events. None is recorded afterwards.
func (f *fixture) recorded() []*corev1.Event {
	f.closed.Do(func() { close(f.events.queue) })
	f.recording.Wait()
	return f.recorder.Events()
}

var updateStatuses = updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses")

// storeOf returns a Store that sends its requests to a fake client.
func storeOf(client *fake.Clientset) Store {
	return publish.Standalone(fakeapi.Client(client)).Statuses
}

// setResourceVersions gives every written object the next resourceVersion, as an API server does.
func setResourceVersions(client *fake.Clientset) {
	var version int
	client.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if write, ok := action.(clienttesting.UpdateAction); ok { // creations have the same methods
			version++
			write.GetObject().(*updatev1alpha1.UpdateStatus).ResourceVersion = strconv.Itoa(version)
		}
		return false, nil, nil
	})
}

// summarize returns the summary of what was built last, as its writer makes it without an earlier one.
func (f *fixture) summarize() *updatev1alpha1.UpdateStatusSummaryStatus {
	built := f.in.Built.Load()
	if built == nil {
		return nil
	}
	return summary.Of(summary.Input{Update: built.Update, History: f.in.History(), Now: built.At})
}

// refreshCache updates the cache to the object in the cluster, and returns it.
func (f *fixture) refreshCache() *updatev1alpha1.UpdateStatus {
	f.t.Helper()
	object, err := f.client.UpdateV1alpha1().UpdateStatuses().Get(f.t.Context(), "cluster", metav1.GetOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	f.setCached(object)
	return object
}

func (f *fixture) setCached(object *updatev1alpha1.UpdateStatus) {
	f.t.Helper()
	if err := f.cache.Update(&metav1.PartialObjectMetadata{ObjectMeta: object.ObjectMeta}); err != nil {
		f.t.Fatal(err)
	}
}

// passTime moves the clock of what is observed and of the pace.
func (f *fixture) passTime(duration time.Duration) {
	f.clock.SetTime(f.clock.Now().Add(duration))
}

func (f *fixture) send(messages ...insight.Message) {
	f.t.Helper()
	for _, message := range messages {
		if err := f.Send(f.t.Context(), message); err != nil {
			f.t.Fatal(err)
		}
	}
}

// mustSync syncs, and compares the delay until the object can be written.
func (f *fixture) mustSync(want time.Duration) {
	f.t.Helper()
	delay, err := f.sync(f.t.Context())
	if err != nil || delay != want {
		f.t.Fatalf("delay %s, error %v, want %s", delay, err, want)
	}
}

// mustBuild syncs until what was sent is in the status that was built last, whether it may be written now or not.
func (f *fixture) mustBuild() {
	f.t.Helper()
	f.passTime(buildInterval)
	if _, err := f.sync(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
}

// writes returns the verbs of the requests that changed something since the last call.
func (f *fixture) writes() []string {
	var verbs []string
	for _, action := range f.client.Actions() {
		if verb := action.GetVerb(); verb != "get" {
			if sub := action.GetSubresource(); sub != "" {
				verb += " " + sub
			}
			verbs = append(verbs, verb)
		}
	}
	f.client.ClearActions()
	return verbs
}

func (f *fixture) expectWrites(want ...string) {
	f.t.Helper()
	if diff := cmp.Diff(want, f.writes()); diff != "" {
		f.t.Errorf("writes (-want +got):\n%s", diff)
	}
}

// reads returns the number of reads since the last call.
func (f *fixture) reads() int {
	count := 0
	for _, action := range f.client.Actions() {
		if action.GetVerb() == "get" {
			count++
		}
	}
	f.client.ClearActions()
	return count
}

// settled returns a fixture whose object is in sync, an hour after its last write.
func settled(t *testing.T) *fixture {
	t.Helper()
	f := newFixture(t)
	f.sendComplete()
	f.send(message("a", "one"))
	f.mustSync(0)
	f.refreshCache()
	f.passTime(time.Hour)
	f.mustSync(0)
	f.expectWrites("create", "update status")
	return f
}

func complete(source insight.Source) insight.Message {
	return insight.Message{Source: source, State: &insight.State{Complete: true}}
}

// sendComplete sends of each source that it is complete.
func (f *fixture) sendComplete() {
	f.t.Helper()
	for _, source := range insight.Watching() {
		f.send(complete(source))
	}
}

// message is a report about a node.
func message(name, text string) insight.Message {
	return insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{{
		Subject: insight.Subject{Kind: "Node", Name: name},
		Insights: []insight.ScopedInsight{{Insight: updatev1alpha1.Insight{
			UID: name, Node: &updatev1alpha1.NodeInsight{Name: name, Pool: "master", Message: text},
		}}},
	}}}
}

// healthMessage is a report about a node with a health insight.
func healthMessage(level updatev1alpha1.HealthLevel) insight.Message {
	reported := message("a", "one")
	reported.Reports[0].Insights = append(reported.Reports[0].Insights, insight.ScopedInsight{Insight: updatev1alpha1.Insight{
		UID: "health-a", Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
			Impact: updatev1alpha1.HealthImpact{Level: level, Summary: "Node a is degraded", Type: updatev1alpha1.ImpactUpdateStalled},
		},
	}})
	return reported
}

// nodeMessage returns the message of the first insight of the control plane.
func nodeMessage(object *updatev1alpha1.UpdateStatus) string {
	return object.Status.ControlPlane.Informers[0].Insights[0].Node.Message
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
