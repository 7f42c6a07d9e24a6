package integration_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// shop is the namespace of a workload. There is no controller that would end it.
const shop = "shop"

// openShop makes the namespace, and empties it at the end of the test.
func (w *world) openShop() kubernetes.Interface {
	w.t.Helper()
	kube := kubernetes.NewForConfigOrDie(plane.Admin())
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: shop}}
	if _, err := kube.CoreV1().Namespaces().Create(w.ctx, namespace, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		w.t.Fatal(err)
	}
	w.t.Cleanup(w.emptyShop)
	return kube
}

// emptyShop deletes pods as nobody but a kubelet does otherwise, and PodDisruptionBudgets.
func (w *world) emptyShop() {
	w.t.Helper()
	ctx := context.WithoutCancel(w.ctx)
	kube := kubernetes.NewForConfigOrDie(plane.Admin())
	list, err := kube.CoreV1().Pods(shop).List(ctx, metav1.ListOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, pod := range list.Items {
		if len(pod.Finalizers) > 0 {
			none := []byte(`{"metadata":{"finalizers":null}}`)
			if _, err := kube.CoreV1().Pods(shop).Patch(ctx, pod.Name, types.MergePatchType, none, metav1.PatchOptions{}); err != nil {
				w.t.Error(err)
			}
		}
	}
	now := metav1.DeleteOptions{GracePeriodSeconds: new(int64)}
	if err := kube.CoreV1().Pods(shop).DeleteCollection(ctx, now, metav1.ListOptions{}); err != nil {
		w.t.Error(err)
	}
	if err := kube.PolicyV1().PodDisruptionBudgets(shop).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		w.t.Error(err)
	}
}

// deletePod deletes a pod as an eviction does: it stays until its kubelet, which there is not, or a finalizer lets it go.
func (w *world) deletePod(name string, grace time.Duration) {
	w.t.Helper()
	seconds := int64(grace.Seconds())
	err := kubernetes.NewForConfigOrDie(plane.Admin()).CoreV1().Pods(shop).Delete(w.ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &seconds})
	if err != nil {
		w.t.Fatal(err)
	}
}

// isAboutDrains is whether a request is one that only a drain that takes long is worth.
func isAboutDrains(request string) bool {
	return slices.ContainsFunc([]string{"/pods", "/poddisruptionbudgets", "/machineconfignodes"}, func(resource string) bool {
		return strings.Contains(request, resource)
	})
}

func (w *world) requestsAboutDrains() []string {
	return slices.DeleteFunc(w.controller.Requests(), func(request string) bool { return !isAboutDrains(request) })
}

// TestHealthyUpdateReadsNoPods: an update in which every node is drained in time costs no request about pods.
func TestHealthyUpdateReadsNoPods(t *testing.T) {
	w := newWorld(t)
	simulation := simulator.NewSimulation(simulator.Update{Seed: 5, Start: began, From: oldVersion, To: newVersion})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	w.play(simulation, nil)
	w.until("the end of the update", everythingUpdated)
	if asked := w.requestsAboutDrains(); len(asked) > 0 || len(w.controller.Requests()) < 10 {
		t.Errorf("asked for %v of %d requests", asked, len(w.controller.Requests()))
	}
}

// stuck is a played update in which a worker is not drained.
type stuck struct {
	*world

	simulation *simulator.Simulation
	node       string
	// since is when the node was cordoned.
	since time.Time
}

func (w *world) playUntilStuck() *stuck {
	w.t.Helper()
	made := &stuck{world: w, node: simulator.NodeName("worker", 0)}
	begin := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	made.simulation = simulator.NewSimulation(simulator.Update{
		Seed: 5, Start: begin, From: oldVersion, To: newVersion, Blocked: map[string]bool{made.node: true},
		Pools: []simulator.Pool{{Name: "master", Nodes: 1}, {Name: "worker", Nodes: 2}},
	})
	w.clock.SetTime(begin)
	w.create(made.simulation)
	w.start()
	w.until("the first report", isAvailable)
	w.play(made.simulation, func(write simulator.Write) bool {
		node, is := write.After.(*corev1.Node)
		if !is || node.Name != made.node || !node.Spec.Unschedulable {
			return false
		}
		made.since = node.Spec.Taints[0].TimeAdded.Truncate(time.Second) // as the API server keeps it
		return true
	})
	w.until("a node that drains", func(us *updatev1alpha1.UpdateStatus) bool {
		for _, one := range insightsOf(us) {
			if one.Node != nil && one.Node.Name == made.node {
				return insight.StateOf(one.Node).Phase == insight.PhaseDraining
			}
		}
		return false
	})
	w.play(made.simulation, nil)
	return made
}

// at sets the clock to a while after the cordon, and has the controller look at the node.
func (s *stuck) at(after time.Duration) {
	s.t.Helper()
	s.clock.SetTime(s.since.Add(after))
	s.poke()
}

func (s *stuck) poke() {
	s.t.Helper()
	s.patch(`{"metadata":{"labels":{"poked":"` + s.clock.Now().Format("20060102-150405") + `"}}}`)
}

// patch changes the node as somebody else than the Machine Config Operator does.
func (s *stuck) patch(change string, subresources ...string) {
	s.t.Helper()
	nodes := kubernetes.NewForConfigOrDie(plane.Admin()).CoreV1().Nodes()
	_, err := nodes.Patch(s.ctx, s.node, types.StrategicMergePatchType, []byte(change), metav1.PatchOptions{}, subresources...)
	if err != nil {
		s.t.Fatal(err)
	}
}

// explained waits until the drain is explained in some words, and returns the insight.
func (s *stuck) explained(words, fact string) *updatev1alpha1.Insight {
	s.t.Helper()
	var found *updatev1alpha1.Insight
	s.until(words, func(us *updatev1alpha1.UpdateStatus) bool {
		found = healthOf(us, "Node "+s.node+" "+words)
		return found != nil && strings.Contains(found.Health.Impact.Description, fact)
	})
	return found
}

// drainStartedAt returns the start of the drain in the insight of the node, nil if there is none.
func (s *stuck) drainStartedAt(us *updatev1alpha1.UpdateStatus) *metav1.Time {
	for _, one := range insightsOf(us) {
		if one.Node != nil && one.Node.Name == s.node {
			return one.Node.DrainStartedAt
		}
	}
	return nil
}

// TestBlockedDrains plays an update in which a node is not drained, with each cause in turn, as real objects. One insight
// tells of them, and what it is told to the administrator comes through the client.
func TestBlockedDrains(t *testing.T) {
	w := newWorld(t)
	w.openShop()
	s := w.playUntilStuck()
	if asked := w.requestsAboutDrains(); len(asked) > 0 {
		t.Errorf("asked for %v before the drain took long", asked)
	}
	onNode := func(name string, options ...builders.PodOption) *corev1.Pod {
		return builders.Pod(shop, name, append([]builders.PodOption{builders.OnNode(s.node), builders.PodLabel("app", "db")}, options...)...)
	}
	ofSet := builders.OwnedBy("apps/v1", "StatefulSet", "db")
	db := map[string]string{"app": "db"}
	one := intstr.FromInt32(1)
	var first *updatev1alpha1.Insight
	client := w.newClient("get")
	after := 11 * time.Minute
	for _, test := range []struct {
		name, words, fact string
		put               func()
	}{
		{
			"maxUnavailable 0", "does not drain: a PodDisruptionBudget never allows a disruption",
			"Pod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions (desired healthy 3, currently healthy 3, expected 3), and never can: its maxUnavailable is 0.",
			func() {
				w.put(onNode("db-0", ofSet), builders.Budget(shop, "db", db, builders.MaxUnavailablePods(intstr.FromInt32(0)), builders.Disruptions(0, 3, 3, 3)))
			},
		},
		{
			"a single pod", "does not drain: a PodDisruptionBudget requires all existing pods", "because its minAvailable is 1.",
			func() {
				w.put(onNode("db-0", ofSet), builders.Budget(shop, "db", db, builders.MinAvailablePods(one), builders.Disruptions(0, 1, 1, 1)))
			},
		},
		{
			"at its limit", "does not drain: a PodDisruptionBudget currently allows no disruption", "(desired healthy 2, currently healthy 2, expected 3).",
			func() {
				w.put(onNode("db-0", ofSet), builders.Budget(shop, "db", db, builders.MaxUnavailablePods(one), builders.Disruptions(0, 2, 2, 3)))
			},
		},
		{
			"not ready", "does not drain: a PodDisruptionBudget protects pods that are not ready", "it is not ready; PodDisruptionBudget db",
			func() {
				w.put(onNode("db-0", ofSet, builders.PodReady(corev1.ConditionFalse)), builders.Budget(shop, "db", db, builders.MaxUnavailablePods(one),
					builders.UnhealthyPods(policyv1.IfHealthyBudget), builders.Disruptions(0, 2, 1, 3)))
			},
		},
		{
			"several", "does not drain: several PodDisruptionBudgets select the same pod", "PodDisruptionBudget all allows 1 disruption (",
			func() {
				w.put(onNode("db-0", ofSet), builders.Budget(shop, "all", nil, builders.MaxUnavailablePods(one), builders.Disruptions(1, 0, 1, 1)),
					builders.Budget(shop, "db", db, builders.MaxUnavailablePods(one), builders.Disruptions(1, 2, 3, 3)))
			},
		},
		{
			"a virtual machine", "does not drain: a virtual machine does not migrate", "Pod shop/virt-launcher-a of VirtualMachineInstance a.",
			func() {
				w.put(onNode("virt-launcher-a", builders.PodLabel("kubevirt.io", "virt-launcher"), builders.OwnedBy("kubevirt.io/v1", "VirtualMachineInstance", "a")))
			},
		},
		{
			"a long grace period", "does not drain: a deleted pod is stuck terminating", "it was deleted with a grace period of 1h0m0s, which ends at ",
			func() {
				w.put(onNode("slow"))
				w.deletePod("slow", time.Hour)
			},
		},
		{
			"none of these", "is taking long to drain, cause unknown", "Pod shop/plain without a controller.",
			func() { w.put(onNode("plain")) },
		},
		{
			"a finalizer", "does not drain: a deleted pod is stuck terminating", "and has the finalizers example.com/keep.",
			func() {
				w.put(onNode("kept", builders.Finalizers("example.com/keep")))
				w.deletePod("kept", 0)
				after = time.Since(s.since) + 2*time.Minute // The API server's clock is the real one.
			},
		},
		{
			"unreachable", "does not drain: the node is unreachable", "Pod shop/db-0 of StatefulSet db.",
			func() {
				w.put(onNode("db-0", ofSet))
				s.patch(`{"status":{"conditions":[{"type":"Ready","status":"Unknown","reason":"NodeStatusUnknown"}]}}`, "status")
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w.emptyShop()
			test.put()
			s.at(after)
			after += time.Minute
			found := s.explained(test.words, test.fact)
			if first == nil {
				first = found
			}
			if found.UID != first.UID || !found.Health.StartedAt.Equal(first.Health.StartedAt) {
				t.Errorf("%s since %s, was %s since %s", found.UID, found.Health.StartedAt, first.UID, first.Health.StartedAt)
			}
			// The node may be seen a moment after it was cordoned.
			if late := found.Health.StartedAt.Sub(s.since); late < 0 || late > time.Second {
				t.Errorf("since %s, the node was cordoned at %s", found.Health.StartedAt, s.since)
			}
			out, errOut, status := client.run(w.ctx, "--details", "health", "--now", w.clock.Now().Format(time.RFC3339))
			if !strings.Contains(out, "Message: Node "+s.node+" "+test.words+"\n") || !strings.Contains(out, test.fact) || errOut != "" || status != 0 {
				t.Errorf("exit status %d, %s\n%s", status, errOut, out)
			}
		})
	}
}

// TestDrainOverARestart: a drain that takes long is explained, raised to an error, explained without interruption over a
// restart of the controller, earlier where the MachineConfigNode knows better, and gone with the drain.
func TestDrainOverARestart(t *testing.T) {
	w := newWorld(t)
	w.openShop()
	s := w.playUntilStuck()
	w.put(builders.Pod(shop, "db-0", builders.OnNode(s.node)))
	s.at(10 * time.Minute)
	w.put(builders.MachineConfigPool("joined"))
	if us := w.until("a pool that joins", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-joined") != nil }); hasHealth(us) {
		t.Errorf("reported before its time: %v", insightsOf(us))
	}
	const words = "is taking long to drain, cause unknown"
	s.at(11 * time.Minute)
	before := s.explained(words, "")
	s.until("the start of the drain in the node's insight", func(us *updatev1alpha1.UpdateStatus) bool {
		return s.drainStartedAt(us).Equal(before.Health.StartedAt)
	})
	if level := before.Health.Impact.Level; level != updatev1alpha1.LevelWarning {
		t.Errorf("level %s", level)
	}
	if diff := cmp.Diff([]string{
		"GET /api/v1/pods", "GET /apis/machineconfiguration.openshift.io/v1/machineconfignodes/" + s.node,
		"GET /apis/policy/v1/namespaces/shop/poddisruptionbudgets",
	}, slices.Sorted(slices.Values(w.requestsAboutDrains()))); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	seen := len(w.observer.Versions())
	w.stop()
	w.start()
	w.remove(builders.MachineConfigPool("joined"))
	us := w.until("something new after the restart", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-joined") == nil })
	if diff := cmp.Diff(before, find(us, before.UID)); diff != "" {
		t.Errorf("the restart changed (-before +after):\n%s", diff)
	}
	if started := s.drainStartedAt(us); !started.Equal(before.Health.StartedAt) {
		t.Errorf("drainStartedAt %s after the restart, want %s", started, before.Health.StartedAt)
	}
	for _, us := range w.observer.Versions()[seen:] {
		if find(us, before.UID) == nil {
			t.Error("the insight is gone for a while")
		}
	}
	s.at(61 * time.Minute)
	w.until("an error", func(us *updatev1alpha1.UpdateStatus) bool {
		one := find(us, before.UID)
		return one != nil && one.Health.Impact.Level == updatev1alpha1.LevelError
	})

	told := s.since.Add(-time.Minute)
	for _, object := range s.simulation.Objects() {
		if node, is := object.(*corev1.Node); is && node.Name == s.node {
			w.put(builders.MachineConfigNode(s.node, node.Annotations[builders.AnnotationDesiredConfig],
				builders.Drained(metav1.ConditionUnknown, told, "Draining node: the eviction of db-0 is refused")))
		}
	}
	s.at(63 * time.Minute)
	if one := s.explained(words, "\nThe Machine Config Operator reports: Draining node: the eviction of db-0 is refused"); !one.Health.StartedAt.Time.Equal(told) {
		t.Errorf("since %s, not since %s", one.Health.StartedAt, told)
	}
	s.simulation.Unblock(s.node)
	w.play(s.simulation, nil)
	us = w.until("the end of the update", everythingUpdated)
	if find(us, before.UID) != nil || s.drainStartedAt(us) != nil {
		t.Error("the insight stays, or the start of the drain")
	}
}

const strandedSummary = "Node stranded-0 is taking long to drain, cause unknown"

// strand leaves a node that has been draining for twenty minutes by the real clock, and an object that says so.
func (w *world) strand() {
	w.t.Helper()
	w.openShop()
	w.put(builders.MachineConfig("rendered-stranded-old", oldVersion), builders.MachineConfig("rendered-stranded-new", newVersion),
		builders.MachineConfigPool("stranded", builders.Configuration("rendered-stranded-new")),
		builders.Node("stranded-0", builders.Role("worker"), builders.Role("stranded"), builders.Configs("rendered-stranded-old", "rendered-stranded-new"),
			builders.State(builders.StateWorking), builders.Drain("drain-new", "uncordon-old")),
		builders.Pod(shop, "stranded", builders.OnNode("stranded-0")))
	w.clock.SetTime(time.Now().Add(-20 * time.Minute))
	w.start()
	w.until("a node that drains", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "node-stranded-0") != nil })
	w.stop()
}
