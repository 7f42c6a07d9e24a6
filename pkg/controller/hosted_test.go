package controller

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/openshift/library-go/pkg/operator/events"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/estimate"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/fake"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

var (
	hostedName  = types.NamespacedName{Namespace: "clusters", Name: "east"}
	hostedOwner = metav1.OwnerReference{APIVersion: "hypershift.openshift.io/v1beta1", Kind: "HostedCluster", Name: "east", UID: "u"}
	hostedRef   = updatev1alpha1.ResourceRef{Resource: "hostedclusters", Name: "east"}
)

// newHostedFixture returns a fixture whose controller writes the object of a hosted cluster.
func newHostedFixture(t *testing.T, client *fake.Clientset, change func(*Hosted)) *fixture {
	t.Helper()
	clock := clocktesting.NewFakePassiveClock(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC))
	informer := cache.NewSharedIndexInformer(&cache.ListWatch{}, &metav1.PartialObjectMetadata{}, 0, cache.Indexers{})
	f := &fixture{
		t: t, client: client, informer: informer, cache: informer.GetIndexer(), clock: clock, recorder: events.NewInMemoryRecorder("test", clock),
	}
	hosted := &Hosted{
		Name: hostedName, Client: client.UpdateV1alpha1().HostedClusterUpdateStatuses(hostedName.Namespace), Resource: hostedRef,
		Owner: func(context.Context) (metav1.OwnerReference, error) { return hostedOwner, nil },
		History: func(context.Context, *updatev1alpha1.UpdateStatusSummaryStatus) (estimate.History, error) {
			return nil, nil
		},
	}
	if change != nil {
		change(hosted)
	}
	f.Controller = New(Input{
		Clock: clock, Pace: clock, Hosted: hosted, PutStatus: putHostedTo(client), Informer: informer,
		Recorder: events.NewInMemoryRecorder("test", clock), Events: f.recorder, Metrics: NewMetrics(),
	})
	t.Cleanup(f.syncContext.Queue().ShutDown)
	ctx, cancel := context.WithCancel(t.Context())
	var collecting sync.WaitGroup
	collecting.Go(func() { f.collector.run(ctx) })
	t.Cleanup(func() {
		cancel()
		collecting.Wait()
	})
	return f
}

func newHostedClient() *fake.Clientset {
	client := fake.NewSimpleClientset() // its successor needs an OpenAPI schema, for server-side apply
	version := 0
	client.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if write, ok := action.(clienttesting.UpdateAction); ok {
			version++
			object, err := meta.Accessor(write.GetObject())
			if err != nil {
				return true, nil, err
			}
			object.SetResourceVersion(strconv.Itoa(version))
		}
		return false, nil, nil
	})
	return client
}

// putHostedTo returns a PutStatus that writes to a fake client.
func putHostedTo(client *fake.Clientset) PutStatus {
	return func(ctx context.Context, name string, content []byte) (*metav1.PartialObjectMetadata, error) {
		sent := &updatev1alpha1.HostedClusterUpdateStatus{}
		if err := json.Unmarshal(content, sent); err != nil {
			return nil, err
		}
		if sent.Name != name || sent.GroupVersionKind() != updatev1alpha1.SchemeGroupVersion.WithKind("HostedClusterUpdateStatus") {
			return nil, fmt.Errorf("%s is put as %s", sent.GroupVersionKind(), name)
		}
		stored, err := client.UpdateV1alpha1().HostedClusterUpdateStatuses(sent.Namespace).UpdateStatus(ctx, sent, metav1.UpdateOptions{})
		if err != nil {
			return nil, err
		}
		return &metav1.PartialObjectMetadata{ObjectMeta: stored.ObjectMeta}, nil
	}
}

// refreshHosted updates the cache to the object in the cluster, and returns it.
func (f *fixture) refreshHosted() *updatev1alpha1.HostedClusterUpdateStatus {
	f.t.Helper()
	object, err := f.client.UpdateV1alpha1().HostedClusterUpdateStatuses("clusters").Get(f.t.Context(), "east", metav1.GetOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	if err := f.cache.Update(&metav1.PartialObjectMetadata{ObjectMeta: object.ObjectMeta}); err != nil {
		f.t.Fatal(err)
	}
	return object
}

// poolMessage is a report about a node pool.
func poolMessage(text string) insight.Message {
	return insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{{
		Subject: insight.Subject{Kind: "NodePool", Name: "a"},
		Insights: []insight.ScopedInsight{{Part: insight.Part{WorkerPool: "a"}, Insight: updatev1alpha1.Insight{
			UID: "np-a", Type: updatev1alpha1.InsightNodePool,
			NodePool: &updatev1alpha1.NodePoolInsight{MachineConfigPoolInsight: updatev1alpha1.MachineConfigPoolInsight{
				Name: "a", Resource: updatev1alpha1.ResourceRef{Resource: "nodepools", Name: text},
			}},
		}}},
	}}}
}

// settledHosted returns a fixture whose object was just written.
func settledHosted(t *testing.T, change func(*Hosted)) *fixture {
	t.Helper()
	f := newHostedFixture(t, newHostedClient(), change)
	f.sendComplete()
	f.send(poolMessage("a"))
	f.mustSync(0)
	f.expectWrites("create", "update status")
	return f
}

// TestHostedIsCreated: the object has its owner, and one write brings its status with the summary.
func TestHostedIsCreated(t *testing.T) {
	f := settledHosted(t, nil)
	object := f.refreshHosted()
	if diff := cmp.Diff([]metav1.OwnerReference{hostedOwner}, object.OwnerReferences); diff != "" {
		t.Errorf("owners (-want +got):\n%s", diff)
	}
	if got := object.Status.ControlPlane.Resource; got != hostedRef {
		t.Errorf("the control plane is %+v", got)
	}
	if len(object.Status.NodePools) != 1 || object.Status.NodePools[0].Resource.Name != "a" {
		t.Errorf("the node pools are %+v", object.Status.NodePools)
	}
	if got := object.Status.Summary; got == nil || !got.ObservedAt.Equal(&metav1.Time{Time: f.clock.Now()}) {
		t.Errorf("the summary is %+v", got)
	}
}

// TestHostedIsConfirmed: the summary is written once a minute if nothing else is, and without need nothing is.
func TestHostedIsConfirmed(t *testing.T) {
	f := settledHosted(t, nil)
	before := f.refreshHosted()
	for _, step := range []struct {
		passes time.Duration
		want   []string
		next   time.Duration
	}{
		{passes: 59 * time.Second, next: time.Second},
		{passes: time.Second, want: []string{"update status"}, next: time.Minute},
		{passes: 30 * time.Second, next: 30 * time.Second},
		{passes: 2 * time.Minute, want: []string{"update status"}, next: time.Minute},
	} {
		f.passTime(step.passes)
		f.mustSync(0)
		f.expectWrites(step.want...)
		if got := f.object.confirmAfter(); got != step.next {
			t.Errorf("after %s more: the next confirmation comes after %s, want %s", step.passes, got, step.next)
		}
		f.refreshHosted()
	}
	after := f.refreshHosted()
	if got := after.Status.Summary.ObservedAt.Sub(before.Status.Summary.ObservedAt.Time); got != 210*time.Second {
		t.Errorf("observedAt moved by %s", got)
	}
	after.Status.Summary.ObservedAt = before.Status.Summary.ObservedAt
	if diff := cmp.Diff(before.Status, after.Status); diff != "" {
		t.Errorf("more than observedAt has changed (-before +after):\n%s", diff)
	}
}

// TestHostedIsRepaired: what others change in the status is written again, the summary too.
func TestHostedIsRepaired(t *testing.T) {
	for name, edit := range map[string]func(*updatev1alpha1.HostedClusterUpdateStatusStatus){
		"node pools":             func(s *updatev1alpha1.HostedClusterUpdateStatusStatus) { s.NodePools = nil },
		"condition of summary":   func(s *updatev1alpha1.HostedClusterUpdateStatusStatus) { s.Summary.Conditions[0].Message = "edited" },
		"no summary":             func(s *updatev1alpha1.HostedClusterUpdateStatusStatus) { s.Summary = nil },
		"summary without a time": func(s *updatev1alpha1.HostedClusterUpdateStatusStatus) { s.Summary.ObservedAt = nil },
		"everything": func(s *updatev1alpha1.HostedClusterUpdateStatusStatus) {
			*s = updatev1alpha1.HostedClusterUpdateStatusStatus{}
		},
		"observed in another age": func(s *updatev1alpha1.HostedClusterUpdateStatusStatus) { s.Summary.ObservedAt.Time = time.Unix(0, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			f := settledHosted(t, nil)
			want := f.refreshHosted()
			f.passTime(time.Second)
			f.mustSync(0)
			edited := want.DeepCopy()
			edit(&edited.Status)
			if _, err := f.client.UpdateV1alpha1().HostedClusterUpdateStatuses("clusters").UpdateStatus(t.Context(), edited, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
			f.refreshHosted()
			f.writes()
			f.passTime(time.Second)
			f.mustSync(0)
			f.expectWrites("update status")
			got := f.refreshHosted()
			want.Status.Summary.ObservedAt = got.Status.Summary.ObservedAt
			if diff := cmp.Diff(want.Status, got.Status); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestHostedIsCreatedAgain(t *testing.T) {
	f := settledHosted(t, nil)
	before := f.refreshHosted()
	f.passTime(time.Second)
	f.mustSync(0)
	if err := f.client.UpdateV1alpha1().HostedClusterUpdateStatuses("clusters").Delete(t.Context(), "east", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := f.cache.Delete(&metav1.PartialObjectMetadata{ObjectMeta: before.ObjectMeta}); err != nil {
		t.Fatal(err)
	}
	f.writes()
	f.passTime(time.Second)
	f.mustSync(0)
	f.expectWrites("create", "update status")
	after := f.refreshHosted()
	if diff := cmp.Diff(before.Status.NodePools, after.Status.NodePools); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// TestHostedRestart: a controller that reads the object of the one before writes nothing before the minute is over.
func TestHostedRestart(t *testing.T) {
	client := newHostedClient()
	first := newHostedFixture(t, client, nil)
	first.sendComplete()
	first.send(poolMessage("a"))
	first.mustSync(0)
	second := newHostedFixture(t, client, nil)
	second.refreshHosted()
	second.writes()
	second.passTime(30 * time.Second)
	second.sendComplete()
	second.send(poolMessage("a"))
	second.mustSync(0)
	second.expectWrites()
	second.passTime(30 * time.Second)
	second.mustSync(0)
	second.expectWrites("update status")
}

func TestHostedFails(t *testing.T) {
	refused := errors.New("refused")
	notFound := apierrors.NewNotFound(updatev1alpha1.Resource("hostedclusters"), "east")
	for name, test := range map[string]struct {
		change func(*Hosted)
		want   string
	}{
		"no HostedCluster": {
			func(h *Hosted) {
				h.Owner = func(context.Context) (metav1.OwnerReference, error) { return metav1.OwnerReference{}, notFound }
			}, "creating HostedClusterUpdateStatus/clusters/east: there is no HostedCluster clusters/east that the object would be about",
		},
		"HostedCluster can't be read": {
			func(h *Hosted) {
				h.Owner = func(context.Context) (metav1.OwnerReference, error) { return metav1.OwnerReference{}, refused }
			}, "creating HostedClusterUpdateStatus/clusters/east: reading HostedCluster clusters/east: refused",
		},
		"no records": {
			func(h *Hosted) {
				h.History = func(context.Context, *updatev1alpha1.UpdateStatusSummaryStatus) (estimate.History, error) {
					return nil, refused
				}
			}, "reading the records of earlier updates: refused",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newHostedFixture(t, newHostedClient(), test.change)
			f.sendComplete()
			_, err := f.sync(t.Context())
			if err == nil || err.Error() != test.want || apierrors.IsNotFound(err) {
				t.Errorf("got the error %v, want %s", err, test.want)
			}
		})
	}
}

// rejectHosted makes the API server reject an object for the causes that a function returns.
func (f *fixture) rejectHosted(causesOf func(*updatev1alpha1.HostedClusterUpdateStatusStatus) field.ErrorList) {
	f.client.PrependReactor("update", "hostedclusterupdatestatuses", func(action clienttesting.Action) (bool, runtime.Object, error) {
		sent := action.(clienttesting.UpdateAction).GetObject().(*updatev1alpha1.HostedClusterUpdateStatus)
		if causes := causesOf(&sent.Status); len(causes) > 0 {
			return true, nil, apierrors.NewInvalid(updatev1alpha1.SchemeGroupVersion.WithKind("HostedClusterUpdateStatus").GroupKind(), "east", causes)
		}
		return false, nil, nil
	})
}

// TestHostedRejectedInsight: an insight that the API server rejects is left out.
func TestHostedRejectedInsight(t *testing.T) {
	f := settledHosted(t, nil)
	f.refreshHosted()
	f.rejectHosted(func(status *updatev1alpha1.HostedClusterUpdateStatusStatus) field.ErrorList {
		for at, one := range status.NodePools[0].Informers[0].Insights {
			if one.NodePool.Resource.Name == "b" {
				path := field.NewPath("status", "nodePools").Index(0).Child("informers").Index(0).Child("insights").Index(at)
				return field.ErrorList{field.Invalid(path.Child("nodePool"), "b", "not b")}
			}
		}
		return nil
	})
	f.passTime(time.Second)
	f.send(poolMessage("b"))
	f.mustSync(buildInterval)
	f.passTime(buildInterval)
	f.mustSync(0)
	stored := f.refreshHosted()
	if informers := stored.Status.NodePools[0].Informers; len(informers) != 1 || len(informers[0].Insights) != 0 {
		t.Errorf("the informers are %+v", informers)
	}
	if !meta.IsStatusConditionFalse(stored.Status.Conditions, updatev1alpha1.ConditionInsightsComplete) {
		t.Errorf("the conditions are %+v", stored.Status.Conditions)
	}
}

// TestHostedRejectedSummary: a summary that the API server rejects does not stop the condition that says so, and the one that it
// has accepted stays.
func TestHostedRejectedSummary(t *testing.T) {
	f := settledHosted(t, nil)
	before := f.refreshHosted()
	f.rejectHosted(func(status *updatev1alpha1.HostedClusterUpdateStatusStatus) field.ErrorList {
		if !status.Summary.ObservedAt.Equal(before.Status.Summary.ObservedAt) {
			return field.ErrorList{field.Invalid(field.NewPath("status", "summary", "observedAt"), "x", "no other time")}
		}
		return nil
	})
	f.passTime(time.Minute)
	if _, err := f.sync(t.Context()); !apierrors.IsInvalid(err) {
		t.Fatalf("got the error %v", err)
	}
	after := f.refreshHosted()
	available := meta.FindStatusCondition(after.Status.Conditions, updatev1alpha1.ConditionAvailable)
	if available == nil || available.Reason != updatev1alpha1.ReasonRejected {
		t.Errorf("the condition is %+v", available)
	}
	if diff := cmp.Diff(before.Status.Summary, after.Status.Summary); diff != "" {
		t.Errorf("summary (-before +after):\n%s", diff)
	}
}
