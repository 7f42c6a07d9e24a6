package simulator_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
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

func TestResume(t *testing.T) {
	pools := simulator.DefaultPools()
	pools[1].Paused = true
	simulation := simulator.NewSimulation(simulator.Update{Seed: 2, Start: start, Pools: pools})
	play(simulation)
	if got := countsOf(simulation); got["worker"].Updated != 0 || got["infra"].Updated != 2 || !isCompleted(simulation) {
		t.Errorf("the pools are at %v, completed %t", got, isCompleted(simulation))
	}
	simulation.Resume("worker")
	play(simulation)
	if got := countsOf(simulation)["worker"]; got != (counts{4, 4, 0}) {
		t.Errorf("at the end, the pool is at %v", got)
	}
}
