package hostedcluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/builders"
)

const (
	namespace, controlPlaneNamespace = "clusters", "clusters-east"
	versionA, versionB               = "4.22.3", "4.22.4"
)

var (
	start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	name  = types.NamespacedName{Namespace: namespace, Name: "east"}
)

// fixture are the two sources on caches that the test fills by hand.
type fixture struct {
	t                    *testing.T
	clock                *clocktesting.FakePassiveClock
	informers            Informers
	controlPlane, nodes  *Controller
	failing, unreachable *insight.State
	starts               map[string]time.Time
	refused              error
	sent                 []insight.Message
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	informer := func(kind runtime.Object) cache.SharedIndexInformer {
		return cache.NewSharedIndexInformer(&cache.ListWatch{}, kind, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	}
	f := &fixture{t: t, clock: clocktesting.NewFakePassiveClock(start), informers: Informers{
		HostedClusters: informer(&hypershiftv1beta1.HostedCluster{}), Components: informer(&hypershiftv1beta1.ControlPlaneComponent{}),
		NodePools: informer(&hypershiftv1beta1.NodePool{}), Machines: informer(&clusterapiv1beta1.Machine{}),
		MachineDeployments: informer(&clusterapiv1beta1.MachineDeployment{}), MachineSets: informer(&clusterapiv1beta1.MachineSet{}),
		ClusterOperators: informer(&configv1.ClusterOperator{}), Nodes: informer(&corev1.Node{}),
	}}
	f.restart()
	return f
}

// restart replaces the sources by new ones.
func (f *fixture) restart() {
	f.t.Helper()
	in := Input{
		Clock: f.clock, Name: name, Informers: f.informers, Recorder: events.NewInMemoryRecorder("test", f.clock),
		WatchState: func() *insight.State { return f.failing }, HostedState: func() *insight.State { return f.unreachable },
		PreviousStarts: func(context.Context) (map[string]time.Time, error) { return f.starts, f.refused },
		Send: func(_ context.Context, message insight.Message) error {
			if f.refused == nil {
				f.sent = append(f.sent, message)
			}
			return f.refused
		},
	}
	var err error
	if f.controlPlane, err = NewControlPlane(in); err != nil {
		f.t.Fatal(err)
	}
	if f.nodes, err = NewNodes(in); err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(f.controlPlane.context.Queue().ShutDown)
	f.t.Cleanup(f.nodes.context.Queue().ShutDown)
}

func set(t *testing.T, informer cache.SharedIndexInformer, object any) {
	t.Helper()
	if err := informer.GetStore().Update(object); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, informer cache.SharedIndexInformer, object any) {
	t.Helper()
	if err := informer.GetStore().Delete(object); err != nil {
		t.Fatal(err)
	}
}

func hostedCluster(version string) *hypershiftv1beta1.HostedCluster {
	hosted := &hypershiftv1beta1.HostedCluster{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "east"}}
	hosted.Spec.Release.Image = version
	entry := configv1.UpdateHistory{State: configv1.PartialUpdate, StartedTime: metav1.NewTime(start), Version: version, Image: version}
	hosted.Status.Version = &hypershiftv1beta1.VersionStatus{
		Desired: hypershiftv1beta1.DesiredRelease{Version: version, Image: version}, History: []configv1.UpdateHistory{entry, {
			State: configv1.CompletedUpdate, StartedTime: metav1.NewTime(start.Add(-time.Hour)), Version: versionA, Image: versionA,
			CompletionTime: &metav1.Time{Time: start.Add(-time.Minute)},
		}},
	}
	return hosted
}

func component(name, version string) *hypershiftv1beta1.ControlPlaneComponent {
	return &hypershiftv1beta1.ControlPlaneComponent{
		ObjectMeta: metav1.ObjectMeta{Namespace: controlPlaneNamespace, Name: name},
		Status:     hypershiftv1beta1.ControlPlaneComponentStatus{Version: version},
	}
}

func pool(name, cluster string) *hypershiftv1beta1.NodePool {
	pool := &hypershiftv1beta1.NodePool{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	pool.Spec.ClusterName = cluster
	pool.Spec.Management.UpgradeType = "InPlace"
	pool.Spec.Release.Image = versionB
	pool.Status.Version = versionA
	return pool
}

func (f *fixture) fill() *fixture {
	f.t.Helper()
	set(f.t, f.informers.HostedClusters, hostedCluster(versionB))
	set(f.t, f.informers.Components, component("etcd", versionA))
	set(f.t, f.informers.ClusterOperators, builders.ClusterOperator("network", builders.Healthy(start), builders.OperatorVersion(versionA)))
	set(f.t, f.informers.NodePools, pool("workers", "east"))
	set(f.t, f.informers.NodePools, pool("others", "west"))
	set(f.t, f.informers.MachineSets, machineSet("hash-b"))
	set(f.t, f.informers.Nodes, node("a", nil))
	return f
}

func machineSet(config string) *clusterapiv1beta1.MachineSet {
	version := versionB
	return &clusterapiv1beta1.MachineSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: controlPlaneNamespace, Name: "workers", Annotations: map[string]string{
				assess.TargetConfigAnnotation: config, assess.InProgressAnnotation: "",
			},
		},
		Spec: clusterapiv1beta1.MachineGroupSpec{Template: clusterapiv1beta1.MachineTemplate{Spec: clusterapiv1beta1.MachineSpec{Version: &version}}},
	}
}

func node(name string, annotations map[string]string) *corev1.Node {
	return builders.Node(name, func(node *corev1.Node) {
		node.Labels = map[string]string{assess.PoolKey: "workers"}
		node.Annotations = annotations
	})
}

// draining are the annotations of a node that drains for its update in place.
func draining() map[string]string {
	return map[string]string{
		assess.CurrentConfigAnnotation: "hash-a", assess.DesiredConfigAnnotation: "hash-b", assess.StateAnnotation: "Working",
		assess.DesiredDrainAnnotation: "drain-hash-b",
	}
}

// queueOf is a sync context that records the delays of what is queued.
type queueOf struct {
	factory.SyncContext
	workqueue.RateLimitingInterface

	delays []time.Duration
}

func (q *queueOf) Queue() workqueue.RateLimitingInterface { return q }
func (q *queueOf) AddAfter(_ any, delay time.Duration)    { q.delays = append(q.delays, delay) }

// sync syncs a source, and returns its message in short: the subjects, those without insights with a minus, and its state; and the
// delay of the next sync.
func (f *fixture) sync(c *Controller) (message string, delay time.Duration) {
	f.t.Helper()
	queue := &queueOf{}
	f.sent = nil
	if err := c.sync(f.t.Context(), queue); err != nil {
		f.t.Fatal(err)
	}
	if len(f.sent) == 0 {
		return "", 0
	}
	if len(queue.delays) > 0 {
		delay = queue.delays[0]
	}
	return short(f.sent[0]), delay
}

func short(message insight.Message) string {
	var words []string
	for _, report := range message.Reports {
		sign := ""
		if len(report.Insights) == 0 {
			sign = "-"
		}
		words = append(words, sign+report.Subject.Kind+"/"+report.Subject.Name)
	}
	slices.Sort(words)
	return fmt.Sprintf("%s: %s; %t %s", message.Source, strings.Join(words, " "), message.State.Complete, message.State.Reason)
}

const (
	allOfControlPlane = "control-plane-informer: ClusterOperator/network ControlPlaneComponent/etcd HostedCluster/east; true "
	allOfNodes        = "node-informer: Node/a NodePool/workers; true "
)

func (f *fixture) expect(c *Controller, want string) {
	f.t.Helper()
	if got, _ := f.sync(c); got != want {
		f.t.Errorf("sent %q, want %q", got, want)
	}
}

// TestSync: each source reports all of its objects at every sync, and takes back those that were deleted, once.
func TestSync(t *testing.T) {
	f := newFixture(t).fill()
	for range 2 {
		f.expect(f.controlPlane, allOfControlPlane)
		f.expect(f.nodes, allOfNodes)
	}
	remove(t, f.informers.Components, component("etcd", versionA))
	remove(t, f.informers.Nodes, node("a", nil))
	f.expect(f.controlPlane, "control-plane-informer: -ControlPlaneComponent/etcd ClusterOperator/network HostedCluster/east; true ")
	f.expect(f.nodes, "node-informer: -Node/a NodePool/workers; true ")
	f.expect(f.controlPlane, "control-plane-informer: ClusterOperator/network HostedCluster/east; true ")
	f.expect(f.nodes, "node-informer: NodePool/workers; true ")
}

// TestOtherHostedCluster: a HostedCluster of another name or namespace is another one.
func TestOtherHostedCluster(t *testing.T) {
	for name, change := range map[string]func(*hypershiftv1beta1.HostedCluster){
		"other name":      func(hosted *hypershiftv1beta1.HostedCluster) { hosted.Name = "west" },
		"other namespace": func(hosted *hypershiftv1beta1.HostedCluster) { hosted.Namespace = "others" },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			hosted := hostedCluster(versionB)
			change(hosted)
			set(t, f.informers.HostedClusters, hosted)
			if in := f.informers.input(f.controlPlane.in.Name); in.HostedCluster != nil {
				t.Errorf("it is %s/%s", in.HostedCluster.Namespace, in.HostedCluster.Name)
			}
		})
	}
}

// TestWithoutKubeconfig: without the informers of the hosted cluster, the management cluster is reported.
func TestWithoutKubeconfig(t *testing.T) {
	f := newFixture(t).fill()
	f.informers.ClusterOperators, f.informers.Nodes = nil, nil
	f.unreachable = assess.HostedUnreachable("no kubeconfig")
	f.restart()
	f.expect(f.controlPlane, "control-plane-informer: ControlPlaneComponent/etcd HostedCluster/east; true HostedClusterUnreachable")
	f.expect(f.nodes, "node-informer: NodePool/workers; true HostedClusterUnreachable")
}

// TestHostedClusterAway: while the hosted cluster can't be read, what is cached of it is reported with the rest.
func TestHostedClusterAway(t *testing.T) {
	f := newFixture(t).fill()
	f.unreachable = assess.HostedUnreachable("connection refused")
	f.expect(f.controlPlane, allOfControlPlane+"HostedClusterUnreachable")
	f.expect(f.nodes, allOfNodes+"HostedClusterUnreachable")
	f.unreachable = nil
	f.expect(f.nodes, allOfNodes)
}

// TestFailingWatches: while watches of the management cluster fail, that is reported once and nothing else; then everything, also
// what was deleted meanwhile.
func TestFailingWatches(t *testing.T) {
	f := newFixture(t).fill()
	f.expect(f.nodes, allOfNodes)
	failing := &insight.State{Reason: "CannotListMachines"}
	f.failing = failing
	f.expect(f.nodes, "node-informer: ; false CannotListMachines")
	f.expect(f.nodes, "")
	remove(t, f.informers.Nodes, node("a", nil))
	f.failing = nil
	f.expect(f.nodes, "node-informer: -Node/a NodePool/workers; true ")
	f.failing = failing
	f.expect(f.nodes, "node-informer: ; false CannotListMachines")
}

// TestRefused: what could not be sent is sent by the next sync.
func TestRefused(t *testing.T) {
	f := newFixture(t).fill()
	f.expect(f.nodes, allOfNodes)
	f.refused = errors.New("refused")
	remove(t, f.informers.Nodes, node("a", nil))
	f.failing = &insight.State{Reason: "CannotListMachines"}
	if err := f.nodes.sync(t.Context(), &queueOf{}); err == nil || err.Error() != "reporting that watches are failing: refused" {
		t.Errorf("got the error %v", err)
	}
	f.failing = nil
	if err := f.nodes.sync(t.Context(), &queueOf{}); err == nil || err.Error() != "reporting the hosted cluster: refused" {
		t.Errorf("got the error %v", err)
	}
	f.refused = nil
	f.expect(f.nodes, "node-informer: -Node/a NodePool/workers; true ")
}

// TestNextCheck: a source syncs again when its assessment changes by the clock alone.
func TestNextCheck(t *testing.T) {
	f := newFixture(t).fill()
	paused := pool("workers", "east")
	until := start.Add(time.Hour).Format(time.RFC3339)
	paused.Spec.PausedUntil = &until
	set(t, f.informers.NodePools, paused)
	set(t, f.informers.MachineSets, &clusterapiv1beta1.MachineSet{ObjectMeta: metav1.ObjectMeta{Namespace: controlPlaneNamespace, Name: "workers"}})
	if _, delay := f.sync(f.nodes); delay != time.Hour {
		t.Errorf("the next sync comes after %s", delay)
	}
	f.clock.SetTime(start.Add(2 * time.Hour))
	if _, delay := f.sync(f.nodes); delay != 0 {
		t.Errorf("after the pause, the next sync comes after %s", delay)
	}
}

// drainStart returns when the drain of node a started, as the source reports it.
func (f *fixture) drainStart() time.Time {
	f.t.Helper()
	f.sync(f.nodes)
	for _, report := range f.sent[0].Reports {
		for _, one := range report.Insights {
			if node := one.Insight.Node; node != nil && node.DrainStartedAt != nil {
				return node.DrainStartedAt.Time
			}
		}
	}
	return time.Time{}
}

// TestDrainStart: a drain started when it was first observed, by this process or by the one before.
func TestDrainStart(t *testing.T) {
	f := newFixture(t).fill()
	expect := func(when string, want time.Time) {
		t.Helper()
		if got := f.drainStart(); !got.Equal(want) {
			t.Errorf("%s: the drain started at %s, want %s", when, got, want)
		}
	}
	expect("before the drain", time.Time{})
	f.clock.SetTime(start.Add(time.Minute))
	set(t, f.informers.Nodes, node("a", draining()))
	expect("at its start", start.Add(time.Minute))
	f.clock.SetTime(start.Add(2 * time.Minute))
	expect("later", start.Add(time.Minute))
	set(t, f.informers.Nodes, node("a", nil))
	expect("after its end", time.Time{})
	set(t, f.informers.Nodes, node("a", draining()))
	expect("at the next one", start.Add(2*time.Minute))

	f.starts = map[string]time.Time{"a": start.Add(30 * time.Second), "gone": start}
	f.restart()
	expect("after a restart", start.Add(30*time.Second))
	set(t, f.informers.Nodes, node("a", nil))
	expect("after its end", time.Time{})
	set(t, f.informers.Nodes, node("a", draining()))
	expect("at one after the restart", start.Add(2*time.Minute))
}

// TestRolloutStart: the rollout of a component started when it was first observed, by this process or by the one before. Its condition
// has the time at which it began to wait for others.
func TestRolloutStart(t *testing.T) {
	f := newFixture(t).fill()
	rolls := func(reason string) {
		etcd := component("etcd", versionA)
		etcd.Status.Conditions = []metav1.Condition{{
			Type: "RolloutComplete", Status: metav1.ConditionFalse, Reason: reason, LastTransitionTime: metav1.NewTime(start),
		}}
		set(t, f.informers.Components, etcd)
	}
	expect := func(when string, want time.Time) {
		t.Helper()
		f.sync(f.controlPlane)
		for _, report := range f.sent[0].Reports {
			for _, one := range report.Insights {
				if etcd := one.Insight.ControlPlaneComponent; etcd != nil && !etcd.Conditions[0].LastTransitionTime.Time.Equal(want) {
					t.Errorf("%s: the rollout started at %s, want %s", when, etcd.Conditions[0].LastTransitionTime, want)
				}
			}
		}
	}
	rolls("WaitingForDependencies")
	f.clock.SetTime(start.Add(time.Minute))
	expect("while it waits", time.Time{})
	rolls("WaitingForRolloutComplete")
	f.clock.SetTime(start.Add(2 * time.Minute))
	expect("at its start", start.Add(2*time.Minute))
	f.clock.SetTime(start.Add(3 * time.Minute))
	expect("later", start.Add(2*time.Minute))
	f.starts = map[string]time.Time{"etcd": start.Add(2 * time.Minute)}
	f.restart()
	expect("after a restart", start.Add(2*time.Minute))
}

func TestUnknownStarts(t *testing.T) {
	f := newFixture(t).fill()
	f.refused = errors.New("refused")
	if err := f.nodes.sync(t.Context(), &queueOf{}); err == nil || err.Error() != "reading since when nodes drain and components are rolled out: refused" {
		t.Errorf("got the error %v", err)
	}
}

// TestHandler: only what changes what is assessed causes work.
func TestHandler(t *testing.T) {
	count := 0
	handler := handler(func() { count++ })
	pool, sameOfLater, other := pool("a", "east"), pool("a", "east"), pool("a", "east")
	sameOfLater.ResourceVersion, other.Status.Version = "2", versionB
	for name, test := range map[string]struct {
		event func()
		want  int
	}{
		"added":             {func() { handler.OnAdd(pool, false) }, 1},
		"deleted":           {func() { handler.OnDelete(pool) }, 1},
		"tombstone":         {func() { handler.OnDelete(cache.DeletedFinalStateUnknown{Key: "clusters/a", Obj: pool}) }, 1},
		"changed":           {func() { handler.OnUpdate(pool, other) }, 1},
		"same content":      {func() { handler.OnUpdate(pool, sameOfLater) }, 0},
		"not an object":     {func() { handler.OnUpdate(1, pool) }, 1},
		"became no object":  {func() { handler.OnUpdate(pool, 1) }, 1},
		"no metadata":       {func() { handler.OnUpdate(&metav1.Status{}, pool) }, 1},
		"no metadata after": {func() { handler.OnUpdate(pool, &metav1.Status{}) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			count = 0
			test.event()
			if count != test.want {
				t.Errorf("%d changes, want %d", count, test.want)
			}
		})
	}
	if pool.ResourceVersion != "" {
		t.Error("the cached object was changed")
	}
}
