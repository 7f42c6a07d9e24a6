package simulator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// assignments returns the nodes in the order in which they get a new configuration, without their domain.
func assignments(writes []simulator.Write) []string {
	var result []string
	for _, write := range writes {
		before, _ := write.Before.(*corev1.Node)
		after, is := write.After.(*corev1.Node)
		if is && before.Annotations[builders.AnnotationDesiredConfig] != after.Annotations[builders.AnnotationDesiredConfig] {
			result = append(result, strings.SplitN(write.Name, ".", 2)[0])
		}
	}
	return result
}

func ofPool(pool string, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !strings.HasPrefix(name, pool+"-") })
}

// TestOrder holds that nodes are taken by zone and then by age, but only if not all of them can be.
func TestOrder(t *testing.T) {
	for _, test := range []struct {
		name string
		pool simulator.Pool
		want []string
	}{
		{"by zone, then the oldest", simulator.Pool{Nodes: 6}, []string{"worker-0", "worker-3", "worker-1", "worker-4", "worker-2", "worker-5"}},
		{"without zones the oldest", simulator.Pool{Nodes: 3, Zones: -1}, []string{"worker-0", "worker-1", "worker-2"}},
		{"all at a time", simulator.Pool{Nodes: 4, MaxUnavailable: 4}, []string{"worker-0", "worker-1", "worker-2", "worker-3"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			writes := play(simulator.NewSimulation(simulator.Update{Seed: 1, Start: start, Pools: pools(test.pool)}))
			if diff := cmp.Diff(test.want, ofPool("worker", assignments(writes))); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOperatorNodeLast holds that the master on which the operator runs is the last one.
func TestOperatorNodeLast(t *testing.T) {
	last := map[string]bool{}
	for seed := range uint64(12) {
		masters := ofPool("master", assignments(play(simulator.NewSimulation(simulator.Update{Seed: seed, Start: start}))))
		if len(masters) != 3 {
			t.Fatalf("masters are assigned in the order %v", masters)
		}
		first := []string{masters[0], masters[1]}
		if !slices.IsSorted(first) {
			t.Errorf("of the others, which are in two zones, %s is not first", first[1])
		}
		last[masters[2]] = true
	}
	if len(last) != 3 {
		t.Errorf("the operator ran on %v only", last)
	}
}

// TestCapacity holds how many nodes are assigned although one fails: a failed node takes a place if it is cordoned, and another one
// because it fails.
func TestCapacity(t *testing.T) {
	fails := map[string]string{worker0: "disk full"}
	for _, test := range []struct {
		name           string
		maxUnavailable int
		preflight      bool
		want           int
	}{
		{"schedulable, one at a time", 1, true, 1},
		{"schedulable, two at a time", 2, true, 6},
		{"cordoned, two at a time", 2, false, 2},
		{"cordoned, three at a time", 3, false, 6},
	} {
		t.Run(test.name, func(t *testing.T) {
			script := simulator.Update{
				Seed: 1, Start: start, Degraded: fails, Preflight: map[string]bool{worker0: test.preflight},
				Pools: pools(simulator.Pool{Nodes: 6, MaxUnavailable: test.maxUnavailable}),
				// All others are much slower than the one that fails.
				NodeTimes: constantTimes(time.Minute, 2*time.Minute, 10*time.Minute),
			}
			if got := len(ofPool("worker", assignments(play(simulator.NewSimulation(script))))); got != test.want {
				t.Errorf("%d nodes were assigned, not %d", got, test.want)
			}
		})
	}
}

// TestArbiter holds that arbiters and masters take turns from 4.23 on.
func TestArbiter(t *testing.T) {
	pools := []simulator.Pool{{Name: "master", Nodes: 2}, {Name: "arbiter", Nodes: 1}}
	for version, last := range map[string]bool{"4.22": false, "4.23": true} {
		order := assignments(play(simulator.NewSimulation(simulator.Update{
			Seed: 1, Start: start, From: version + ".1", To: version + ".2", Pools: pools,
		})))
		if len(order) != 3 || (order[2] == "arbiter-0") != last {
			t.Errorf("%s: order %v", version, order)
		}
	}
	pools[0].Paused = true
	if order := assignments(play(simulator.NewSimulation(simulator.Update{Seed: 1, Start: start, From: "4.23.1", To: "4.23.2", Pools: pools}))); !slices.Equal(order, []string{"arbiter-0"}) {
		t.Errorf("with paused masters: order %v", order)
	}
}

// conditionsOf returns the conditions of a pool that are True or have words, and the counts.
func conditionsOf(pool *machineconfigv1.MachineConfigPool) string {
	counts := pool.Status
	lines := []string{fmt.Sprintf("updated %d ready %d unavailable %d degraded %d of %d", counts.UpdatedMachineCount,
		counts.ReadyMachineCount, counts.UnavailableMachineCount, counts.DegradedMachineCount, counts.MachineCount)}
	for _, condition := range counts.Conditions {
		if condition.Status == corev1.ConditionTrue || condition.Message != "" {
			lines = append(lines, strings.Join(strings.Fields(
				fmt.Sprint(condition.Type, " ", condition.Status, " ", condition.Reason, " ", condition.Message)), " "))
		}
	}
	text := strings.ReplaceAll(strings.Join(lines, "\n"), ".cluster.example.com", "")
	for version, short := range map[string]string{"4.20.1": "OLD", "4.20.2": "NEW"} {
		text = strings.ReplaceAll(text, "rendered-worker-"+builders.Digest("worker" + version)[:32], short)
		text = strings.ReplaceAll(text, builders.Digest("worker"+version), short)
	}
	return text
}

// TestPoolStatus holds the conditions of a pool with their words.
func TestPoolStatus(t *testing.T) {
	for _, test := range []struct {
		name   string
		script simulator.Update
		pool   simulator.Pool
		want   []string
	}{{
		name: "updated",
		want: []string{
			"updated 1 ready 1 unavailable 0 degraded 0 of 1\nUpdated True All nodes are updated with MachineConfig OLD",
			"updated 0 ready 0 unavailable 1 degraded 0 of 1\nUpdating True All nodes are updating to MachineConfig NEW",
			"updated 1 ready 1 unavailable 0 degraded 0 of 1\nUpdated True All nodes are updated with MachineConfig NEW",
		},
	}, {
		name: "paused", pool: simulator.Pool{Paused: true},
		want: []string{
			"updated 1 ready 1 unavailable 0 degraded 0 of 1\nUpdated True All nodes are updated with MachineConfig OLD",
			"updated 0 ready 0 unavailable 0 degraded 0 of 1\nUpdating False Pool is paused; will not update to MachineConfig NEW",
		},
	}, {
		name: "degraded", script: simulator.Update{Degraded: map[string]string{worker0: "disk full"}},
		want: []string{
			"updated 1 ready 1 unavailable 0 degraded 0 of 1\nUpdated True All nodes are updated with MachineConfig OLD",
			"updated 0 ready 0 unavailable 1 degraded 0 of 1\nUpdating True All nodes are updating to MachineConfig NEW",
			"updated 0 ready 0 unavailable 1 degraded 1 of 1\n" +
				`NodeDegraded True 1 nodes are reporting degraded status on sync Node worker-0 is reporting: "Node worker-0 upgrade failure. disk full", Node worker-0 is reporting: "disk full"` + "\n" +
				`Degraded True Node worker-0 is reporting: "Node worker-0 upgrade failure. disk full", Node worker-0 is reporting: "disk full"` + "\n" +
				"Updating True All nodes are updating to MachineConfig NEW",
		},
	}, {
		name: "image mode", pool: simulator.Pool{ImageBuild: 20 * time.Minute, BuildFails: true},
		want: []string{
			"updated 1 ready 1 unavailable 0 degraded 0 of 1\nImageBuildDegraded False BuildSuccess Build completed successfully\n" +
				"Updated True All nodes are updated with MachineConfig OLD / Image registry.example.com/os/worker@sha256:OLD",
			"updated 0 ready 0 unavailable 0 degraded 0 of 1\nImageBuildDegraded False Building New build started\n" +
				"Updating True Pool is waiting for OS image build to complete (mosb: worker-BUILD)",
			"updated 0 ready 0 unavailable 0 degraded 0 of 1\n" +
				"ImageBuildDegraded True BuildFailed Failed to build OS image for pool worker (MachineOSBuild: worker-BUILD): build failed\n" +
				"Updating True Pool is waiting for OS image build to complete (mosb: worker-BUILD)",
		},
	}} {
		t.Run(test.name, func(t *testing.T) {
			test.pool.Nodes = 1
			test.script.Seed, test.script.Start, test.script.Pools = 2, start, pools(test.pool)
			build := builders.Digest("registry.example.com/os/worker@sha256:" + builders.Digest("worker4.20.2"))[:32]
			var got []string
			for _, write := range play(simulator.NewSimulation(test.script)) {
				if pool, is := write.After.(*machineconfigv1.MachineConfigPool); is && write.Name == "worker" {
					got = append(got, strings.ReplaceAll(conditionsOf(pool), build, "BUILD"))
				}
			}
			// The first write is of the configuration, with the status before.
			if diff := cmp.Diff(test.want, slices.Compact(got)); diff != "" {
				t.Errorf("worker (-want +got):\n%s", diff)
			}
		})
	}
}

// TestImageMode holds that nodes get the image once it is built, with the configuration.
func TestImageMode(t *testing.T) {
	simulation := simulator.NewSimulation(simulator.Update{
		Seed: 2, Start: start, Pools: pools(simulator.Pool{Nodes: 2, ImageBuild: 20 * time.Minute}),
	})
	var built time.Time
	for _, write := range play(simulation) {
		switch object := write.After.(type) {
		case *machineconfigv1.MachineOSConfig:
			built = write.Time
		case *corev1.Node:
			annotations := object.Annotations
			if strings.HasPrefix(object.Name, "worker") && built.IsZero() && annotations[builders.AnnotationState] != builders.StateDone {
				t.Errorf("%s is updated before its image is built", object.Name)
			}
		}
	}
	want := "registry.example.com/os/worker@sha256:" + builders.Digest("worker4.20.2")
	for _, object := range simulation.Objects() {
		if node, is := object.(*corev1.Node); is && strings.HasPrefix(node.Name, "worker") {
			if got := node.Annotations[builders.AnnotationCurrentImage]; got != want {
				t.Errorf("%s has the image %s", node.Name, got)
			}
		}
	}
}
