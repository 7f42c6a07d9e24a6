package integration_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
)

// TestBlockedDrain plays an update with a worker whose drain is blocked. The insight on it appears after ten minutes, survives a restart of
// the controller without a gap, and is the same for each cause in turn, as real objects; it becomes an error, takes an earlier start from
// the MachineConfigNode, and disappears with the drain.
func TestBlockedDrain(t *testing.T) {
	w := newWorld(t)
	w.createWorkloadNamespace()
	s := w.playUntilBlocked()
	w.expectNoDrainRequests()
	first := s.expectFirst()
	s.expectRestart(first)
	s.expectCauses(first)
	s.expectEarlier(first)
	s.simulation.Unblock(s.node)
	w.play(s.simulation, nil)
	us := w.until("the end of the update", everythingUpdated)
	if find(us, first.UID) != nil || s.drainStartedAt(us) != nil {
		t.Error("the insight or the start of the drain stays after the drain")
	}
}

const unknownCause = "is taking long to drain, cause unknown"

// expectFirst checks that the insight is reported when the drain has taken more than ten minutes, as a warning, with one request for the
// pods of the node and one for the budgets of their namespace.
func (s *blockedDrain) expectFirst() *updatev1alpha1.Insight {
	s.t.Helper()
	s.put(builders.Pod(shop, "db-0", builders.OnNode(s.node)))
	s.at(9*time.Minute + 50*time.Second) // at the threshold itself, the clock that is stopped would make the controller check all the time
	s.put(builders.MachineConfigPool("joined"))
	if us := s.until("a pool that joins", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-joined") != nil }); hasHealth(us) {
		s.t.Errorf("reported before its time: %v", insightsOf(us))
	}
	s.at(11 * time.Minute)
	first := s.untilCause(unknownCause, "")
	s.until("the start of the drain in the node's insight", func(us *updatev1alpha1.UpdateStatus) bool {
		return s.drainStartedAt(us).Equal(first.Health.StartedAt)
	})
	if level := first.Health.Impact.Level; level != updatev1alpha1.LevelWarning {
		s.t.Errorf("level %s", level)
	}
	// The controller may receive the node a moment after it was cordoned.
	if late := first.Health.StartedAt.Sub(s.since); late < 0 || late > time.Second {
		s.t.Errorf("since %s, the node was cordoned at %s", first.Health.StartedAt, s.since)
	}
	if diff := cmp.Diff([]string{"GET /api/v1/pods", "GET /apis/policy/v1/namespaces/shop/poddisruptionbudgets"}, slices.Sorted(slices.Values(s.drainRequests()))); diff != "" {
		s.t.Errorf("requests (-want +got):\n%s", diff)
	}
	return first
}

// expectRestart checks that a restart changes nothing of the insight.
func (s *blockedDrain) expectRestart(before *updatev1alpha1.Insight) {
	s.t.Helper()
	seen := len(s.observer.Versions())
	s.stop()
	s.start()
	s.remove(builders.MachineConfigPool("joined"))
	us := s.until("something new after the restart", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-joined") == nil })
	if diff := cmp.Diff(before, find(us, before.UID)); diff != "" {
		s.t.Errorf("the restart changed (-before +after):\n%s", diff)
	}
	if started := s.drainStartedAt(us); !started.Equal(before.Health.StartedAt) {
		s.t.Errorf("drainStartedAt %s after the restart, want %s", started, before.Health.StartedAt)
	}
	for _, us := range s.observer.Versions()[seen:] {
		if find(us, before.UID) == nil {
			s.t.Errorf("version %s lacks the insight", us.ResourceVersion)
		}
	}
}

// expectEarlier checks that the insight is an error by now, and takes an earlier start and a message from the MachineConfigNode.
func (s *blockedDrain) expectEarlier(first *updatev1alpha1.Insight) {
	s.t.Helper()
	s.deleteWorkload()
	s.put(builders.Pod(shop, "db-0", builders.OnNode(s.node)))
	s.setReady(corev1.ConditionTrue)
	earlier := s.since.Add(-time.Minute)
	for _, object := range s.simulation.Objects() {
		if node, is := object.(*corev1.Node); is && node.Name == s.node {
			s.put(builders.MachineConfigNode(s.node, node.Annotations[builders.AnnotationDesiredConfig],
				builders.Step(machineconfigv1.MachineConfigNodeUpdateCordoned, metav1.ConditionTrue, earlier, "Cordoned"),
				builders.Drained(metav1.ConditionUnknown, s.clock.Now(), "Error: the eviction of db-0 is refused")))
		}
	}
	s.at(s.clock.Since(s.since) + 2*time.Minute)
	found := s.untilCause(unknownCause, "\nThe Machine Config Operator reports: Error: the eviction of db-0 is refused")
	if !found.Health.StartedAt.Time.Equal(earlier) || found.UID != first.UID || found.Health.Impact.Level != updatev1alpha1.LevelError {
		s.t.Errorf("%s since %s, not since %s: %s", found.UID, found.Health.StartedAt, earlier, found.Health.Impact.Level)
	}
}

// expectCauses checks that each cause is reported in the same insight, and in the text of the client.
func (s *blockedDrain) expectCauses(first *updatev1alpha1.Insight) {
	s.t.Helper()
	w := s.world
	onNode := func(name string, options ...builders.PodOption) *corev1.Pod {
		return builders.Pod(shop, name, append([]builders.PodOption{builders.OnNode(s.node), builders.PodLabel("app", "db")}, options...)...)
	}
	ofSet := builders.OwnedBy("apps/v1", "StatefulSet", "db")
	db := map[string]string{"app": "db"}
	one := intstr.FromInt32(1)
	client := w.newClient("get")
	after := 12 * time.Minute
	for _, test := range []struct {
		name, words, fact string
		put               func()
	}{
		{
			name:  "maxUnavailable 0",
			words: "does not drain: a PodDisruptionBudget never allows a disruption",
			fact:  "Pod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions (desired healthy 3, currently healthy 3, expected 3), and never can: its maxUnavailable is 0.",
			put: func() {
				w.put(onNode("db-0", ofSet), builders.Budget(shop, "db", db, builders.MaxUnavailablePods(intstr.FromInt32(0)), builders.Disruptions(0, 3, 3, 3)))
			},
		},
		{
			name:  "a single pod",
			words: "does not drain: a PodDisruptionBudget requires all existing pods",
			fact:  "because its minAvailable is 1.",
			put: func() {
				w.put(onNode("db-0", ofSet), builders.Budget(shop, "db", db, builders.MinAvailablePods(one), builders.Disruptions(0, 1, 1, 1)))
			},
		},
		{
			name:  "at its limit",
			words: "does not drain: a PodDisruptionBudget currently allows no disruption",
			fact:  "(desired healthy 2, currently healthy 2, expected 3).",
			put: func() {
				w.put(onNode("db-0", ofSet), builders.Budget(shop, "db", db, builders.MaxUnavailablePods(one), builders.Disruptions(0, 2, 2, 3)))
			},
		},
		{
			name:  "not ready",
			words: "does not drain: a PodDisruptionBudget protects pods that are not ready",
			fact:  "it is not ready; PodDisruptionBudget db",
			put: func() {
				w.put(onNode("db-0", ofSet, builders.PodReady(corev1.ConditionFalse)), builders.Budget(shop, "db", db, builders.MaxUnavailablePods(one),
					builders.UnhealthyPods(policyv1.IfHealthyBudget), builders.Disruptions(0, 2, 1, 3)))
			},
		},
		{
			name:  "several",
			words: "does not drain: several PodDisruptionBudgets select the same pod",
			fact:  "PodDisruptionBudget all allows 1 disruption (",
			put: func() {
				w.put(onNode("db-0", ofSet), builders.Budget(shop, "all", nil, builders.MaxUnavailablePods(one), builders.Disruptions(1, 0, 1, 1)),
					builders.Budget(shop, "db", db, builders.MaxUnavailablePods(one), builders.Disruptions(1, 2, 3, 3)))
			},
		},
		{
			name:  "a virtual machine",
			words: "does not drain: a virtual machine does not migrate",
			fact:  "Pod shop/virt-launcher-a of VirtualMachineInstance a.",
			put: func() {
				w.put(onNode("virt-launcher-a", builders.PodLabel("kubevirt.io", "virt-launcher"), builders.OwnedBy("kubevirt.io/v1", "VirtualMachineInstance", "a")))
			},
		},
		{
			name:  "none of these",
			words: "is taking long to drain, cause unknown",
			fact:  "Pod shop/plain without a controller.",
			put:   func() { w.put(onNode("plain")) },
		},
		{
			name:  "a finalizer",
			words: "does not drain: a deleted pod is stuck terminating",
			fact:  "and has the finalizers example.com/keep.",
			put: func() {
				w.put(onNode("kept", builders.Finalizers("example.com/keep")))
				w.deletePod("kept", 0)
				after = time.Since(s.since) + 2*time.Minute // The API server sets deletion timestamps from the real clock.
			},
		},
		{
			name:  "a long grace period",
			words: "does not drain: a deleted pod is stuck terminating",
			fact:  "it was deleted with a grace period of 1h0m0s, which ends at ",
			put: func() {
				w.put(onNode("slow"))
				w.deletePod("slow", time.Hour)
			},
		},
		{
			name:  "unreachable",
			words: "does not drain: the node is unreachable",
			fact:  "Pod shop/db-0 of StatefulSet db.",
			put: func() {
				w.put(onNode("db-0", ofSet))
				s.setReady(corev1.ConditionUnknown)
			},
		},
	} {
		w.deleteWorkload()
		test.put()
		s.at(after)
		after += time.Minute
		found := s.untilCause(test.words, test.fact)
		if found.UID != first.UID || !found.Health.StartedAt.Equal(first.Health.StartedAt) {
			s.t.Errorf("%s: %s since %s, was %s since %s", test.name, found.UID, found.Health.StartedAt, first.UID, first.Health.StartedAt)
		}
		// The clock is set ahead of what the controller has confirmed, which makes the status outdated.
		out, errOut, _ := client.run(w.ctx, "--details", "health", "--now", w.clock.Now().Format(time.RFC3339))
		if !strings.Contains(out, "Message: Node "+s.node+" "+test.words+"\n") || !strings.Contains(out, test.fact) {
			s.t.Errorf("%s: %s\n%s", test.name, errOut, harness.Cut(s.t, out))
		}
	}
}
