package source

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	configv1 "github.com/openshift/api/config/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

const (
	namespace, controlPlaneNamespace = "clusters", "clusters-east"
	versionA, versionB               = "4.22.3", "4.22.4"
)

// hostedFixture are the two sources of a hosted cluster on caches that the test fills by hand.
type hostedFixture struct {
	t                   *testing.T
	caches              Caches
	controlPlane, nodes *fixture
	controlPlaneCaches  *Hosted
	unreachable         *insight.State
	observed            assess.Observed
	refused             error
	// read is what is read of drains, nil if that is not read, and wanted the nodes of which it was last requested.
	read   map[string]*drain.Blockers
	wanted []string
}

func newHosted(t *testing.T) *hostedFixture {
	t.Helper()
	f := &hostedFixture{t: t, observed: assess.Observed{Starts: map[string]time.Time{}}, caches: newCaches(
		kinds.HostedClusters, kinds.ControlPlaneComponents, kinds.NodePools, kinds.Machines, kinds.MachineDeployments, kinds.MachineSets,
		kinds.ClusterOperators, kinds.Nodes,
	)}
	f.restart()
	return f
}

// restart replaces the sources by new ones.
func (f *hostedFixture) restart() {
	f.t.Helper()
	source := func(rules func(hosted.Input, time.Time) (insight.Message, time.Time)) *Hosted {
		return &Hosted{
			Name: types.NamespacedName{Namespace: namespace, Name: "east"}, Caches: f.caches, Rules: rules,
			HostedState:        func() *insight.State { return f.unreachable },
			PreviouslyObserved: func(context.Context) (assess.Observed, error) { return f.observed, f.refused },
		}
	}
	now := start
	if f.nodes != nil {
		now = f.nodes.clock.Now()
	}
	f.controlPlaneCaches = source(hosted.ControlPlane)
	f.controlPlane = newFixture(f.t, insight.ControlPlaneInformer, f.controlPlaneCaches.Assess)
	nodes := source(hosted.Nodes)
	if f.read != nil {
		nodes.Drains = f.drainsOf
	}
	f.nodes = newFixture(f.t, insight.NodeInformer, nodes.Assess)
	f.setTime(now)
}

// drainsOf is a Drains.
func (f *hostedFixture) drainsOf(nodes []string, now time.Time) (map[string]*drain.Blockers, time.Time) {
	f.wanted = nodes
	if len(nodes) == 0 {
		return nil, time.Time{}
	}
	read := map[string]*drain.Blockers{}
	for _, node := range nodes {
		read[node] = f.read[node]
	}
	return read, now.Add(time.Minute)
}

func (f *hostedFixture) setTime(now time.Time) {
	f.controlPlane.clock.SetTime(now)
	f.nodes.clock.SetTime(now)
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

func nodePool(name, cluster string) *hypershiftv1beta1.NodePool {
	pool := &hypershiftv1beta1.NodePool{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	pool.Spec.ClusterName = cluster
	pool.Spec.Management.UpgradeType = "InPlace"
	pool.Spec.Release.Image = versionB
	pool.Status.Version = versionA
	return pool
}

func (f *hostedFixture) fill() *hostedFixture {
	f.t.Helper()
	put(f.t, f.caches(kinds.HostedClusters), hostedCluster(versionB))
	put(f.t, f.caches(kinds.ControlPlaneComponents), component("etcd", versionA))
	put(f.t, f.caches(kinds.ClusterOperators), builders.ClusterOperator("network", builders.Healthy(start), builders.OperatorVersion(versionA)))
	put(f.t, f.caches(kinds.NodePools), nodePool("workers", "east"))
	put(f.t, f.caches(kinds.NodePools), nodePool("others", "west"))
	put(f.t, f.caches(kinds.MachineSets), machineSet("hash-b"))
	put(f.t, f.caches(kinds.Nodes), hostedNode("a", nil))
	return f
}

func machineSet(config string) *clusterapiv1beta1.MachineSet {
	version := versionB
	return &clusterapiv1beta1.MachineSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: controlPlaneNamespace, Name: "workers", Annotations: map[string]string{
				hosted.TargetConfigAnnotation: config, hosted.InProgressAnnotation: "",
			},
		},
		Spec: clusterapiv1beta1.MachineGroupSpec{Template: clusterapiv1beta1.MachineTemplate{Spec: clusterapiv1beta1.MachineSpec{Version: &version}}},
	}
}

func hostedNode(name string, annotations map[string]string) *corev1.Node {
	return builders.Node(name, func(node *corev1.Node) {
		node.Labels = map[string]string{hosted.PoolKey: "workers"}
		node.Annotations = annotations
	})
}

// draining are the annotations of a node that drains for its update in place.
func draining() map[string]string {
	return map[string]string{
		nodestate.CurrentConfigAnnotation: "hash-a", nodestate.DesiredConfigAnnotation: "hash-b", nodestate.StateAnnotation: "Working",
		nodestate.DesiredDrainAnnotation: "drain-hash-b",
	}
}

func (f *hostedFixture) expect(source *fixture, want string) {
	f.t.Helper()
	if got := source.run(f.t); got != want {
		f.t.Errorf("sent %q, want %q", got, want)
	}
}

// TestHosted: each source reports its objects, and withdraws those that were deleted.
func TestHosted(t *testing.T) {
	f := newHosted(t).fill()
	f.expect(f.controlPlane, "east etcd network !")
	f.expect(f.nodes, "a workers !")
	remove(t, f.caches(kinds.ControlPlaneComponents), component("etcd", versionA))
	remove(t, f.caches(kinds.Nodes), hostedNode("a", nil))
	f.expect(f.controlPlane, "-etcd !")
	f.expect(f.nodes, "-a workers !")
}

// TestOtherHostedCluster: a HostedCluster of another name or namespace is another one.
func TestOtherHostedCluster(t *testing.T) {
	for name, change := range map[string]func(*hypershiftv1beta1.HostedCluster){
		"other name":      func(hosted *hypershiftv1beta1.HostedCluster) { hosted.Name = "west" },
		"other namespace": func(hosted *hypershiftv1beta1.HostedCluster) { hosted.Namespace = "others" },
	} {
		t.Run(name, func(t *testing.T) {
			f := newHosted(t)
			hosted := hostedCluster(versionB)
			change(hosted)
			put(t, f.caches(kinds.HostedClusters), hosted)
			if in := f.controlPlaneCaches.input(); in.HostedCluster != nil {
				t.Errorf("it is %s/%s", in.HostedCluster.Namespace, in.HostedCluster.Name)
			}
		})
	}
}

// TestWithoutKubeconfig: without the informers of the hosted cluster, the management cluster is reported.
func TestWithoutKubeconfig(t *testing.T) {
	f := newHosted(t).fill()
	all := f.caches
	f.caches = func(kind *kinds.Kind) cache.SharedIndexInformer {
		if kind == kinds.ClusterOperators || kind == kinds.Nodes {
			return nil
		}
		return all(kind)
	}
	f.unreachable = hosted.Unreachable("no kubeconfig")
	f.restart()
	f.expect(f.controlPlane, "east etcd ! HostedClusterUnreachable")
	f.expect(f.nodes, "workers ! HostedClusterUnreachable")
}

// TestHostedClusterAway: while the hosted cluster can't be read, what is cached of it is reported with the rest.
func TestHostedClusterAway(t *testing.T) {
	f := newHosted(t).fill()
	f.unreachable = hosted.Unreachable("connection refused")
	f.expect(f.controlPlane, "east etcd network ! HostedClusterUnreachable")
	f.expect(f.nodes, "a workers ! HostedClusterUnreachable")
	f.unreachable = nil
	f.expect(f.nodes, "!")
}

// TestNextCheckOfPause: a source syncs again when its assessment changes by the clock alone.
func TestNextCheckOfPause(t *testing.T) {
	f := newHosted(t).fill()
	paused := nodePool("workers", "east")
	until := start.Add(time.Hour).Format(time.RFC3339)
	paused.Spec.PausedUntil = &until
	put(t, f.caches(kinds.NodePools), paused)
	put(t, f.caches(kinds.MachineSets), &clusterapiv1beta1.MachineSet{ObjectMeta: metav1.ObjectMeta{Namespace: controlPlaneNamespace, Name: "workers"}})
	f.nodes.run(t)
	if f.nodes.next != time.Hour {
		t.Errorf("the next sync comes after %s", f.nodes.next)
	}
	f.nodes.at(t, 2*time.Hour)
	const untilStalled = 15*time.Minute + time.Millisecond
	if f.nodes.next != untilStalled {
		t.Errorf("after the pause, the next sync comes after %s", f.nodes.next)
	}
	f.nodes.at(t, 2*time.Hour+untilStalled)
	if !slices.ContainsFunc(slices.Collect(maps.Values(insights(f.nodes.ledger))), func(one insight.ScopedInsight) bool {
		return one.Insight.Health != nil && one.Insight.Health.Reason == "NodePoolNotStarting"
	}) {
		t.Error("a pool that is stuck after its pause is not reported")
	}
}

// drainStart returns when the drain of node a started, as the source reports it.
func (f *hostedFixture) drainStart() time.Time {
	f.t.Helper()
	f.nodes.run(f.t)
	for _, one := range insights(f.nodes.ledger) {
		if node := one.Insight.Node; node != nil && node.DrainStartedAt != nil {
			return node.DrainStartedAt.Time
		}
	}
	return time.Time{}
}

// TestDrainStart: a drain started when it was first observed, by this process or by the one before.
func TestDrainStart(t *testing.T) {
	f := newHosted(t).fill()
	expect := func(when string, want time.Time) {
		t.Helper()
		if got := f.drainStart(); !got.Equal(want) {
			t.Errorf("%s: the drain started at %s, want %s", when, got, want)
		}
	}
	expect("before the drain", time.Time{})
	f.setTime(start.Add(time.Minute))
	put(t, f.caches(kinds.Nodes), hostedNode("a", draining()))
	expect("at its start", start.Add(time.Minute))
	f.setTime(start.Add(2 * time.Minute))
	expect("later", start.Add(time.Minute))
	put(t, f.caches(kinds.Nodes), hostedNode("a", nil))
	expect("after its end", time.Time{})
	put(t, f.caches(kinds.Nodes), hostedNode("a", draining()))
	expect("at the next one", start.Add(2*time.Minute))

	f.observed.Starts = map[string]time.Time{"a": start.Add(30 * time.Second), "gone": start}
	f.restart()
	expect("after a restart", start.Add(30*time.Second))
	put(t, f.caches(kinds.Nodes), hostedNode("a", nil))
	expect("after its end", time.Time{})
	put(t, f.caches(kinds.Nodes), hostedNode("a", draining()))
	expect("at one after the restart", start.Add(2*time.Minute))
}

// TestRolloutStart: the rollout of a component started when it was first observed, by this process or by the one before. Its condition
// has the time at which it began to wait for others.
func TestRolloutStart(t *testing.T) {
	f := newHosted(t).fill()
	rolls := func(reason string) {
		etcd := component("etcd", versionA)
		etcd.Status.Conditions = []metav1.Condition{{
			Type: "RolloutComplete", Status: metav1.ConditionFalse, Reason: reason, LastTransitionTime: metav1.NewTime(start),
		}}
		put(t, f.caches(kinds.ControlPlaneComponents), etcd)
	}
	expect := func(when string, want time.Time) {
		t.Helper()
		f.controlPlane.run(t)
		for _, one := range f.controlPlane.ledger.View()[insight.ControlPlaneInformer].Insights {
			if etcd := one.Insight.ControlPlaneComponent; etcd != nil && !etcd.Conditions[0].LastTransitionTime.Time.Equal(want) {
				t.Errorf("%s: the rollout started at %s, want %s", when, etcd.Conditions[0].LastTransitionTime, want)
			}
		}
	}
	rolls("WaitingForDependencies")
	f.setTime(start.Add(time.Minute))
	expect("while it waits", time.Time{})
	rolls("WaitingForRolloutComplete")
	f.setTime(start.Add(2 * time.Minute))
	expect("at its start", start.Add(2*time.Minute))
	f.setTime(start.Add(3 * time.Minute))
	expect("later", start.Add(2*time.Minute))
	f.observed.Starts = map[string]time.Time{"etcd": start.Add(2 * time.Minute)}
	f.restart()
	expect("after a restart", start.Add(2*time.Minute))
}

func TestUnknownStarts(t *testing.T) {
	f := newHosted(t).fill()
	f.refused = errors.New("refused")
	if err := f.nodes.trySync(); !errors.Is(err, f.refused) || len(f.nodes.sent) > 0 {
		t.Errorf("error %v, sent %v", err, f.nodes.sent)
	}
}

// drains plays the reading of what blocks drains, of a node that drains for eleven minutes after its start.
func (f *hostedFixture) drains(t *testing.T) {
	t.Helper()
	f.observed.Starts = map[string]time.Time{"a": start.Add(-time.Minute)}
	put(t, f.caches(kinds.Nodes), hostedNode("a", draining()))
	f.read = map[string]*drain.Blockers{}
	f.restart()
}

// drainSummary returns the summary of what is reported of the drain, empty if nothing is.
func (f *hostedFixture) drainSummary() string {
	for _, one := range insights(f.nodes.ledger) {
		if health := one.Insight.Health; health != nil && health.Reason == "HostedNodeDrainLong" {
			return health.Impact.Summary
		}
	}
	return ""
}

// TestHostedDrains: what blocks a drain is read when it is long, and not before, and it is reported as it was read.
func TestHostedDrains(t *testing.T) {
	f := newHosted(t).fill()
	f.drains(t)
	f.nodes.at(t, 8*time.Minute)
	if len(f.wanted) > 0 || f.nodes.next != time.Minute+time.Millisecond {
		t.Errorf("before: wanted %v, next sync after %s", f.wanted, f.nodes.next)
	}
	f.nodes.at(t, 10*time.Minute)
	if !slices.Equal(f.wanted, []string{"a"}) || f.drainSummary() != "" || f.nodes.next != time.Minute {
		t.Errorf("wanted %v, reported %q, next sync after %s", f.wanted, f.drainSummary(), f.nodes.next)
	}
	for _, step := range []struct {
		read *drain.Blockers
		want string
	}{
		{&drain.Blockers{}, "Node a is taking long to drain, cause unknown"},
		{&drain.Blockers{Unread: "forbidden"}, "Node a is taking long to drain"},
	} {
		f.read["a"] = step.read
		f.nodes.at(t, 10*time.Minute)
		if f.drainSummary() != step.want {
			t.Errorf("reported %q, want %q", f.drainSummary(), step.want)
		}
	}
	put(t, f.caches(kinds.Nodes), hostedNode("a", nil))
	f.nodes.at(t, 11*time.Minute)
	if len(f.wanted) > 0 || f.drainSummary() != "" {
		t.Errorf("after the drain: wanted %v, reported %q", f.wanted, f.drainSummary())
	}
}

// TestHostedDrainsPatience: the first report waits for what blocks a drain, for 15 s. Where it is not read, nothing waits.
func TestHostedDrainsPatience(t *testing.T) {
	f := newHosted(t).fill()
	f.drains(t)
	f.setTime(start.Add(time.Hour))
	f.expect(f.nodes, "")
	if f.nodes.next != 15*time.Second {
		t.Errorf("the next sync comes after %s", f.nodes.next)
	}
	if got := f.nodes.at(t, time.Hour+15*time.Second); got != "a workers !" || f.drainSummary() != "" {
		t.Errorf("sent %q, reported %q", got, f.drainSummary())
	}
	f.restart()
	f.nodes.at(t, 8*time.Minute+55*time.Second)
	if got := f.nodes.at(t, 9*time.Minute+time.Second); got != "!" || !slices.Equal(f.wanted, []string{"a"}) {
		t.Errorf("after the first report sent %q, wanted %v", got, f.wanted)
	}
	f.read = nil
	f.restart()
	f.setTime(start.Add(time.Hour))
	f.expect(f.nodes, "a workers !")
	if f.drainSummary() != "Node a is taking long to drain" {
		t.Errorf("reported %q", f.drainSummary())
	}
}

// TestRequestIsKept: since when a release is asked for is what was observed first, by a process before as well.
func TestRequestIsKept(t *testing.T) {
	f := newHosted(t).fill()
	asked := hostedCluster(versionB)
	asked.Status.Version.History[0].State = configv1.CompletedUpdate
	asked.Status.Version.History[0].CompletionTime = &metav1.Time{Time: start}
	const another = "quay.io/example/release@sha256:55"
	asked.Spec.Release.Image, asked.Status.Version.Desired.Image = another, "quay.io/example/release@sha256:44"
	put(t, f.caches(kinds.HostedClusters), asked)
	put(t, f.caches(kinds.ControlPlaneComponents), component("etcd", versionB))
	since := func() time.Time {
		f.controlPlane.run(t)
		for _, one := range f.controlPlane.ledger.View()[insight.ControlPlaneInformer].Insights {
			if cluster := one.Insight.HostedCluster; cluster != nil && cluster.Requested != nil && cluster.Requested.Since != nil {
				return cluster.Requested.Since.Time
			}
		}
		return time.Time{}
	}
	if got := since(); !got.Equal(start) {
		t.Errorf("first: %s", got)
	}
	f.setTime(start.Add(time.Hour))
	if got := since(); !got.Equal(start) {
		t.Errorf("later: %s", got)
	}
	before := metav1.NewTime(start.Add(-time.Minute))
	for _, test := range []struct {
		observed *updatev1alpha1.RequestedUpdate
		want     time.Time
	}{
		{&updatev1alpha1.RequestedUpdate{Image: another, Since: &before}, before.Time},
		{&updatev1alpha1.RequestedUpdate{Image: another}, start.Add(time.Hour)},
		{nil, start.Add(time.Hour)},
	} {
		f.observed.Requested = test.observed
		f.restart()
		f.setTime(start.Add(time.Hour))
		if got := since(); !got.Equal(test.want) {
			t.Errorf("after a restart with %+v: %s, want %s", test.observed, got, test.want)
		}
	}
}
