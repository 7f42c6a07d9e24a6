package integration_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/invariants"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// TestWithoutMachineConfigPools checks that the control plane is reported without the resources of the Machine Config
// Operator, that a condition names what is missing, and that nodes are reported once the resources are installed.
func TestWithoutMachineConfigPools(t *testing.T) {
	missing := controlplane.MachineConfigResources()
	t.Parallel()
	w := newWorldOn(t, pool.Start(t, controlplane.Options{Without: missing}))
	var later, now []simulator.Object
	for _, object := range smallCluster() {
		if object.GetObjectKind().GroupVersionKind().Group == missing[0].Group {
			later = append(later, object)
		} else {
			now = append(now, object)
		}
	}
	w.put(now...)
	w.start()
	us := w.until("the control plane", func(us *updatev1alpha1.UpdateStatus) bool {
		return isAvailable(us) && find(us, "co-etcd") != nil
	})
	if reason := reasonOf(us); reason != updatev1alpha1.ReasonNoMachineConfigPools || len(us.Status.WorkerPools) != 0 {
		t.Errorf("Available is True with reason %s, worker pools are %v", reason, us.Status.WorkerPools)
	}
	if err := w.plane.Install(w.ctx, missing...); err != nil {
		t.Fatal(err)
	}
	w.put(later...)
	w.until("the nodes", func(us *updatev1alpha1.UpdateStatus) bool {
		return reasonOf(us) == updatev1alpha1.ReasonAsExpected && find(us, "node-worker-1") != nil && find(us, "mcp-worker") != nil
	})
}

// TestWithoutPermission checks that a source reports a missing permission, that the object keeps what the source has
// reported before, and that the other source goes on reporting.
func TestWithoutPermission(t *testing.T) {
	w := newWorld(t)
	w.put(smallCluster()...)
	w.start()
	before := w.until("the first report", isAvailable)
	w.stop()

	giveBack := w.take("", "nodes", "list")
	w.start()
	forbidden := w.until("the source without permission", func(us *updatev1alpha1.UpdateStatus) bool { return reasonOf(us) == "CannotListNodes" })
	if find(forbidden, "node-worker-1") == nil {
		t.Error("the nodes are gone")
	}
	w.put(builders.ClusterOperator("dns", builders.OperatorVersion(newVersion), builders.Healthy(startTime)))
	w.until("the other source", func(us *updatev1alpha1.UpdateStatus) bool {
		return isUpdated(us, "dns") && reasonOf(us) == "CannotListNodes"
	})
	w.everyOutput("nodes is forbidden", 1)
	giveBack()
	after := w.until("the source with permission", func(us *updatev1alpha1.UpdateStatus) bool { return reasonOf(us) == updatev1alpha1.ReasonAsExpected })
	if before, after := find(before, "node-worker-1"), find(after, "node-worker-1"); !before.AcquiredAt.Equal(&after.AcquiredAt) {
		t.Errorf("acquiredAt of the node is %s, was %s", after.AcquiredAt, before.AcquiredAt)
	}
	w.controller.Forgive("GET /api/v1/nodes")
}

// TestWithoutMachineConfigNodes checks that a cluster without MachineConfigNodes, as all before 4.19, is reported at once and through
// a whole update.
func TestWithoutMachineConfigNodes(t *testing.T) {
	t.Parallel()
	w := newWorldOn(t, pool.Start(t, controlplane.Options{Without: []schema.GroupResource{{Group: machineconfigv1.GroupName, Resource: "machineconfignodes"}}}))
	simulation := simulator.NewSimulation(simulator.Update{Seed: 2, Start: startTime, From: "4.18.1", To: "4.18.2"})
	w.create(simulation)
	w.start()
	w.until("the first report", func(us *updatev1alpha1.UpdateStatus) bool {
		return isAvailable(us) && reasonOf(us) == updatev1alpha1.ReasonAsExpected && find(us, "mcp-worker") != nil
	})
	isIn := func(phase insight.NodePhase) func(*updatev1alpha1.UpdateStatus) bool {
		return func(us *updatev1alpha1.UpdateStatus) bool {
			return slices.ContainsFunc(insight.ReadAll(&us.Status).Nodes, func(node *updatev1alpha1.NodeInsight) bool {
				return insight.StateOf(node).Phase == phase
			})
		}
	}
	w.play(simulation, isNode(func(node *corev1.Node) bool { return node.Spec.Unschedulable }))
	w.until("a node that drains", isIn(insight.PhaseDraining))
	w.play(simulation, isNode(func(node *corev1.Node) bool { return !isReady(node) }))
	w.until("a node that reboots", isIn(insight.PhaseRebooting))
	w.play(simulation, nil)
	w.until("the end of the update", func(us *updatev1alpha1.UpdateStatus) bool {
		return invariants.StageOf(us, "4.18.2") == invariants.StageEverything
	})
	w.stop()
	_, problems := invariants.Update{Target: "4.18.2", Operators: payload}.Check(w.observer.Versions())
	if len(problems) > 0 {
		t.Error(problems)
	}
}

// isNode returns whether a write is one of a node that is so.
func isNode(is func(*corev1.Node) bool) func(simulator.Write) bool {
	return func(write simulator.Write) bool {
		node, isNode := write.After.(*corev1.Node)
		return isNode && is(node)
	}
}

func isReady(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(one corev1.NodeCondition) bool {
		return one.Type == corev1.NodeReady && one.Status == corev1.ConditionTrue
	})
}
