package simulator_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// play returns the writes of a simulation up to its end.
func play(simulation *simulator.Simulation) []simulator.Write {
	var writes []simulator.Write
	for write, more := simulation.Next(); more; write, more = simulation.Next() {
		writes = append(writes, write)
	}
	return writes
}

// constantTimes makes all nodes take the same times.
func constantTimes(drain, update, reboot time.Duration) func(*rand.Rand) (time.Duration, time.Duration, time.Duration) {
	return func(*rand.Rand) (time.Duration, time.Duration, time.Duration) { return drain, update, reboot }
}

func toJSON(t *testing.T, value any) string {
	t.Helper()
	content, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestSeedDeterminesWrites(t *testing.T) {
	update := simulator.Update{Seed: 7, Start: start, HeartbeatEvery: time.Minute}
	first := toJSON(t, play(simulator.NewSimulation(update)))
	if again := toJSON(t, play(simulator.NewSimulation(update))); again != first {
		t.Error("the same seed gives other writes")
	}
	update.Seed = 8
	if other := toJSON(t, play(simulator.NewSimulation(update))); other == first {
		t.Error("another seed gives the same writes")
	}
}

// parts returns an object without its status, and its status.
func parts(t *testing.T, object simulator.Object) (map[string]any, any) {
	t.Helper()
	fields := map[string]any{}
	if err := json.Unmarshal([]byte(toJSON(t, object)), &fields); err != nil {
		t.Fatal(err)
	}
	status := fields["status"]
	delete(fields, "status")
	return fields, status
}

// TestWrites: after each write the objects are those that were written, and it changes either the status of an object or the rest of it.
func TestWrites(t *testing.T) {
	simulation := simulator.NewSimulation(simulator.Update{Seed: 3, Start: start, HeartbeatEvery: 5 * time.Minute})
	known := map[string]simulator.Object{}
	key := func(object simulator.Object) string {
		return object.GetObjectKind().GroupVersionKind().Kind + "/" + object.GetName()
	}
	for _, object := range simulation.Objects() {
		known[key(object)] = object
	}
	last := start
	for write, more := simulation.Next(); more; write, more = simulation.Next() {
		name := key(write.After)
		if write.Time.Before(last) {
			t.Fatalf("%s at %s: time goes back", name, write.Time)
		}
		last = write.Time
		before := known[name]
		known[name] = write.After
		objects := simulation.Objects()
		if len(objects) != len(known) {
			t.Fatalf("%s: %d objects, %d are written", write.Time, len(objects), len(known))
		}
		for _, object := range objects {
			if written := known[key(object)]; !equality.Semantic.DeepEqual(written, object) {
				t.Fatalf("%s: %s was changed without a write (-written +object):\n%s", write.Time, key(object), cmp.Diff(written, object))
			}
		}
		if write.Before == nil {
			continue
		}
		if !equality.Semantic.DeepEqual(before, write.Before) {
			t.Fatalf("%s is not what was written before:\n%s", name, cmp.Diff(before, write.Before))
		}
		restBefore, statusBefore := parts(t, write.Before)
		restAfter, statusAfter := parts(t, write.After)
		if write.Status && !cmp.Equal(restBefore, restAfter) || !write.Status && !cmp.Equal(statusBefore, statusAfter) {
			t.Errorf("a write of %s changes more, of its status: %t", name, write.Status)
		}
	}
}

func TestUpdateOrder(t *testing.T) {
	for seed := range uint64(20) {
		writes := play(simulator.NewSimulation(simulator.Update{Seed: seed, Start: start}))

		operators := map[string]int{}
		nodes := map[string]int{}
		begun, completed := -1, -1
		for at, write := range writes {
			switch object := write.After.(type) {
			case *configv1.ClusterOperator:
				if _, done := operators[write.Name]; !done && object.Status.Versions[0].Version == "4.20.2" {
					operators[write.Name] = at
				}
			case *corev1.Node:
				annotations := object.Annotations
				if begun < 0 {
					begun = at
				}
				done := annotations[builders.AnnotationState] == builders.StateDone &&
					annotations[builders.AnnotationCurrentConfig] == annotations[builders.AnnotationDesiredConfig]
				if _, before := nodes[write.Name]; done && !before && !object.Spec.Unschedulable {
					nodes[write.Name] = at
				}
			case *configv1.ClusterVersion:
				if object.Status.History[0].State == configv1.CompletedUpdate && write.Status {
					completed = at
				}
			}
		}
		if len(operators) != 33 || len(nodes) != 9 {
			t.Fatalf("seed %d: %d operators and %d nodes are updated", seed, len(operators), len(nodes))
		}
		for name, at := range operators {
			if name != "machine-config" && at > begun {
				t.Errorf("seed %d: %s is updated after the first node has begun", seed, name)
			}
		}
		for at := range 3 {
			if name := simulator.NodeName("master", at); nodes[name] > operators["machine-config"] {
				t.Errorf("seed %d: %s is updated after machine-config", seed, name)
			}
		}
		if operators["machine-config"] > completed {
			t.Errorf("seed %d: machine-config is updated after the ClusterVersion", seed)
		}
	}
}

func TestMaxUnavailable(t *testing.T) {
	pools := []simulator.Pool{{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 10, MaxUnavailable: 3}}
	busy := map[string]bool{}
	most := map[string]int{}
	for _, write := range play(simulator.NewSimulation(simulator.Update{Seed: 1, Start: start, Pools: pools})) {
		node, is := write.After.(*corev1.Node)
		if !is {
			continue
		}
		busy[node.Name] = node.Spec.Unschedulable
		for _, pool := range pools {
			count := 0
			for at := range pool.Nodes {
				if busy[simulator.NodeName(pool.Name, at)] {
					count++
				}
			}
			most[pool.Name] = max(most[pool.Name], count)
		}
	}
	if diff := cmp.Diff(map[string]int{"master": 1, "worker": 3}, most); diff != "" {
		t.Errorf("nodes at once (-want +got):\n%s", diff)
	}
}
