package promql

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/util/teststorage"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	metadatafake "k8s.io/client-go/metadata/fake"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/component-base/metrics/legacyregistry"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/openshift/library-go/pkg/operator/events"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/fake"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/controller"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/publish"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/fakeapi"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// The update is requested at the start. A node does not drain, which stalls the pool of workers when that has lasted for an hour.
var (
	start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	end   = start.Add(150 * time.Minute)
)

// scrapeInterval is that of the played Prometheus: twice as long as the real one, which is a moment less to play.
const scrapeInterval = time.Minute

// target are the labels that Prometheus adds to what it scrapes from a cluster's controller, and hostedTarget those of a hosted cluster's,
// which serves the same metrics, with those of its process (prometheus-operator, pkg/prometheus/promcfg.go, generateServiceMonitorConfig and generatePodMonitorConfig).
var (
	target = map[string]string{
		"job": "update-status-controller", "namespace": "openshift-update-status-controller", "pod": "a", "service": "update-status-controller",
		"endpoint": "metrics", "container": "update-status-controller", "instance": "10.128.0.1:9001",
	}
	hostedTarget = map[string]string{
		"job": "clusters-east/update-status-controller", "namespace": "clusters", "name": "east", "pod": "a", "_id": "c1",
		"endpoint": "metrics", "container": "update-status-controller", "instance": "10.128.0.2:9001",
	}
)

// stored returns a Prometheus' storage with the metrics of the update. It is filled once.
func stored(t *testing.T) *teststorage.TestStorage {
	t.Helper()
	storage := teststorage.New(t)
	t.Cleanup(func() { _ = storage.Close() })
	appender := storage.Appender(t.Context())
	for _, one := range samples() {
		for _, added := range []map[string]string{target, hostedTarget} {
			all := maps.Clone(added)
			for name, value := range one.Metric {
				all[string(name)] = string(value)
			}
			if _, err := appender.Append(0, labels.FromMap(all), int64(one.Timestamp), float64(one.Value)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := appender.Commit(); err != nil {
		t.Fatal(err)
	}
	return storage
}

// samples plays the update, and returns what the controller serves each minute, with what its process serves.
var samples = sync.OnceValue(func() model.Vector {
	played := newPlayed()
	var all model.Vector
	for now := start.Add(-2 * time.Minute); !now.After(end); now = now.Add(scrapeInterval) {
		all = append(all, played.scrape(now)...)
	}
	return all
})

// playedUpdate is an update, the object in the cluster, and the metrics of the process.
type playedUpdate struct {
	update  *played.Update
	client  *fake.Clientset
	clock   *clocktesting.FakePassiveClock
	metrics *controller.Metrics
}

func newPlayed() *playedUpdate {
	metrics := controller.NewMetrics(nil)
	metrics.Register(legacyregistry.MustRegister, legacyregistry.CustomMustRegister)
	return &playedUpdate{
		update: played.New(simulator.Update{
			Seed: 1, Start: start, Acceptance: 3 * time.Minute, AtLeast: 3 * time.Hour,
			Blocked: map[string]bool{simulator.NodeName("worker", 0): true},
		}),
		client: fake.NewSimpleClientset(), clock: clocktesting.NewFakePassiveClock(start), metrics: metrics,
	}
}

// scrape plays the update to a moment, and returns what the process serves then. The controller is a new one each time, as after a
// restart: its first build has the reports of all sources.
func (p *playedUpdate) scrape(now time.Time) model.Vector {
	p.clock.SetTime(now)
	p.update.To(now)
	ctx, stop := context.WithCancel(context.Background())
	informer := p.informer()
	last, built := &atomic.Pointer[update.Built]{}, make(chan struct{})
	made := controller.New(controller.Input{
		Clock: p.clock, Pace: p.clock, Store: publish.Standalone(fakeapi.Client(p.client)).Statuses, Name: updatev1alpha1.SingletonName,
		Informer: informer, Recorder: events.NewInMemoryRecorder("test", p.clock), Events: events.NewInMemoryRecorder("test", p.clock),
		Metrics: p.metrics, Built: last, OnBuild: sync.OnceFunc(func() { close(built) }), OnUpdateChange: func() {},
		History: func() estimate.History { return nil },
		Summary: func() *updatev1alpha1.UpdateStatusSummaryStatus {
			if built := last.Load(); built != nil {
				return summary.Of(summary.Input{Update: built.Update, Now: built.At})
			}
			return nil
		},
		Renewals: func(updatev1alpha1.UpdateStatusSpec) map[types.NamespacedName]time.Time { return nil },
	})
	var running sync.WaitGroup
	running.Go(func() { informer.Run(ctx.Done()) })
	running.Go(func() { made.Run(ctx) })
	for _, message := range p.update.Messages(now) {
		if err := made.Send(ctx, message); err != nil {
			panic(err) // the context has not ended
		}
	}
	<-built
	families, err := legacyregistry.DefaultGatherer.Gather()
	stop()
	running.Wait()
	if err != nil {
		panic(err)
	}
	scraped, err := expfmt.ExtractSamples(&expfmt.DecodeOptions{Timestamp: model.TimeFromUnixNano(now.UnixNano())}, families...)
	if err != nil {
		panic(err)
	}
	return scraped
}

// informer returns an informer with the metadata of the object as it is stored.
func (p *playedUpdate) informer() cache.SharedIndexInformer {
	scheme := metadatafake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		panic(err)
	}
	var objects []runtime.Object
	if object, err := p.client.UpdateV1alpha1().UpdateStatuses().Get(context.Background(), updatev1alpha1.SingletonName, metav1.GetOptions{}); err == nil {
		objects = append(objects, &metav1.PartialObjectMetadata{
			TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateStatus"},
			ObjectMeta: object.ObjectMeta,
		})
	}
	return metadatainformer.NewFilteredMetadataInformer(metadatafake.NewSimpleMetadataClient(scheme, objects...),
		updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses"), metav1.NamespaceAll, 0, cache.Indexers{}, nil).Informer()
}
