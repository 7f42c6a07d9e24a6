package nodes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"
	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/test/builders"
)

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// bench is a controller on caches that the test fills by hand. Changes go through the controller's own event handlers:
// keys holds what they queued.
type bench struct {
	*Controller

	versions, pools, configs, nodes, machineConfigNodes cache.Indexer
	handler                                             cache.ResourceEventHandler
	keys                                                []string
	ledger                                              *ledger.Ledger
	clock                                               *clocktesting.FakePassiveClock
	later                                               map[any]time.Duration
	sent                                                []insight.Message
	refuse                                              error
	drains                                              *fakeDrains
	// drainStarts is what the object held of drains, drainStartsRead how often it was read, and drainStartsErr why it can't be.
	drainStarts     map[string]time.Time
	drainStartsRead int
	drainStartsErr  error
	// drainFailures is what the object held of what drains failed with.
	drainFailures map[string]string
	// failing is the state of the watches, nil while they work.
	failing *insight.State
}

// fakeDrains has what a test puts into it.
type fakeDrains struct {
	read   map[string]*drain.Blockers
	wanted map[string]bool
}

func (f *fakeDrains) Blockers(node string, now time.Time) (*drain.Blockers, time.Time) {
	f.wanted[node] = true
	return f.read[node], now.Add(time.Minute)
}

func (f *fakeDrains) Forget(node string) { delete(f.wanted, node) }

func (f *fakeDrains) Run(ctx context.Context, _ func(string)) { <-ctx.Done() }

func newBench(t interface{ Cleanup(end func()) }) *bench {
	informer := func(kind runtime.Object) cache.SharedIndexInformer {
		return cache.NewSharedIndexInformer(&cache.ListWatch{}, kind, 0, cache.Indexers{})
	}
	versions, pools := informer(&configv1.ClusterVersion{}), informer(&machineconfigv1.MachineConfigPool{})
	configs, nodes := informer(&metav1.PartialObjectMetadata{}), informer(&corev1.Node{})
	machineConfigNodes := informer(&machineconfigv1.MachineConfigNode{})
	made := &bench{
		versions: versions.GetIndexer(), pools: pools.GetIndexer(), configs: configs.GetIndexer(), nodes: nodes.GetIndexer(),
		machineConfigNodes: machineConfigNodes.GetIndexer(),
		ledger:             ledger.New(), clock: clocktesting.NewFakePassiveClock(start), later: map[any]time.Duration{},
		drains: &fakeDrains{read: map[string]*drain.Blockers{}, wanted: map[string]bool{}}, drainStarts: map[string]time.Time{},
	}
	var err error
	made.Controller, err = New(Input{
		Clock: made.clock, ClusterVersions: versions, MachineConfigPools: pools, MachineConfigs: configs, Nodes: nodes,
		MachineConfigNodes: machineConfigNodes,
		Recorder:           events.NewInMemoryRecorder("test", clocktesting.NewFakePassiveClock(start)),
		Send: func(_ context.Context, message insight.Message) error {
			if made.refuse == nil {
				made.sent = append(made.sent, message)
				made.ledger.Apply(message)
			}
			return made.refuse
		},
		Drains: made.drains,
		PreviousDrainStarts: func(context.Context) (map[string]time.Time, error) {
			made.drainStartsRead++
			return made.drainStarts, made.drainStartsErr
		},
		PreviousDrainFailures: func(context.Context) (map[string]string, error) { return made.drainFailures, nil },
		WatchState:            func() *insight.State { return made.failing },
	})
	if err != nil {
		panic(err) // no informer has been stopped
	}
	t.Cleanup(made.context.Queue().ShutDown)
	made.handler = made.changes.handler(func(key string) { made.keys = append(made.keys, key) })
	return made
}

// put adds or changes an object as an informer does.
func (b *bench) put(object runtime.Object) {
	trimmed, _ := assess.Trim(object.DeepCopyObject())
	into := b.cacheOf(object)
	before, found, _ := into.Get(trimmed)
	_ = into.Update(trimmed)
	if found {
		b.handler.OnUpdate(before, trimmed)
	} else {
		b.handler.OnAdd(trimmed, false)
	}
}

func (b *bench) remove(object runtime.Object) {
	into := b.cacheOf(object)
	before, found, _ := into.Get(object)
	if found {
		_ = into.Delete(before)
		b.handler.OnDelete(cache.DeletedFinalStateUnknown{Obj: before})
	}
}

func (b *bench) cacheOf(object runtime.Object) cache.Indexer {
	switch object.(type) {
	case *configv1.ClusterVersion:
		return b.versions
	case *machineconfigv1.MachineConfigPool:
		return b.pools
	case *metav1.PartialObjectMetadata:
		return b.configs
	case *machineconfigv1.MachineConfigNode:
		return b.machineConfigNodes
	default:
		return b.nodes
	}
}

// keyed is a sync context with a key, which keeps what is queued for later.
type keyed struct {
	factory.SyncContext
	workqueue.RateLimitingInterface

	key   string
	later map[any]time.Duration
}

func (k keyed) QueueKey() string                       { return k.key }
func (k keyed) Queue() workqueue.RateLimitingInterface { return k }
func (k keyed) AddAfter(key any, after time.Duration)  { k.later[key] = after }

// run syncs what was queued, each key once, and returns what was sent as a line: names, a minus for what was deleted,
// ! for complete.
func (b *bench) run(t fatal) string {
	b.sent = nil
	keys := slices.Compact(slices.Sorted(slices.Values(b.keys)))
	b.keys = nil
	for _, key := range keys {
		if err := b.sync(context.Background(), keyed{key: key, later: b.later}); err != nil {
			t.Fatal(err)
		}
	}
	var words []string
	for _, message := range b.sent {
		var each []string
		for _, report := range message.Reports {
			word := report.Subject.Name
			if len(report.Insights) == 0 {
				word = "-" + word
			}
			each = append(each, word)
		}
		slices.Sort(each)
		if message.State != nil && message.State.Complete {
			each = append(each, "!")
		}
		words = append(words, each...)
	}
	return strings.Join(words, " ")
}

type fatal interface{ Fatal(...any) }

func updating(target string) *configv1.ClusterVersion {
	return builders.ClusterVersion(
		builders.Completed("4.20.1", start.Add(-24*time.Hour), start.Add(-23*time.Hour)), builders.Partial(target, start),
		builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, configv1.ConditionTrue, start, "", "")),
	)
}

func config(name, version string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Name: name, Annotations: map[string]string{assess.ReleaseVersionAnnotation: version, "other": "large"},
	}}
}

func worker(name string, options ...builders.NodeOption) *corev1.Node {
	return builders.Node(name, append([]builders.NodeOption{builders.Role("worker"), builders.Configs("old", "old")}, options...)...)
}

func filled(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	for _, object := range []runtime.Object{
		updating("4.20.2"), config("old", "4.20.1"), config("new", "4.20.2"),
		builders.MachineConfigPool("worker", builders.Configuration("new")), builders.MachineConfigPool("infra", builders.Configuration("new")),
		worker("a"), worker("b"), builders.Node("stray"),
	} {
		b.put(object)
	}
	b.keys = b.keys[:1]
	if got := b.run(t); got != "-stray a b infra worker !" {
		t.Fatalf("the first key assesses everything: sent %q", got)
	}
	return b
}

func TestSync(t *testing.T) {
	b := filled(t)
	begun := worker("a", builders.Configs("old", "new"), builders.State("Working"))
	rebooting := builders.Step(machineconfigv1.MachineConfigNodeUpdateRebooted, metav1.ConditionUnknown, start, "Upgrade requires a reboot.")
	for _, step := range []struct {
		name   string
		change func()
		want   string
	}{
		{"a node and its pool", func() { b.put(begun) }, "a worker"},
		{"a key of a node that was assessed", func() { b.keys = []string{"node/a"} }, ""},
		{"a heartbeat", func() {
			beating := begun.DeepCopy()
			beating.ResourceVersion = "2"
			beating.Status.Conditions[0].LastHeartbeatTime = metav1.NewTime(start)
			beating.Status.Images = []corev1.ContainerImage{{Names: []string{"image"}}}
			b.put(beating)
		}, ""},
		{"a node that counts as before", func() {
			b.put(worker("b", builders.Annotation(assess.LastAppliedDrainAnnotation, "uncordon-old")))
		}, "b"},
		{"a step of a node", func() { b.put(builders.MachineConfigNode("b", "old", rebooting)) }, "b"},
		{"the same step, written again", func() {
			b.put(builders.MachineConfigNode("b", "old", rebooting, builders.Drained(metav1.ConditionFalse, start, "Node Drain Not required")))
		}, ""},
		{"the MachineConfigNode of a node that is not known", func() { b.put(builders.MachineConfigNode("unknown", "old", rebooting)) }, ""},
		{"a deleted MachineConfigNode", func() { b.remove(builders.MachineConfigNode("b", "old")) }, "b"},
		{"to another pool", func() { b.put(worker("b", builders.Role("infra"))) }, "b infra worker"},
		{"out of every pool", func() { b.put(builders.Node("b")) }, "-b infra"},
		{"a deleted node", func() { b.remove(begun) }, "-a worker"},
		{"a node that was deleted before", func() { b.keys = []string{"node/a"} }, ""},
		{"a new node", func() { b.put(worker("c")) }, "c worker"},
		{"the status of a pool", func() {
			pool := builders.MachineConfigPool("worker", builders.Configuration("new"))
			pool.Status.ReadyMachineCount = 7
			b.put(pool)
		}, ""},
		{"a pool that updates more nodes at once", func() {
			b.put(builders.MachineConfigPool("worker", builders.Configuration("new"), builders.MaxUnavailable(2)))
		}, "c worker"},
		{"a paused pool", func() { b.put(builders.MachineConfigPool("worker", builders.Configuration("new"), builders.Paused())) }, "c worker"},
		{"a pool with another selector", func() {
			b.put(builders.MachineConfigPool("infra", builders.Configuration("new"), builders.Selector(&metav1.LabelSelector{MatchLabels: map[string]string{"rack": "7"}})))
		}, "-b -stray c infra worker !"},
		{"a deleted pool", func() { b.remove(builders.MachineConfigPool("infra")) }, "-b -infra -stray c worker !"},
		{"a MachineConfig with the same version", func() {
			again := config("new", "4.20.2")
			again.Annotations["other"] = "changed"
			b.put(again)
		}, ""},
		{"a MachineConfig of no node", func() { b.put(config("other", "4.20.1")) }, ""},
		{"a MachineConfig of a node", func() { b.put(config("old", "4.20.0")) }, "c"},
		{"a MachineConfig with another version", func() { b.put(config("new", "4.20.3")) }, "-b -stray c worker !"},
		{"a step of the update", func() {
			version := updating("4.20.2")
			version.Status.Conditions[0].Message = "85 % done"
			b.put(version)
		}, ""},
		{"another update", func() { b.put(updating("4.20.3")) }, "-b -stray c worker !"},
	} {
		step.change()
		if got := b.run(t); got != step.want {
			t.Errorf("%s: sent %q, want %q", step.name, got, step.want)
		}
	}
}

// TestChecksAgainByTheClock: a node that is not ready, and sends no event any more, is assessed when it has been so for
// long enough, and not before.
func TestChecksAgainByTheClock(t *testing.T) {
	b := filled(t)
	b.put(worker("a", builders.NotReady(start)))
	b.run(t)
	if diff := cmp.Diff(map[any]time.Duration{"node/a": 5*time.Minute + time.Millisecond}, b.later); diff != "" {
		t.Errorf("queued for later (-want +got):\n%s", diff)
	}
	for _, step := range []struct {
		at   time.Duration
		want string
	}{
		{4 * time.Minute, ""}, // the timer was early: it is set again
		{5*time.Minute + time.Second, "a worker"},
		{6 * time.Minute, ""},
	} {
		b.clock.SetTime(start.Add(step.at))
		b.keys, b.later = []string{"node/a"}, map[any]time.Duration{}
		if got := b.run(t); got != step.want && got != strings.TrimSuffix(step.want, " worker") {
			t.Errorf("after %s: sent %q, want %q", step.at, got, step.want)
		}
		if early := step.at < 5*time.Minute; early != (len(b.later) == 1) {
			t.Errorf("after %s: queued for later %v", step.at, b.later)
		}
	}
}

// TestAssessmentFailure: after an assessment that ended half way everything is assessed, whatever the key.
func TestAssessmentFailure(t *testing.T) {
	b := filled(t)
	b.drainStartsErr = errors.New("broken")
	b.put(drainingWorker("c"))
	b.put(config("new", "4.20.3"))
	b.put(updating("4.20.3"))
	b.keys, b.sent = nil, nil
	if err := b.sync(t.Context(), keyed{key: pendingChangesKey, later: b.later}); err == nil {
		t.Fatal("assessed a drain without its previous start")
	}
	b.drainStartsErr = nil
	b.keys = []string{pendingChangesKey}
	if got := b.run(t); got != "-stray a b c infra worker !" {
		t.Errorf("sent %q", got)
	}
}

// TestFailingWatches: only that is reported, once, and everything after it, also what was deleted meanwhile.
func TestFailingWatches(t *testing.T) {
	b := filled(t)
	b.failing = &insight.State{Reason: "CannotListNodes"}
	for _, want := range []int{1, 0} {
		b.remove(worker("b"))
		b.put(worker("a", builders.NotReady(start)))
		b.keys = append(b.keys, allKey, pendingChangesKey)
		if got := b.run(t); got != "" || len(b.sent) != want || want > 0 && *b.sent[0].State != *b.failing {
			t.Errorf("sent %q, %v", got, b.sent)
		}
	}
	b.failing = nil
	b.keys = []string{"node/a"}
	if got := b.run(t); got != "-b -stray a infra worker !" {
		t.Errorf("sent %q", got)
	}
	b.failing = &insight.State{Reason: "CannotListNodes"}
	b.keys = []string{allKey}
	b.run(t)
	if len(b.sent) != 1 {
		t.Errorf("sent %v when watches failed again", b.sent)
	}
}

func TestSendFailure(t *testing.T) {
	b := filled(t)
	b.put(worker("a", builders.Configs("old", "new"), builders.State("Working")))
	b.refuse = errors.New("stopping")
	if err := b.sync(t.Context(), keyed{key: "node/a"}); !errors.Is(err, b.refuse) {
		t.Errorf("error %v", err)
	}
	b.refuse = nil
	if got := b.run(t); got != "-stray a b infra worker !" {
		t.Errorf("sent %q", got)
	}
}

// TestIncrementalStates changes a cluster at random: what was reported step by step is what an assessment of
// the whole cluster says in the end.
func TestIncrementalStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := newBench(t)
		b.keys = append(b.keys, allKey)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			object := drawObject(t)
			if rapid.IntRange(0, 4).Draw(t, "remove") == 0 {
				b.remove(object)
			} else {
				b.put(object)
			}
			if rapid.Bool().Draw(t, "sync") {
				b.run(t)
			}
		}
		b.run(t)

		whole := ledger.New()
		whole.Apply(assess.Cluster(b.cluster(), start)[1])
		if diff := cmp.Diff(insights(whole), insights(b.ledger)); diff != "" {
			t.Errorf("insights (-whole +step by step):\n%s", diff)
		}
	})
}

func drawObject(t *rapid.T) runtime.Object {
	release := rapid.SampledFrom([]string{"4.20.1", "4.20.2"})
	name := rapid.SampledFrom([]string{"old", "new"})
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return updating(release.Draw(t, "target"))
	case 1:
		return config(name.Draw(t, "config"), release.Draw(t, "release"))
	case 2, 3:
		options := []builders.MachineConfigPoolOption{builders.Configuration(name.Draw(t, "configuration"))}
		if rapid.Bool().Draw(t, "paused") {
			options = append(options, builders.Paused())
		}
		if atOnce := rapid.IntRange(0, 3).Draw(t, "at once"); atOnce > 0 {
			options = append(options, builders.MaxUnavailable(atOnce))
		}
		return builders.MachineConfigPool(rapid.SampledFrom([]string{"worker", "infra", "master"}).Draw(t, "pool"), options...)
	default:
		options := []builders.NodeOption{
			builders.Role(rapid.SampledFrom([]string{"worker", "infra", "master", "edge"}).Draw(t, "role")),
			builders.Configs(name.Draw(t, "current"), name.Draw(t, "desired")),
			builders.State(rapid.SampledFrom([]string{"Done", "Working", "Degraded"}).Draw(t, "state")),
		}
		return builders.Node(fmt.Sprintf("node-%d", rapid.IntRange(0, 4).Draw(t, "node")), options...)
	}
}

func (b *bench) cluster() assess.ClusterInput {
	var in assess.ClusterInput
	for _, object := range slices.Concat(b.versions.List(), b.pools.List(), b.configs.List(), b.nodes.List()) {
		switch object := object.(type) {
		case *configv1.ClusterVersion:
			in.ClusterVersion = object
		case *machineconfigv1.MachineConfigPool:
			in.MachineConfigPools = append(in.MachineConfigPools, object)
		case *metav1.PartialObjectMetadata:
			in.MachineConfigs = append(in.MachineConfigs, object)
		case *corev1.Node:
			in.Nodes = append(in.Nodes, object)
		}
	}
	return in
}

func insights(of *ledger.Ledger) map[string]insight.ScopedInsight {
	byUID := map[string]insight.ScopedInsight{}
	for _, placed := range of.View()[insight.NodeInformer].Insights {
		byUID[placed.Insight.UID] = *placed
	}
	return byUID
}

// TestTrimmedNode shows what is left of a node, so that what a cluster of 5,000 costs is seen at a glance.
func TestTrimmedNode(t *testing.T) {
	full := worker("a", builders.NotReady(start), builders.Unschedulable(), builders.Annotation("large", strings.Repeat("x", 1000)))
	full.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubelet"}}
	full.Status.Conditions[0].LastHeartbeatTime = metav1.NewTime(start)
	full.Status.Conditions = append(full.Status.Conditions, corev1.NodeCondition{Type: "KernelDeadlock"})
	full.Status.Images = []corev1.ContainerImage{{SizeBytes: 1}}
	builders.CordonedSince(start)(full)
	cordon := full.Spec.Taints[0]
	full.Spec.Taints = append(full.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeNotReady})
	got, err := assess.Trim(full.DeepCopy())
	if err != nil {
		t.Fatal(err)
	}
	want := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: full.Labels, Annotations: map[string]string{
			assess.CurrentConfigAnnotation: "old", assess.DesiredConfigAnnotation: "old", assess.StateAnnotation: "Done",
		}},
		Spec:   corev1.NodeSpec{Unschedulable: true, Taints: []corev1.Taint{cordon}},
		Status: corev1.NodeStatus{Conditions: full.Status.Conditions[:1]},
	}
	want.Status.Conditions[0].LastHeartbeatTime = metav1.Time{}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("node (-want +got):\n%s", diff)
	}
}
