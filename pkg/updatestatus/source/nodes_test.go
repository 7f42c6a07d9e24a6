package source

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// nodesFixture is the source of the nodes on caches that the test fills by hand.
type nodesFixture struct {
	*fixture

	caches *Nodes
	// read is what was read of the drains of nodes, and wanted are the nodes of which it was last asked for.
	read   map[string]*drain.Blockers
	wanted []string
	// observed is what was observed before, observedErr why it can't be read, and asked how often that was tried.
	observed    assess.Observed
	observedErr error
	asked       int
}

func newNodes(t cleaner) *nodesFixture {
	t.Helper()
	n := &nodesFixture{read: map[string]*drain.Blockers{}, observed: assess.Observed{Starts: map[string]time.Time{}, DrainFailures: map[string]string{}}}
	n.caches = &Nodes{
		Caches: newCaches(kinds.ClusterVersions, kinds.MachineConfigPools, kinds.MachineConfigs, kinds.Nodes, kinds.MachineConfigNodes, kinds.ClusterOperators),
		Drains: func(nodes []string, now time.Time) (map[string]*drain.Blockers, time.Time) {
			n.wanted = nodes
			blockers, again := map[string]*drain.Blockers{}, time.Time{}
			for _, node := range nodes {
				blockers[node], again = n.read[node], now.Add(time.Minute)
			}
			return blockers, again
		},
		PreviouslyObserved: func(context.Context) (assess.Observed, error) {
			n.asked++
			return n.observed, n.observedErr
		},
	}
	n.fixture = newFixture(t, insight.NodeInformer, n.caches.Assess)
	return n
}

// TestCertificateRequests: the requests of kubelets are read once a minute while a node has not been ready for five minutes during an update.
func TestCertificateRequests(t *testing.T) {
	n := newNodes(t)
	reads, failure := 0, error(nil)
	n.caches.CertificateRequests = func(context.Context) ([]*certificatesv1.CertificateSigningRequest, error) {
		reads++
		return []*certificatesv1.CertificateSigningRequest{builders.CertificateRequest("csr-1", "a", start)}, failure
	}
	n.put(t, updating("4.20.2"), config("old", "4.20.1"), config("new", "4.20.2"), workerPool("worker"), worker("a", builders.NotReady(start)))
	pending := insight.UID("health", "kubelet-certificates-pending/a")
	for _, step := range []struct {
		name       string
		at         time.Duration
		failure    error
		reads      int
		isReported bool
	}{
		{"not ready for a while", 5*time.Minute - time.Second, nil, 0, false},
		{"for long", 10*time.Minute + time.Second, nil, 1, true},
		{"some seconds later", 10*time.Minute + 30*time.Second, nil, 1, true},
		{"a minute later", 11*time.Minute + time.Second, nil, 2, true},
		{"not permitted any more", 13 * time.Minute, errors.New("forbidden"), 3, false},
		{"permitted again", 15 * time.Minute, nil, 4, true},
		{"complete", 16 * time.Minute, nil, 4, false},
	} {
		failure = step.failure
		if step.name == "complete" {
			n.put(t, builders.ClusterVersion(builders.Completed("4.20.2", start, start.Add(time.Minute))), workerPool("worker"), worker("a", builders.Configs("new", "new"), builders.NotReady(start)))
		}
		message, _, err := n.caches.Assess(t.Context(), start.Add(step.at))
		if err != nil {
			t.Fatal(err)
		}
		isReported := false
		for _, report := range message.Reports {
			isReported = isReported || slices.ContainsFunc(report.Insights, func(one insight.ScopedInsight) bool { return one.Insight.UID == pending })
		}
		if reads != step.reads || isReported != step.isReported {
			t.Errorf("%s: %d reads, reported %t; want %d, %t", step.name, reads, isReported, step.reads, step.isReported)
		}
	}
}

func (n *nodesFixture) cacheOf(object runtime.Object) cache.SharedIndexInformer {
	switch object.(type) {
	case *configv1.ClusterVersion:
		return n.caches.Caches(kinds.ClusterVersions)
	case *machineconfigv1.MachineConfigPool:
		return n.caches.Caches(kinds.MachineConfigPools)
	case *metav1.PartialObjectMetadata:
		return n.caches.Caches(kinds.MachineConfigs)
	case *machineconfigv1.MachineConfigNode:
		return n.caches.Caches(kinds.MachineConfigNodes)
	default:
		return n.caches.Caches(kinds.Nodes)
	}
}

func (n *nodesFixture) put(t cleaner, objects ...runtime.Object) {
	t.Helper()
	for _, object := range objects {
		put(t, n.cacheOf(object), object)
	}
}

func (n *nodesFixture) remove(t cleaner, object runtime.Object) {
	t.Helper()
	remove(t, n.cacheOf(object), object)
}

func config(name, version string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Name: name, Annotations: map[string]string{standalone.ReleaseVersionAnnotation: version, "other": "large"},
	}}
}

func worker(name string, options ...builders.NodeOption) *corev1.Node {
	return builders.Node(name, append([]builders.NodeOption{builders.Role("worker"), builders.Configs("old", "old")}, options...)...)
}

// workerPool returns a pool that is to be updated.
func workerPool(name string, options ...builders.MachineConfigPoolOption) *machineconfigv1.MachineConfigPool {
	return builders.MachineConfigPool(name, append([]builders.MachineConfigPoolOption{builders.Configuration("new")}, options...)...)
}

func filledNodes(t *testing.T) *nodesFixture {
	t.Helper()
	n := newNodes(t)
	n.put(t, updating("4.20.2"), config("old", "4.20.1"), config("new", "4.20.2"), workerPool("worker"), workerPool("infra"),
		worker("a"), worker("b"), builders.Node("stray"))
	if got := n.run(t); got != "a b infra worker !" {
		t.Fatalf("sent %q", got)
	}
	return n
}

func TestNodes(t *testing.T) {
	n := filledNodes(t)
	put := func(object runtime.Object) func() { return func() { n.put(t, object) } }
	remove := func(object runtime.Object) func() { return func() { n.remove(t, object) } }
	begun := worker("a", builders.Configs("old", "new"), builders.State("Working"))
	rebooting := builders.Step(machineconfigv1.MachineConfigNodeUpdateRebooted, metav1.ConditionUnknown, start, "Upgrade requires a reboot.")
	moreStatus := workerPool("worker")
	moreStatus.ResourceVersion, moreStatus.Status.ReadyMachineCount = "2", 7
	for _, step := range []struct {
		name   string
		change func()
		want   string
	}{
		{"nothing", func() {}, "!"},
		{"a node and its pool", put(begun), "a worker !"},
		{"a node that counts as before", put(worker("b", builders.NotReady(start))), "b worker !"},
		{"a step of a node", put(builders.MachineConfigNode("a", "new", rebooting)), "a !"},
		{"a pool that updates more nodes at a time", put(workerPool("worker", builders.MaxUnavailable(2))), "worker !"},
		{"the MachineConfigNode of a node that is not known", put(builders.MachineConfigNode("unknown", "old", rebooting)), "!"},
		{"a deleted MachineConfigNode", remove(builders.MachineConfigNode("a", "new")), "a !"},
		{"to another pool", put(worker("b", builders.Role("infra"))), "b infra worker !"},
		{"out of every pool", put(builders.Node("b")), "-b infra !"},
		{"a deleted node", remove(begun), "-a worker !"},
		{"a new node", put(worker("c")), "c worker !"},
		{"the status of a pool", put(moreStatus), "!"},
		{"a paused pool", put(workerPool("worker", builders.Paused())), "c worker !"},
		{"a pool that is no longer paused", put(workerPool("worker")), "c worker !"},
		{"a pool with another selector", put(workerPool("infra", builders.Selector(&metav1.LabelSelector{
			MatchLabels: map[string]string{"node-role.kubernetes.io/worker": ""},
		}))), "c infra worker !"},
		{"a deleted pool", remove(builders.MachineConfigPool("infra")), "-infra c worker !"},
		{"a MachineConfig of no node", put(config("other", "4.20.1")), "!"},
		{"a MachineConfig of a node", put(config("old", "4.20.2")), "c worker !"},
		{"another update", put(updating("4.20.3")), "c worker !"},
		{"no pool", remove(workerPool("worker")), "-c -worker ! NoMachineConfigPools"},
	} {
		step.change()
		if got := n.run(t); got != step.want {
			t.Errorf("%s: sent %q, want %q", step.name, got, step.want)
		}
	}
}

// TestNodesByTheClock: a node that is not ready, and sends no event any more, is assessed when it has been so for long enough, and so is
// its pool, which does not start.
func TestNodesByTheClock(t *testing.T) {
	n := filledNodes(t)
	n.put(t, worker("a", builders.NotReady(start)))
	n.run(t)
	if want := 5*time.Minute + time.Millisecond; n.next != want {
		t.Errorf("next sync after %s, want %s", n.next, want)
	}
	for _, step := range []struct {
		at   time.Duration
		want string
		next time.Duration
	}{
		{4 * time.Minute, "!", 5 * time.Minute},
		{5*time.Minute + time.Second, "a !", 15 * time.Minute},
		{6 * time.Minute, "!", 15 * time.Minute},
		{15*time.Minute + time.Second, "worker !", time.Hour - time.Millisecond},
	} {
		if got := n.at(t, step.at); got != step.want {
			t.Errorf("after %s: sent %q, want %q", step.at, got, step.want)
		}
		if want := step.next + time.Millisecond - step.at; n.next != want {
			t.Errorf("after %s: next sync after %s, want %s", step.at, n.next, want)
		}
	}
}

// TestStepByStep changes a cluster at random: what was reported step by step is what an assessment of the whole cluster says in the end.
func TestStepByStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := newNodes(t)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			object := drawObject(t)
			if rapid.IntRange(0, 4).Draw(t, "remove") == 0 {
				n.remove(t, object)
			} else {
				n.put(t, object)
			}
			if rapid.Bool().Draw(t, "sync") {
				n.run(t)
			}
		}
		n.run(t)

		whole := ledger.New()
		whole.Apply(standalone.NewNodes(assess.Observed{}).Assess(n.caches.input(), start).Message)
		if diff := cmp.Diff(insights(whole), insights(n.ledger)); diff != "" {
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
	case 4:
		step := builders.Step(machineconfigv1.MachineConfigNodeUpdateRebooted, rapid.SampledFrom([]metav1.ConditionStatus{"True", "False", "Unknown"}).Draw(t, "step"), start, "Upgrade requires a reboot.")
		return builders.MachineConfigNode(fmt.Sprintf("node-%d", rapid.IntRange(0, 4).Draw(t, "node")), "old", step)
	default:
		options := []builders.NodeOption{
			builders.Role(rapid.SampledFrom([]string{"worker", "infra", "master", "edge"}).Draw(t, "role")),
			builders.Configs(name.Draw(t, "current"), name.Draw(t, "desired")),
			builders.State(rapid.SampledFrom([]string{"Done", "Working", "Degraded"}).Draw(t, "state")),
		}
		return builders.Node(fmt.Sprintf("node-%d", rapid.IntRange(0, 4).Draw(t, "node")), options...)
	}
}

func insights(of *ledger.Ledger) map[string]insight.ScopedInsight {
	byUID := map[string]insight.ScopedInsight{}
	for _, one := range of.View()[insight.NodeInformer].Insights {
		byUID[one.Insight.UID] = *one
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
	full.Spec.Taints = append(full.Spec.Taints, corev1.Taint{Key: "example.com/theirs"})
	got := cached(full)
	want := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: full.Labels, Annotations: map[string]string{
			nodestate.CurrentConfigAnnotation: "old", nodestate.DesiredConfigAnnotation: "old", nodestate.StateAnnotation: "Done",
		}},
		Spec:   corev1.NodeSpec{Unschedulable: true, Taints: []corev1.Taint{cordon}},
		Status: corev1.NodeStatus{Conditions: full.Status.Conditions[:1]},
	}
	want.Status.Conditions[0].LastHeartbeatTime = metav1.Time{}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("node (-want +got):\n%s", diff)
	}
}
