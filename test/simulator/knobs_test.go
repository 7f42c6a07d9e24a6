package simulator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// counts are the nodes of a pool, as its status counts them.
type counts struct{ Total, Updated, Degraded int32 }

func countsOf(simulation *simulator.Simulation) map[string]counts {
	result := map[string]counts{}
	for _, object := range simulation.Objects() {
		if pool, is := object.(*machineconfigv1.MachineConfigPool); is {
			result[pool.Name] = counts{
				pool.Status.MachineCount, pool.Status.UpdatedMachineCount, pool.Status.DegradedMachineCount,
			}
		}
	}
	return result
}

func isCompleted(simulation *simulator.Simulation) bool {
	for _, object := range simulation.Objects() {
		if version, is := object.(*configv1.ClusterVersion); is {
			return version.Status.History[0].State == configv1.CompletedUpdate
		}
	}
	return false
}

func TestPlayUpdatesAllNodes(t *testing.T) {
	simulation := simulator.NewSimulation(simulator.Update{Seed: 2, Start: start})
	play(simulation)
	want := map[string]counts{"master": {3, 3, 0}, "worker": {4, 4, 0}, "infra": {2, 2, 0}}
	if diff := cmp.Diff(want, countsOf(simulation)); diff != "" {
		t.Errorf("pools (-want +got):\n%s", diff)
	}
	if !isCompleted(simulation) {
		t.Error("the update is not completed")
	}
}

func TestDegradedNodeBlocksPool(t *testing.T) {
	name := simulator.NodeName("master", 1)
	reason := "failed to drain node: pod disruption budget"
	simulation := simulator.NewSimulation(simulator.Update{Seed: 2, Start: start, Degraded: map[string]string{name: reason}})
	var told string
	for _, write := range play(simulation) {
		if node, is := write.After.(*corev1.Node); is && node.Annotations[builders.AnnotationState] == builders.StateDegraded {
			told = write.Name + ": " + node.Annotations[builders.AnnotationReason]
		}
	}
	if want := name + ": " + reason; told != want {
		t.Errorf("degraded is %q, not %q", told, want)
	}
	got := countsOf(simulation)
	if got["master"].Degraded != 1 || got["master"].Updated == 3 || got["worker"].Updated != 4 || isCompleted(simulation) {
		t.Errorf("the pools are at %v, completed %t", got, isCompleted(simulation))
	}

	simulation.Repair(name)
	play(simulation)
	if got := countsOf(simulation)["master"]; got != (counts{3, 3, 0}) || !isCompleted(simulation) {
		t.Errorf("after the repair, the pool is at %v, completed %t", got, isCompleted(simulation))
	}
}

func TestPauseAndResume(t *testing.T) {
	pools := simulator.DefaultPools()
	pools[1].Paused = true
	simulation := simulator.NewSimulation(simulator.Update{Seed: 2, Start: start, Pools: pools})
	play(simulation)
	if got := countsOf(simulation); got["worker"].Updated != 0 || got["infra"].Updated != 2 || !isCompleted(simulation) {
		t.Errorf("the pools are at %v, completed %t", got, isCompleted(simulation))
	}
	simulation.Resume("worker")
	for countsOf(simulation)["worker"].Updated == 0 {
		simulation.Next()
	}
	simulation.Pause("worker")
	play(simulation)
	if got := countsOf(simulation)["worker"]; got.Updated == 0 || got.Updated == 4 {
		t.Errorf("paused on the way, %d of 4 nodes are updated", got.Updated)
	}
	simulation.Resume("worker")
	play(simulation)
	if got := countsOf(simulation)["worker"]; got != (counts{4, 4, 0}) {
		t.Errorf("at the end, the pool is at %v", got)
	}
}

func TestHeartbeats(t *testing.T) {
	update := simulator.Update{Seed: 2, Start: start}
	quiet := len(play(simulator.NewSimulation(update)))
	update.HeartbeatEvery = time.Minute
	beats := 0
	writes := play(simulator.NewSimulation(update))
	for _, write := range writes {
		before, is := write.Before.(*corev1.Node)
		if !is || !write.Status {
			continue
		}
		before, after := before.DeepCopy(), write.After.DeepCopyObject().(*corev1.Node)
		for _, node := range []*corev1.Node{before, after} {
			for at := range node.Status.Conditions {
				node.Status.Conditions[at].LastHeartbeatTime = metav1.Time{}
			}
		}
		if cmp.Equal(before, after) {
			beats++
		}
	}
	// Nine nodes, for less than an hour.
	if beats < 200 || len(writes)-beats != quiet {
		t.Errorf("%d heartbeats, %d other writes, %d without heartbeats", beats, len(writes)-beats, quiet)
	}
}

func TestBlockedDrainBlocksPool(t *testing.T) {
	name := simulator.NodeName("worker", 0)
	simulation := simulator.NewSimulation(simulator.Update{Seed: 2, Start: start, Blocked: map[string]bool{name: true}})
	play(simulation)
	if got := countsOf(simulation); got["worker"].Updated != 0 || got["infra"].Updated != 2 {
		t.Errorf("the pools are at %v", got)
	}
	for _, object := range simulation.Objects() {
		node, is := object.(*corev1.Node)
		if !is || node.Name != name {
			continue
		}
		desired, applied := node.Annotations[builders.AnnotationDesiredDrain], node.Annotations[builders.AnnotationLastAppliedDrain]
		if desired == applied || !node.Spec.Unschedulable {
			t.Errorf("the drain is over: desired %s, applied %s", desired, applied)
		}
	}
	simulation.Unblock(name)
	play(simulation)
	if got := countsOf(simulation)["worker"]; got != (counts{4, 4, 0}) {
		t.Errorf("then the pool is at %v", got)
	}
}

// TestSlowDrain: a drain that is blocked for a while takes that much longer, and the update ends.
func TestSlowDrain(t *testing.T) {
	name := simulator.NodeName("worker", 0)
	took := func(slow map[string]time.Duration) (drain time.Duration) {
		simulation := simulator.NewSimulation(simulator.Update{Seed: 2, Start: start, SlowDrains: slow})
		var began time.Time
		for write, more := simulation.Next(); more; write, more = simulation.Next() {
			annotations := write.After.GetAnnotations()
			desired, applied := annotations[builders.AnnotationDesiredDrain], annotations[builders.AnnotationLastAppliedDrain]
			switch {
			case write.Kind != "Node" || write.Name != name || !strings.HasPrefix(desired, "drain-"):
			case desired != applied && began.IsZero():
				began = write.Time
			case desired == applied && drain == 0:
				drain = write.Time.Sub(began)
			}
		}
		if got := countsOf(simulation)["worker"]; got != (counts{4, 4, 0}) {
			t.Errorf("the pool is at %v", got)
		}
		return drain
	}
	usual, slow := took(nil), took(map[string]time.Duration{name: 5 * time.Minute})
	if longer := slow - usual; usual == 0 || longer != 5*time.Minute {
		t.Errorf("the drain took %s, usually %s", slow, usual)
	}
}
