package controlplane

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/builders"
)

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// bench is a controller on caches that the test fills by hand.
type bench struct {
	*Controller

	versions, operators, deployments cache.Indexer
	clock                            *clocktesting.FakePassiveClock
	sent                             []insight.Message
	refuse                           error
	// failing is the state of the watches, nil while they work.
	failing *insight.State
	// target is that of the last message which said that everything was reported.
	target string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	informer := func(kind runtime.Object) cache.SharedIndexInformer {
		return cache.NewSharedIndexInformer(&cache.ListWatch{}, kind, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	}
	versions, operators, deployments := informer(&configv1.ClusterVersion{}), informer(&configv1.ClusterOperator{}), informer(&appsv1.Deployment{})
	made := &bench{
		versions: versions.GetIndexer(), operators: operators.GetIndexer(), deployments: deployments.GetIndexer(),
		clock: clocktesting.NewFakePassiveClock(start.Add(10 * time.Minute)),
	}
	var err error
	made.Controller, err = New(Input{
		Clock: made.clock, ClusterVersions: versions, ClusterOperators: operators, Deployments: deployments,
		Recorder:   events.NewInMemoryRecorder("test", made.clock),
		WatchState: func() *insight.State { return made.failing },
		Send: func(_ context.Context, message insight.Message) error {
			if made.refuse == nil {
				made.sent = append(made.sent, message)
			}
			return made.refuse
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(made.context.Queue().ShutDown)
	return made
}

func put(t *testing.T, into cache.Indexer, objects ...any) {
	t.Helper()
	for _, object := range objects {
		if err := into.Update(object); err != nil {
			t.Fatal(err)
		}
	}
}

// syncContext is a sync context with a key, which keeps what is queued for later.
type syncContext struct {
	factory.SyncContext
	workqueue.RateLimitingInterface

	key   string
	later map[any]time.Duration
}

func (s *syncContext) QueueKey() string                       { return s.key }
func (s *syncContext) Queue() workqueue.RateLimitingInterface { return s }
func (s *syncContext) AddAfter(key any, after time.Duration)  { s.later[key] = after }

// run syncs a key, and returns what was sent as a line: kinds and names, a minus for what is taken back, ! for complete.
func (b *bench) run(t *testing.T, key string) (string, map[any]time.Duration) {
	t.Helper()
	b.sent = nil
	context := &syncContext{key: key, later: map[any]time.Duration{}}
	if err := b.sync(t.Context(), context); err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, message := range b.sent {
		for _, report := range message.Reports {
			word := report.Subject.Name
			if len(report.Insights) == 0 {
				word = "-" + word
			}
			words = append(words, word)
		}
		slices.Sort(words)
		if message.State != nil && message.State.Complete {
			words = append(words, "!")
			b.target = message.State.Target
		}
	}
	return strings.Join(words, " "), context.later
}

func updating() *configv1.ClusterVersion {
	return builders.ClusterVersion(
		builders.Completed("4.20.1", start.Add(-24*time.Hour), start.Add(-23*time.Hour)),
		builders.Partial("4.20.2", start),
		builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, configv1.ConditionTrue, start, "", "")),
	)
}

// TestReportsTheTarget checks that the other sources are waited for when an update starts.
func TestReportsTheTarget(t *testing.T) {
	b := newBench(t)
	put(t, b.versions, updating())
	b.run(t, allKey)
	if b.target != "4.20.2" {
		t.Errorf("reported the target %q", b.target)
	}
}

func TestSync(t *testing.T) {
	b := newBench(t)
	etcd := builders.ClusterOperator("etcd", builders.OperatorVersion("4.20.2"), builders.Healthy(start))
	dns := builders.ClusterOperator("dns", builders.OperatorVersion("4.20.1"), builders.Healthy(start))
	theirs := builders.ClusterOperator("theirs", builders.ThirdParty())
	put(t, b.versions, updating())
	put(t, b.operators, etcd, dns, theirs)

	for _, step := range []struct {
		name, key, want string
		before          func()
	}{
		{"the first key assesses everything", "clusteroperator/etcd", "-theirs dns etcd version !", nil},
		{"an operator and the control plane", "clusteroperator/etcd", "etcd version", nil},
		{"the control plane by the clock", clusterVersion, "version", nil},
		{"an operator that has changed meanwhile, which the control plane counts", "clusteroperator/etcd", "dns etcd version", func() {
			put(t, b.operators, dns.DeepCopy())
		}},
		{"all, as the ClusterVersion has changed meanwhile", "clusteroperator/etcd", "-theirs dns etcd version !", func() {
			put(t, b.versions, updating())
		}},
		{"a deleted operator", "clusteroperator/dns", "-dns version", func() {
			if err := b.operators.Delete(dns); err != nil {
				t.Fatal(err)
			}
		}},
		{"the factory's own key", allKey, "-theirs etcd version !", nil},
		{"no ClusterVersion", allKey, "-theirs -version etcd !", func() {
			if err := b.versions.Delete(updating()); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		if step.before != nil {
			step.before()
		}
		if got, _ := b.run(t, step.key); got != step.want {
			t.Errorf("%s: sent %q, want %q", step.name, got, step.want)
		}
	}
}

func TestNextCheckOfEstimate(t *testing.T) {
	b := newBench(t)
	put(t, b.versions, updating())
	put(t, b.operators, builders.ClusterOperator("etcd", builders.OperatorVersion("4.20.1"), builders.Healthy(start.Add(time.Minute))))
	b.clock.SetTime(start.Add(time.Hour - 30*time.Second))
	_, later := b.run(t, allKey)
	want := map[any]time.Duration{clusterVersion: 30*time.Second + time.Millisecond}
	if diff := cmp.Diff(want, later); diff != "" {
		t.Errorf("queued for later (-want +got):\n%s", diff)
	}
	b.clock.SetTime(start.Add(2 * time.Hour))
	if _, later = b.run(t, clusterVersion); len(later) != 0 {
		t.Errorf("a stalled update is assessed again: %v", later)
	}
}

func TestCompleteOnlyWhenSent(t *testing.T) {
	b := newBench(t)
	put(t, b.versions, updating())
	b.refuse = errors.New("stopping")
	if err := b.sync(t.Context(), &syncContext{key: allKey}); !errors.Is(err, b.refuse) {
		t.Errorf("error %v", err)
	}
	b.refuse = nil
	if got, _ := b.run(t, "clusteroperator/etcd"); got != "version !" {
		t.Errorf("sent %q: everything was never reported", got)
	}
}

// TestFailingWatches: only that is reported, once, and everything after it, also what was deleted meanwhile.
func TestFailingWatches(t *testing.T) {
	b := newBench(t)
	etcd, dns := builders.ClusterOperator("etcd"), builders.ClusterOperator("dns")
	put(t, b.versions, updating())
	put(t, b.operators, etcd, dns)
	b.run(t, allKey)
	b.failing = &insight.State{Reason: "CannotListClusterOperators"}
	if err := b.operators.Delete(dns); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{1, 0} {
		if got, later := b.run(t, allKey); got != "" || len(b.sent) != want || len(later) > 0 || want > 0 && *b.sent[0].State != *b.failing {
			t.Errorf("sent %q, %v", got, b.sent)
		}
	}
	b.failing = nil
	if got, _ := b.run(t, "clusteroperator/etcd"); got != "-dns etcd version !" {
		t.Errorf("sent %q", got)
	}
}

func TestKeysFor(t *testing.T) {
	operator := builders.ClusterOperator("etcd")
	for name, test := range map[string]struct {
		object any
		want   []string
	}{
		"operator":        {operator, []string{"clusteroperator/etcd"}},
		"tombstone":       {cache.DeletedFinalStateUnknown{Key: "etcd", Obj: operator}, []string{"clusteroperator/etcd"}},
		"cluster version": {updating(), []string{allKey}},
		"deployment":      {&appsv1.Deployment{}, []string{allKey}},
	} {
		if diff := cmp.Diff(test.want, keysFor(test.object)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestHandler(t *testing.T) {
	var queued []string
	events := handler(func(key string) { queued = append(queued, key) })
	trimmed := func(object any) any {
		made, err := assess.Trim(object)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	etcd := builders.ClusterOperator("etcd", builders.Healthy(start))
	again := etcd.DeepCopy()
	again.ResourceVersion = "2"
	again.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "someone"}}
	events.OnUpdate(trimmed(etcd), trimmed(again))
	if len(queued) != 0 {
		t.Errorf("queued %v for a change that nothing reads", queued)
	}
	builders.Progressing(start, "", "")(again)
	events.OnUpdate(trimmed(etcd), trimmed(again))
	events.OnAdd(trimmed(etcd), true)
	events.OnDelete(cache.DeletedFinalStateUnknown{Key: "dns", Obj: builders.ClusterOperator("dns")})
	if diff := cmp.Diff([]string{"clusteroperator/etcd", "clusteroperator/etcd", "clusteroperator/dns"}, queued); diff != "" {
		t.Errorf("queued (-want +got):\n%s", diff)
	}
}

// TestTrimKeepsWhatIsAssessed compares reports from full and from trimmed objects.
func TestTrimKeepsWhatIsAssessed(t *testing.T) {
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: assess.MachineConfigOperatorNamespace, Name: assess.MachineConfigOperatorDeployment}}
	deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "machine-config-operator", Image: "b", Command: []string{"start"}}}
	objects := []any{
		updating(), deployment,
		builders.ClusterOperator("machine-config", builders.OperatorVersion("4.20.2"), builders.OperandVersion("operator-image", "a"), builders.Healthy(start)),
		builders.ClusterOperator("theirs", builders.ThirdParty()),
	}
	report := func(trim bool) []insight.Message {
		b := newBench(t)
		for _, object := range objects {
			if trim {
				var err error
				if object, err = assess.Trim(object.(runtime.Object).DeepCopyObject()); err != nil {
					t.Fatal(err)
				}
			}
			switch object.(type) {
			case *configv1.ClusterVersion:
				put(t, b.versions, object)
			case *configv1.ClusterOperator:
				put(t, b.operators, object)
			default:
				put(t, b.deployments, object)
			}
		}
		b.run(t, allKey)
		slices.SortFunc(b.sent[0].Reports, func(a, b insight.Report) int { return strings.Compare(a.Subject.Name, b.Subject.Name) })
		return b.sent
	}
	if diff := cmp.Diff(report(false), report(true)); diff != "" {
		t.Errorf("reports (-full +trimmed):\n%s", diff)
	}
}
