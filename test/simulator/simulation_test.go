package simulator_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/simulator"
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

func TestWriteChangesStatusOrRest(t *testing.T) {
	simulation := simulator.NewSimulation(simulator.Update{Seed: 3, Start: start, HeartbeatEvery: 5 * time.Minute})
	known := map[string]simulator.Object{}
	for _, object := range simulation.Objects() {
		known[object.GetObjectKind().GroupVersionKind().Kind+"/"+object.GetName()] = object
	}
	last := start
	for _, write := range play(simulation) {
		key := write.Kind + "/" + write.Name
		if write.Time.Before(last) {
			t.Fatalf("%s at %s: time goes back", key, write.Time)
		}
		last = write.Time
		before, exists := known[key]
		known[key] = write.After
		if write.Before == nil {
			if exists {
				t.Errorf("%s is created again", key)
			}
			continue
		}
		if diff := cmp.Diff(before, write.Before); diff != "" {
			t.Fatalf("%s is not what was written before:\n%s", key, diff)
		}
		restBefore, statusBefore := parts(t, write.Before)
		restAfter, statusAfter := parts(t, write.After)
		if write.Status && !cmp.Equal(restBefore, restAfter) {
			t.Errorf("a write of the status of %s changes more", key)
		}
		if !write.Status && !cmp.Equal(statusBefore, statusAfter) {
			t.Errorf("a write of %s changes its status", key)
		}
	}
	for _, object := range simulation.Objects() {
		key := object.GetObjectKind().GroupVersionKind().Kind + "/" + object.GetName()
		if diff := cmp.Diff(object, known[key], cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s was changed without a write:\n%s", key, diff)
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

func TestLasting(t *testing.T) {
	update := simulator.Update{Seed: 5, Start: start}.Lasting(2 * time.Minute)
	writes := play(simulator.NewSimulation(update))
	took := writes[len(writes)-1].Time.Sub(start)
	if took.Round(time.Millisecond) != 2*time.Minute {
		t.Errorf("the update takes %s", took)
	}
}

// TestScale holds that at another scale the same is written, faster.
func TestScale(t *testing.T) {
	script := simulator.Update{
		Seed: 5, Start: start, AtLeast: 3 * time.Hour, FailingOperators: map[string]string{"dns": "no pods"},
		Blocked: map[string]bool{worker0: true}, Degraded: map[string]string{simulator.NodeName("infra", 0): "disk full"},
	}
	written := func(scale float64) (lines []string, last time.Duration) {
		script.Scale = scale
		simulation := simulator.NewSimulation(script)
		for _, repair := range []func(){func() {}, func() { simulation.RepairOperator("dns") }} {
			repair()
			for _, write := range play(simulation) {
				lines = append(lines, write.Kind+" "+write.Name)
				last = write.Time.Sub(start)
			}
		}
		return lines, last
	}
	slow, took := written(1)
	fast, tookFast := written(0.01)
	if diff := cmp.Diff(slow, fast); diff != "" {
		t.Errorf("writes (-slow +fast):\n%s", diff)
	}
	if wanted := took / 100; tookFast.Round(time.Millisecond) != wanted.Round(time.Millisecond) {
		t.Errorf("it takes %s, not %s", tookFast, wanted)
	}
}

// TestObjectsAfterEachWrite: the objects are those that have been written, also between the writes of a moment.
func TestObjectsAfterEachWrite(t *testing.T) {
	simulation := simulator.NewSimulation(simulator.Update{Seed: 3, Start: start})
	written := map[string]simulator.Object{}
	key := func(object simulator.Object) string {
		return object.GetObjectKind().GroupVersionKind().Kind + " " + object.GetName()
	}
	for _, object := range simulation.Objects() {
		written[key(object)] = object
	}
	for write, more := simulation.Next(); more; write, more = simulation.Next() {
		written[key(write.After)] = write.After
		objects := simulation.Objects()
		if len(objects) != len(written) {
			t.Fatalf("%s: %d objects, %d are written", write.Time, len(objects), len(written))
		}
		for _, object := range objects {
			if diff := cmp.Diff(written[key(object)], object); diff != "" {
				t.Fatalf("%s of %s %s (-written +object):\n%s", write.Time, write.Kind, write.Name, diff)
			}
		}
	}
}
