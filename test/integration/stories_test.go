package integration_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/invariants"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// smallCluster returns two operators, a master, two workers and a node of the infra pool, in the middle of an update.
func smallCluster() []simulator.Object {
	old, done := builders.Configs("rendered-old", "rendered-old"), builders.Configs("rendered-new", "rendered-new")
	wanted := builders.Configuration("rendered-new")
	return []simulator.Object{
		smallVersion(configv1.ConditionTrue),
		builders.ClusterOperator("etcd", builders.OperatorVersion(newVersion), builders.Healthy(startTime)),
		builders.ClusterOperator("dns", builders.OperatorVersion(oldVersion), builders.Healthy(startTime)),
		builders.MachineConfig("rendered-old", oldVersion), builders.MachineConfig("rendered-new", newVersion),
		builders.MachineConfigPool("master", wanted), builders.MachineConfigPool("worker", wanted), builders.MachineConfigPool("infra", wanted),
		builders.Node("master-0", builders.Role("master"), done),
		builders.Node("worker-0", builders.Role("worker"), done),
		builders.Node("worker-1", builders.Role("worker"), old),
		builders.Node("infra-0", builders.Role("worker"), builders.Role("infra"), old),
	}
}

func smallVersion(progressing configv1.ConditionStatus) *configv1.ClusterVersion {
	return builders.ClusterVersion(
		builders.Completed(oldVersion, startTime.Add(-24*time.Hour), startTime.Add(-23*time.Hour)), builders.Partial(newVersion, startTime.Add(-time.Minute)),
		builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, progressing, startTime, "", "")),
		builders.VersionCondition(builders.Condition("Failing", configv1.ConditionFalse, startTime, "", "")),
	)
}

// uids returns the uids of all insights, by part of the cluster.
func uids(us *updatev1alpha1.UpdateStatus) map[string][]string {
	found := map[string][]string{}
	if us.Status.ControlPlane != nil {
		for _, informer := range us.Status.ControlPlane.Informers {
			for _, one := range informer.Insights {
				found["control plane"] = append(found["control plane"], one.UID)
			}
		}
	}
	for _, pool := range us.Status.WorkerPools {
		for _, informer := range pool.Informers {
			for _, one := range informer.Insights {
				found[pool.Name] = append(found[pool.Name], one.UID)
			}
		}
	}
	return found
}

// untilUIDs waits until the insights have these uids.
func (w *world) untilUIDs(what string, want map[string][]string) {
	w.t.Helper()
	matches := func(us *updatev1alpha1.UpdateStatus) bool { return cmp.Equal(want, uids(us)) }
	if _, err := w.observer.Until(w.ctx, matches); err != nil {
		w.t.Fatalf("%s: %v (-want +got):\n%s", what, err, harness.Cut(w.t, cmp.Diff(want, uids(w.get()))))
	}
}

// TestDeletedObjects checks that insights disappear, or move, with operators, nodes and pools.
func TestDeletedObjects(t *testing.T) {
	w := newWorld(t)
	objects := smallCluster()
	w.put(objects...)
	w.start()
	byName := map[string]simulator.Object{}
	for _, object := range objects {
		byName[object.GetName()] = object
	}
	w.untilUIDs("at first", map[string][]string{
		"control plane": {"cv-version", "co-dns", "co-etcd", "mcp-master", "node-master-0"},
		"worker":        {"mcp-worker", "node-worker-0", "node-worker-1"}, "infra": {"mcp-infra", "node-infra-0"},
	})
	w.remove(byName["dns"], byName["worker-0"])
	w.untilUIDs("an operator and a node are deleted", map[string][]string{
		"control plane": {"cv-version", "co-etcd", "mcp-master", "node-master-0"},
		"worker":        {"mcp-worker", "node-worker-1"}, "infra": {"mcp-infra", "node-infra-0"},
	})
	w.remove(byName["infra"])
	w.untilUIDs("a pool is deleted: its node is a worker again", map[string][]string{
		"control plane": {"cv-version", "co-etcd", "mcp-master", "node-master-0"},
		"worker":        {"mcp-worker", "node-infra-0", "node-worker-1"},
	})
	etcd := builders.ClusterOperator("etcd", builders.ThirdParty())
	w.put(etcd)
	w.untilUIDs("an operator leaves the payload", map[string][]string{
		"control plane": {"cv-version", "mcp-master", "node-master-0"},
		"worker":        {"mcp-worker", "node-infra-0", "node-worker-1"},
	})
	w.remove(smallVersion(configv1.ConditionTrue))
	w.untilUIDs("the ClusterVersion is deleted", map[string][]string{
		"control plane": {"mcp-master", "node-master-0"},
		"worker":        {"mcp-worker", "node-infra-0", "node-worker-1"},
	})
}

// TestLongRepair checks that what other clients change in the status is reverted.
func TestLongRepair(t *testing.T) {
	w := newWorld(t)
	want := w.startOn(smallCluster()...)
	w.clock.Step(time.Hour)
	for _, step := range []struct {
		name string
		do   func(us *updatev1alpha1.UpdateStatus) error
	}{
		{name: "emptied", do: func(us *updatev1alpha1.UpdateStatus) error {
			us.Status = updatev1alpha1.UpdateStatusStatus{}
			_, err := w.client.UpdateStatus(w.ctx, us, metav1.UpdateOptions{})
			return err
		}},
		{name: "edited", do: func(us *updatev1alpha1.UpdateStatus) error {
			us.Status.ControlPlane.Informers[0].Insights[0].ClusterVersion.Completion = 99
			us.Status.Conditions[0].LastTransitionTime = metav1.Now()
			_, err := w.client.UpdateStatus(w.ctx, us, metav1.UpdateOptions{})
			return err
		}},
		{name: "added to", do: func(us *updatev1alpha1.UpdateStatus) error {
			us.Status.ControlPlane.Informers = append(us.Status.ControlPlane.Informers, updatev1alpha1.Informer{Name: "their-informer"})
			_, err := w.client.UpdateStatus(w.ctx, us, metav1.UpdateOptions{})
			return err
		}},
		{name: "deleted", do: func(us *updatev1alpha1.UpdateStatus) error {
			return w.client.Delete(w.ctx, us.Name, metav1.DeleteOptions{})
		}},
	} {
		before := w.get()
		if err := step.do(before.DeepCopy()); err != nil {
			t.Fatal(err)
		}
		repaired := w.until("the repair of what was "+step.name, func(us *updatev1alpha1.UpdateStatus) bool {
			return us.ResourceVersion != before.ResourceVersion && cmp.Equal(want.Status, us.Status)
		})
		if step.name == "deleted" && repaired.UID == before.UID {
			t.Error("the object was not deleted")
		}
	}
}

// TestPausedPool checks that nodes are assessed again when their pool is paused, resumed, or gets another configuration.
func TestPausedPool(t *testing.T) {
	w := newWorld(t)
	w.put(smallCluster()...)
	w.start()
	phase := func(want string) func(*updatev1alpha1.UpdateStatus) bool {
		return func(us *updatev1alpha1.UpdateStatus) bool {
			node := find(us, "node-worker-1")
			if node == nil {
				return false
			}
			updating := meta.FindStatusCondition(node.Node.Conditions, updatev1alpha1.ConditionUpdating)
			return updating != nil && updating.Reason == want
		}
	}
	w.until("a pending node", phase(updatev1alpha1.ReasonPending))
	w.put(builders.MachineConfigPool("worker", builders.Configuration("rendered-new"), builders.Paused()))
	w.until("a paused node", phase(updatev1alpha1.ReasonPaused))
	w.put(builders.MachineConfigPool("worker", builders.Configuration("rendered-new")))
	w.until("a resumed node", phase(updatev1alpha1.ReasonPending))
	w.put(builders.Node("worker-1", builders.Role("worker"), builders.Configs("rendered-old", "rendered-new"), builders.State("Working")))
	w.until("an updating node", phase(updatev1alpha1.ReasonUpdating))
	w.put(builders.MachineConfig("rendered-newer", newVersion))
	w.put(builders.MachineConfigPool("worker", builders.Configuration("rendered-newer")))
	w.put(builders.Node("worker-1", builders.Role("worker"), builders.Configs("rendered-old", "rendered-new"), builders.State("Rebooting")))
	w.until("a node on its way to an outdated configuration", phase(updatev1alpha1.ReasonRebooting))
}

// TestLongMachineConfigWithoutRelease checks that a MachineConfig of the installed release starts no update.
func TestLongMachineConfigWithoutRelease(t *testing.T) {
	w := newWorld(t)
	w.put(smallCluster()...)
	w.startOn(updatedCluster()...)
	w.put(builders.MachineConfig("rendered-tuned", newVersion), builders.MachineConfigPool("worker", builders.Configuration("rendered-tuned")),
		builders.Node("worker-0", builders.Role("worker"), builders.Configs("rendered-new", "rendered-tuned"), builders.State(builders.StateWorking)))
	w.until("the node at work", func(us *updatev1alpha1.UpdateStatus) bool {
		return find(us, "node-worker-0").Node.Message == "Machine Config Daemon is processing the node"
	})
	for _, us := range w.observer.Versions() {
		if updating := invariants.Updating(us); len(updating) > 0 {
			t.Errorf("version %s: %v are updating", us.ResourceVersion, updating)
		}
	}
	if text := describeText(t, w.get(), describe.Options{Now: startTime.Add(time.Hour)}); text != "The cluster is not updating.\n" {
		t.Errorf("the text is:\n%s", text)
	}
}
