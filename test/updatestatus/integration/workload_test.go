package integration_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// shop is the namespace of a workload. Without a namespace controller it can't be deleted.
const shop = "shop"

// createWorkloadNamespace creates the namespace, and deletes the workload at the end of the test.
func (w *world) createWorkloadNamespace() {
	w.t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: shop}}
	if _, err := w.kube.CoreV1().Namespaces().Create(w.ctx, namespace, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		w.t.Fatal(err)
	}
	w.t.Cleanup(w.deleteWorkload)
}

// deleteWorkload deletes PodDisruptionBudgets and pods, at once as a kubelet does.
func (w *world) deleteWorkload() {
	w.t.Helper()
	ctx := context.WithoutCancel(w.ctx)
	list, err := w.kube.CoreV1().Pods(shop).List(ctx, metav1.ListOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, pod := range list.Items {
		if len(pod.Finalizers) > 0 {
			none := []byte(`{"metadata":{"finalizers":null}}`)
			if _, err := w.kube.CoreV1().Pods(shop).Patch(ctx, pod.Name, types.MergePatchType, none, metav1.PatchOptions{}); err != nil {
				w.t.Error(err)
			}
		}
	}
	now := metav1.DeleteOptions{GracePeriodSeconds: new(int64)}
	if err := w.kube.CoreV1().Pods(shop).DeleteCollection(ctx, now, metav1.ListOptions{}); err != nil {
		w.t.Error(err)
	}
	if err := w.kube.PolicyV1().PodDisruptionBudgets(shop).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		w.t.Error(err)
	}
}

// createTightBudget creates a workload of one replica with a PodDisruptionBudget that never lets it go, and its pod on a node if one is
// given.
func (w *world) createTightBudget(node string) {
	w.t.Helper()
	w.createWorkloadNamespace()
	labels, one := map[string]string{"app": "cart"}, int32(1)
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: "cart"},
		Spec: appsv1.StatefulSetSpec{
			Replicas: &one, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: builders.Pod(shop, "cart").Spec},
		},
	}
	if _, err := w.kube.AppsV1().StatefulSets(shop).Create(w.ctx, set, metav1.CreateOptions{}); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := w.kube.AppsV1().StatefulSets(shop).Delete(context.WithoutCancel(w.ctx), "cart", metav1.DeleteOptions{}); err != nil {
			w.t.Error(err)
		}
	})
	if node != "" {
		w.put(builders.Pod(shop, "cart-0", builders.OnNode(node), builders.PodLabel("app", "cart"), builders.OwnedBy("apps/v1", "StatefulSet", "cart")))
	}
	w.put(builders.Budget(shop, "cart", labels, builders.MinAvailablePods(intstr.FromInt32(1)), builders.Disruptions(0, 1, 1, 1), builders.Observed(1)))
}

// deletePod deletes a pod as an eviction does. The pod stays, as there is no kubelet to remove it.
func (w *world) deletePod(name string, grace time.Duration) {
	w.t.Helper()
	seconds := int64(grace.Seconds())
	err := w.kube.CoreV1().Pods(shop).Delete(w.ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &seconds})
	if err != nil {
		w.t.Fatal(err)
	}
}

// isDrainRequest returns whether the controller sends a request only while a drain takes long. The PodDisruptionBudgets of all
// namespaces are read to look ahead.
func isDrainRequest(request string) bool {
	return !strings.HasSuffix(request, "/policy/v1/poddisruptionbudgets") && slices.ContainsFunc([]string{"/pods", "/poddisruptionbudgets"}, func(resource string) bool {
		return strings.Contains(request, resource)
	})
}

// expectNoDrainRequests checks that the controller has sent none.
func (w *world) expectNoDrainRequests() {
	w.t.Helper()
	if requests := w.drainRequests(); len(requests) > 0 || len(w.controller.Requests()) < 10 {
		w.t.Errorf("%v of %d requests", requests, len(w.controller.Requests()))
	}
}

func (w *world) drainRequests() []string {
	return slices.DeleteFunc(w.controller.Requests(), func(request string) bool { return !isDrainRequest(request) })
}

// blockedDrain is a played update with a worker whose drain does not end.
type blockedDrain struct {
	*world

	simulation *simulator.Simulation
	node       string
	// since is when the node was cordoned.
	since time.Time
}

// playUntilBlocked plays an update until only the worker is left.
func (w *world) playUntilBlocked() *blockedDrain {
	w.t.Helper()
	created := w.playUntilDraining(smallUpdate())
	w.play(created.simulation, nil)
	return created
}

// playUntilDraining plays an update until the worker is reported as draining.
func (w *world) playUntilDraining(update simulator.Update) *blockedDrain {
	w.t.Helper()
	created := &blockedDrain{world: w, node: simulator.NodeName("worker", 0)}
	update.Start, update.Blocked = time.Now().Add(-24*time.Hour).Truncate(time.Second), map[string]bool{created.node: true}
	w.clock.SetTime(update.Start)
	created.simulation = w.startUpdate(update)
	// The version that everything runs is remembered by the summary, which is written after the first report.
	w.untilSummary("the version before the update", func(*updatev1alpha1.UpdateStatusSummary) []string { return nil })
	w.play(created.simulation, func(write simulator.Write) bool {
		node, is := write.After.(*corev1.Node)
		if !is || node.Name != created.node || !node.Spec.Unschedulable {
			return false
		}
		created.since = node.Spec.Taints[0].TimeAdded.Truncate(time.Second) // as the API server stores it
		return true
	})
	w.until("a node that drains", func(us *updatev1alpha1.UpdateStatus) bool {
		for _, one := range insightsOf(us) {
			if one.Node != nil && one.Node.Name == created.node {
				return insight.StateOf(one.Node).Phase == insight.PhaseDraining
			}
		}
		return false
	})
	return created
}

// at sets the clock to a time after the cordon, and triggers a sync of the node.
func (s *blockedDrain) at(after time.Duration) {
	s.t.Helper()
	s.clock.SetTime(s.since.Add(after))
	s.triggerSync()
}

func (s *blockedDrain) triggerSync() {
	s.t.Helper()
	s.patch(`{"metadata":{"labels":{"changed":"` + s.clock.Now().Format("20060102-150405") + `"}}}`)
}

// setReady sets whether the node is ready.
func (s *blockedDrain) setReady(status corev1.ConditionStatus) {
	s.t.Helper()
	s.patch(fmt.Sprintf(`{"status":{"conditions":[{"type":"Ready","status":%q,"reason":"NodeStatusUnknown"}]}}`, status), "status")
}

// patch changes the node.
func (s *blockedDrain) patch(change string, subresources ...string) {
	s.t.Helper()
	nodes := s.kube.CoreV1().Nodes()
	_, err := nodes.Patch(s.ctx, s.node, types.StrategicMergePatchType, []byte(change), metav1.PatchOptions{}, subresources...)
	if err != nil {
		s.t.Fatal(err)
	}
}

// untilCause waits for the insight on the drain with a summary and a part of its description, and returns it.
func (s *blockedDrain) untilCause(words, fact string) *updatev1alpha1.Insight {
	s.t.Helper()
	var found *updatev1alpha1.Insight
	s.until(words, func(us *updatev1alpha1.UpdateStatus) bool {
		found = healthOf(us, "Node "+s.node+" "+words)
		return found != nil && strings.Contains(found.Health.Impact.Description, fact)
	})
	return found
}

// drainStartedAt returns the start of the drain in the insight of the node, nil if there is none.
func (s *blockedDrain) drainStartedAt(us *updatev1alpha1.UpdateStatus) *metav1.Time {
	for _, one := range insightsOf(us) {
		if one.Node != nil && one.Node.Name == s.node {
			return one.Node.DrainStartedAt
		}
	}
	return nil
}

const strandedSummary = "Node stranded-0 is taking long to drain, cause unknown"

// createStrandedNode creates a node, and an UpdateStatus by which it has been draining for twenty minutes of the real clock.
func (w *world) createStrandedNode() {
	w.t.Helper()
	w.createWorkloadNamespace()
	w.put(builders.MachineConfig("rendered-stranded-old", oldVersion), builders.MachineConfig("rendered-stranded-new", newVersion),
		builders.MachineConfigPool("stranded", builders.Configuration("rendered-stranded-new")),
		builders.Node("stranded-0", builders.Role("worker"), builders.Role("stranded"), builders.Configs("rendered-stranded-old", "rendered-stranded-new"),
			builders.State(builders.StateWorking), builders.Drain("drain-new", "uncordon-old")),
		// The requests of kubelets for certificates are read because of it.
		builders.Node("stranded-1", builders.Role("worker"), builders.Role("stranded"), builders.Configs("rendered-stranded-old", "rendered-stranded-old"),
			builders.NotReady(time.Now().Add(-time.Hour))),
		builders.Pod(shop, "stranded", builders.OnNode("stranded-0")))
	w.clock.SetTime(time.Now().Add(-20 * time.Minute))
	w.start()
	w.until("a node that drains", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "node-stranded-0") != nil })
	w.stop()
}
