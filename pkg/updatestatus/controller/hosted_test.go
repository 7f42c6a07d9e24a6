package controller

import (
	"context"
	"errors"
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
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/fake"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/publish"
	"github.com/openshift/cluster-version-operator/test/updatestatus/fakeapi"
)

var (
	hostedName  = types.NamespacedName{Namespace: "clusters", Name: "east"}
	hostedOwner = metav1.OwnerReference{APIVersion: "hypershift.openshift.io/v1beta1", Kind: "HostedCluster", Name: "east", UID: "u"}
	// hostedLabels are those of the metrics of its controller.
	hostedLabels = map[string]string{"namespace": "clusters", "name": "east"}
	hostedRef    = updatev1alpha1.ResourceRef{Resource: "hostedclusters", Name: "east"}
)

// newHostedFixture returns a fixture whose controller writes the object of a hosted cluster.
func newHostedFixture(t *testing.T, reference func(context.Context) (metav1.OwnerReference, error)) *fixture {
	t.Helper()
	client := newHostedClient()
	clock := clocktesting.NewFakePassiveClock(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC))
	informer := cache.NewSharedIndexInformer(&cache.ListWatch{}, &metav1.PartialObjectMetadata{}, 0, cache.Indexers{})
	f := &fixture{
		t: t, client: client, informer: informer, cache: informer.GetIndexer(), clock: clock, recorder: events.NewInMemoryRecorder("test", clock),
	}
	owner := publish.Owner{NamespacedName: hostedName, Reference: reference}
	f.Controller = New(alone(Input{
		Clock: clock, Pace: clock, Store: publish.Hosted(fakeapi.Client(client), owner, hostedRef).Statuses, Namespace: hostedName.Namespace, Name: hostedName.Name,
		Informer: informer, Recorder: events.NewInMemoryRecorder("test", clock), Events: f.recorder, Metrics: NewMetrics(hostedLabels),
	}))
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

// ownedBy returns a function that returns a reference.
func ownedBy(owner metav1.OwnerReference, err error) func(context.Context) (metav1.OwnerReference, error) {
	return func(context.Context) (metav1.OwnerReference, error) { return owner, err }
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
func settledHosted(t *testing.T) *fixture {
	t.Helper()
	f := newHostedFixture(t, ownedBy(hostedOwner, nil))
	f.sendComplete()
	f.send(poolMessage("a"))
	f.mustSync(0)
	f.expectWrites("create", "update status")
	return f
}

// TestHostedIsCreated: the object has its owner, and one write brings its status.
func TestHostedIsCreated(t *testing.T) {
	f := settledHosted(t)
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
	f.passTime(time.Hour)
	f.mustSync(0)
	f.expectWrites()
}

// TestHostedMetrics: every metric names the hosted cluster, whichever its kind.
func TestHostedMetrics(t *testing.T) {
	f := settledHosted(t)
	f.refreshHosted()
	families, err := registryOf(t, f).Gather()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]bool{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			labels := map[string]string{}
			for _, label := range metric.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			if labels["namespace"] != "clusters" || labels["name"] != "east" {
				t.Errorf("%s has the labels %v", family.GetName(), labels)
			}
			of[family.GetName()+"/"+labels["pool"]] = true
		}
	}
	for _, want := range []string{
		"update_status_available/", "update_status_pool_stalled/a", writesDefinition.Name + "/", bytesDefinition.Name + "/",
		durationDefinition.Name + "/", lagDefinition.Name + "/",
	} {
		if !of[want] {
			t.Errorf("there is no %s", want)
		}
	}
}

// TestHostedIsRepaired: what others change in the status is written again.
func TestHostedIsRepaired(t *testing.T) {
	for name, edit := range map[string]func(*updatev1alpha1.HostedClusterUpdateStatusStatus){
		"node pools": func(s *updatev1alpha1.HostedClusterUpdateStatusStatus) { s.NodePools = nil },
		"everything": func(s *updatev1alpha1.HostedClusterUpdateStatusStatus) {
			*s = updatev1alpha1.HostedClusterUpdateStatusStatus{}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := settledHosted(t)
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
			if diff := cmp.Diff(want.Status, f.refreshHosted().Status); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestHostedIsCreatedAgain(t *testing.T) {
	f := settledHosted(t)
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

func TestHostedFails(t *testing.T) {
	notFound := apierrors.NewNotFound(updatev1alpha1.Resource("hostedclusters"), "east")
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"no HostedCluster":            {notFound, "there is no HostedCluster clusters/east that the object would be about"},
		"HostedCluster can't be read": {errors.New("refused"), "reading HostedCluster clusters/east: refused"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newHostedFixture(t, ownedBy(metav1.OwnerReference{}, test.err))
			f.sendComplete()
			_, err := f.sync(t.Context())
			if err == nil || err.Error() != "creating HostedClusterUpdateStatus/clusters/east: "+test.want || apierrors.IsNotFound(err) {
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
	f := settledHosted(t)
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
