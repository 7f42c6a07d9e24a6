package integration_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// TestLongSecondUpdate updates a cluster twice, with a worker that does not drain for the first update because of a PodDisruptionBudget: it
// still does not when the second update is asked for, when it is accepted, and when only the workers are left of it. At each step the
// object, its summary and the text say so, also after a restart of the controller.
func TestLongSecondUpdate(t *testing.T) {
	w := newWorld(t)
	s := &secondUpdate{blockedDrain: w.playUntilDraining(simulator.Update{
		Seed: 5, From: "4.22.1", To: "4.22.2", Pools: []simulator.Pool{{Name: "master", Nodes: 1}, {Name: "worker", Nodes: 3}},
		Operators: smallOperators, AtLeast: 28 * time.Minute,
	})}
	s.client = w.newClient("get")
	s.block()
	s.request()
	s.accept()
	s.restartController()
	s.completeControlPlane()
	s.unblock()
	s.complete()
	s.checkVersions()
	s.checkRecords()
}

// secondUpdate is a drain that is blocked through two updates.
type secondUpdate struct {
	*blockedDrain

	client *client
	// blocked is the insight on the drain as it was first, and versions is how many versions of the object there were when it ended.
	blocked  *updatev1alpha1.Insight
	versions int
}

const (
	cartBlocks = "does not drain: a PodDisruptionBudget requires all existing pods"
	// waitsForCart is what both updates wait for.
	waitsForCart = "PodDisruptionBudget shop/cart requires all existing pods → node worker-0.cluster.example.com has been draining for … → pool worker"
	onItsWay     = "The node is on its way to 4.22.2, and to be updated to 4.22.3 afterwards"
)

// block lets the first update wait for the worker alone.
func (s *secondUpdate) block() {
	s.t.Helper()
	s.createTightBudget(s.node)
	s.play(s.simulation, nil)
	s.triggerSync()
	s.blocked = s.untilCause(cartBlocks, "Pod shop/cart-0 of StatefulSet cart: PodDisruptionBudget cart allows 0 disruptions")
	if started := s.blocked.Health.StartedAt; !started.Time.Equal(s.since) {
		s.t.Errorf("blocked since %s, the node was cordoned at %s", started, s.since)
	}
	s.expect("blocked", s.ofFirstUpdate(), "Updating from 4.22.1 to 4.22.2 for …: the workers", "Waiting for    "+waitsForCart)
}

// ofFirstUpdate is what is read while the first update waits for the worker.
func (s *secondUpdate) ofFirstUpdate() updateReading {
	return updateReading{
		Versions: "4.22.1 to 4.22.2, completed 4.22.1", Reason: updatev1alpha1.ReasonWorkers,
		Message: "The control plane is updated to 4.22.2; pool worker is still updating; finish unknown: node worker-0.cluster.example.com holds up the update",
		Nodes: map[string]string{
			"master-0": "4.22.2 Completed", "worker-0": "4.22.1 Draining", "worker-1": "4.22.1 Pending", "worker-2": "4.22.1 Pending",
		},
		Progress: "1/4 completed, 1 updating, 2 pending", WaitingFor: waitsForCart, Health: []string{"Node " + s.node + " " + cartBlocks},
	}
}

// request asks for the second update. Until it is accepted nothing is reported of it.
func (s *secondUpdate) request() {
	s.t.Helper()
	s.simulation.Request("4.22.3")
	s.play(s.simulation, func(write simulator.Write) bool { return write.Kind == "ClusterVersion" })
	s.triggerSync()
	s.expect("requested", s.ofFirstUpdate(), "Updating from 4.22.1 to 4.22.2 for …: the workers", "Waiting for    "+waitsForCart)
}

// accept lets the second update start.
func (s *secondUpdate) accept() {
	s.t.Helper()
	s.play(s.simulation, func(write simulator.Write) bool {
		version, is := write.After.(*configv1.ClusterVersion)
		return is && version.Status.History[0].Version == "4.22.3"
	})
	s.expect("accepted", s.ofAccepted(), "Updating from 4.22.2 to 4.22.3: the control plane and the workers", "Waiting for    "+waitsForCart)
}

// ofAccepted is what is read when the second update has started.
func (s *secondUpdate) ofAccepted() updateReading {
	reading := s.ofFirstUpdate()
	reading.Versions = "4.22.2 to 4.22.3, completed 4.22.1"
	reading.Reason = updatev1alpha1.ReasonControlPlaneAndWorkers
	reading.Message = "The control plane is being updated to 4.22.3; pool worker is still being updated to an earlier version; finish unknown: node worker-0.cluster.example.com holds up the update"
	reading.Nodes["master-0"], reading.NodeMessage, reading.Progress = "4.22.2 Pending", onItsWay, "0/4 completed, 1 updating, 3 pending"
	return reading
}

// restartController restarts the controller, which goes on with what it knew.
func (s *secondUpdate) restartController() {
	s.t.Helper()
	s.stop()
	s.start()
	s.put(builders.MachineConfigPool("joined"))
	s.until("a report of the restarted controller", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-joined") != nil })
	s.remove(builders.MachineConfigPool("joined"))
	s.expect("restarted", s.ofAccepted(), "Updating from 4.22.2 to 4.22.3: the control plane and the workers")
}

// completeControlPlane lets the second update wait for the workers alone.
func (s *secondUpdate) completeControlPlane() {
	s.t.Helper()
	s.play(s.simulation, nil)
	s.triggerSync()
	reading := s.ofAccepted()
	reading.Reason = updatev1alpha1.ReasonWorkers
	reading.Message = "The control plane is updated to 4.22.3; pool worker is still updating; finish unknown: node worker-0.cluster.example.com holds up the update"
	reading.Nodes["master-0"], reading.Progress = "4.22.3 Completed", "1/4 completed, 1 updating, 2 pending"
	s.expect("the control plane is complete", reading, "Updating from 4.22.2 to 4.22.3 for …: the workers", "Waiting for    "+waitsForCart)
	s.versions = len(s.observer.Versions())
}

// unblock lets the worker be done with the first update.
func (s *secondUpdate) unblock() {
	s.t.Helper()
	s.deleteWorkload()
	s.simulation.Unblock(s.node)
	s.playUntilRebooting("4.22.1")
	s.play(s.simulation, func(write simulator.Write) bool {
		node, is := write.After.(*corev1.Node)
		return is && node.Name == s.node && node.Annotations[builders.AnnotationState] == builders.StateDone
	})
	s.expect("done with the first update", updateReading{
		Versions: "4.22.2 to 4.22.3, completed 4.22.1", Reason: updatev1alpha1.ReasonWorkers, Message: "The control plane is updated to 4.22.3; pool worker is still updating",
		Nodes: map[string]string{
			"master-0": "4.22.3 Completed", "worker-0": "4.22.2 Pending", "worker-1": "4.22.1 Pending", "worker-2": "4.22.1 Pending",
		},
		Progress: "1/4 completed, 0 updating, 3 pending", HasEstimate: true,
	}, "Updating from 4.22.2 to 4.22.3 for …: the workers")
}

// playUntilRebooting plays until the worker reboots that runs a version.
func (s *secondUpdate) playUntilRebooting(version string) {
	s.t.Helper()
	s.play(s.simulation, func(write simulator.Write) bool {
		node, is := write.After.(*corev1.Node)
		return is && node.Name == s.node && node.Annotations[builders.AnnotationPostConfigAction] == builders.PostConfigActionRebooting
	})
	s.until("a reboot", func(us *updatev1alpha1.UpdateStatus) bool {
		node := find(us, insight.UID("node", s.node))
		return node != nil && node.Node.Version == version && insight.StateOf(node.Node).Phase == insight.PhaseRebooting
	})
}

// complete plays the second update to its end.
func (s *secondUpdate) complete() {
	s.t.Helper()
	s.playUntilRebooting("4.22.2")
	s.play(s.simulation, nil)
	s.expect("complete", updateReading{
		Versions: "4.22.2 to 4.22.3, completed 4.22.3", Reason: updatev1alpha1.ReasonCompleted, Message: "The update to 4.22.3 is complete",
		Nodes: map[string]string{
			"master-0": "4.22.3 Completed", "worker-0": "4.22.3 Completed", "worker-1": "4.22.3 Completed", "worker-2": "4.22.3 Completed",
		},
		Progress: "4/4 completed, 0 updating, 0 pending",
	}, "Updated to 4.22.3 at ")
	s.stop()
}

// checkVersions checks all versions of the object: the drain has one start, and the worker goes through both updates.
func (s *secondUpdate) checkVersions() {
	s.t.Helper()
	watcher, isBlocked := invariants.Watcher{Operators: len(smallOperators)}, false
	var steps []string
	for at, us := range s.observer.Versions() {
		for _, problem := range watcher.Next(us) {
			s.t.Errorf("version %s: %s", us.ResourceVersion, problem)
		}
		blocked, nodes := find(us, s.blocked.UID), insight.ReadAll(insight.StatusWithListedNodes(&us.Status)).Nodes
		isBlocked = isBlocked || blocked != nil
		if isBlocked && at < s.versions && (blocked == nil || !blocked.Health.StartedAt.Equal(s.blocked.Health.StartedAt) || !s.drainStartedAt(us).Equal(s.blocked.Health.StartedAt)) {
			s.t.Errorf("version %s: blocked %v, the node drains since %s", us.ResourceVersion, blocked, s.drainStartedAt(us))
		}
		for _, node := range nodes {
			if node.Name == s.node {
				steps = append(steps, node.Version+" "+string(insight.StateOf(node).Phase))
			}
		}
	}
	checkOrder(s.t, slices.Compact(steps), "4.22.1 Completed", "4.22.1 Pending", "4.22.1 Draining", "4.22.1 Rebooting", "4.22.2 Pending", "4.22.2 Rebooting", "4.22.3 Completed")
}

// checkRecords checks how the updates ended by their records.
func (s *secondUpdate) checkRecords() {
	s.t.Helper()
	records := s.records()
	if len(records) != 2 {
		s.t.Fatalf("%d records", len(records))
	}
	for at, want := range []struct {
		versions updatev1alpha1.SummaryVersions
		result   updatev1alpha1.UpdateResult
	}{
		{updatev1alpha1.SummaryVersions{Previous: "4.22.2", Target: "4.22.3"}, updatev1alpha1.ResultCompleted},
		{updatev1alpha1.SummaryVersions{Previous: "4.22.1", Target: "4.22.2"}, updatev1alpha1.ResultPartial},
	} {
		if got := records[at].Status; got.Versions != want.versions || got.Result != want.result || got.ControlPlane.CompletedAt == nil {
			s.t.Errorf("record %s: %+v", records[at].Name, got)
		}
	}
}
