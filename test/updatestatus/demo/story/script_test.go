package story

import (
	"fmt"
	"testing"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// TestFaults: each fault stops the update for a while that can be seen, and it completes once the cause is removed.
func TestFaults(t *testing.T) {
	const lasting = 90 * time.Second
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for _, name := range Faults() {
		script := NewFault(name, 1, start, lasting)
		simulation := simulator.NewSimulation(script.Update)
		var failed, ended time.Time
		isCompleted, failing := false, time.Duration(0)
		_ = script.Play(simulation, func(wrote func(simulator.Write)) error {
			for write, more := simulation.Next(); more; write, more = simulation.Next() {
				ended = write.Time
				switch {
				case isFailing(write) && failed.IsZero():
					failed = ended
				case isFailing(write):
					failing = ended.Sub(failed)
				}
				isCompleted = isCompleted || isControlPlaneUpdated(write)
				wrote(write)
			}
			return nil
		})
		if !isCompleted || failing < 10*time.Second || (ended.Sub(start)-lasting).Abs() > time.Second {
			t.Errorf("%s: completed %t, failing for %s, all after %s", name, isCompleted, failing, ended.Sub(start))
		}
	}
}

// TestScript plays the update in memory: it takes as long as it should, and all nodes are updated although one fails, the drain of another
// one takes some time, and a pool is paused.
func TestScript(t *testing.T) {
	const lasting = 90 * time.Second
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for seed := range uint64(10) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			script := New(seed, start, lasting)
			simulation, done := simulator.NewSimulation(script.Update), map[string]bool{}
			var ended, drained, degraded time.Time
			blocked, failed := time.Duration(0), time.Duration(0)
			err := script.Play(simulation, func(wrote func(simulator.Write)) error {
				for write, more := simulation.Next(); more; write, more = simulation.Next() {
					ended = write.Time
					switch {
					case isOf(write, StorageNode) && IsDraining(write.After) && drained.IsZero():
						drained = ended
					case isOf(write, StorageNode) && !drained.IsZero() && blocked == 0 && !IsDraining(write.After):
						blocked = ended.Sub(drained)
					case isDegraded(write) && degraded.IsZero():
						degraded = ended
					case isOf(write, DegradedNode) && !degraded.IsZero() && !isDegraded(write) && failed == 0:
						failed = ended.Sub(degraded)
					}
					annotations := write.After.GetAnnotations()
					done[write.Name] = done[write.Name] || write.Kind == "Node" && annotations[builders.AnnotationState] == builders.StateDone &&
						write.Before.GetAnnotations()[builders.AnnotationState] != builders.StateDone
					wrote(write)
				}
				return nil
			})
			if err != nil || (ended.Sub(start)-lasting).Abs() > time.Second {
				t.Errorf("it took %s, error %v", ended.Sub(start), err)
			}
			for _, pool := range simulator.DefaultPools() {
				for at := range pool.Nodes {
					if name := simulator.NodeName(pool.Name, at); !done[name] {
						t.Errorf("%s is not updated", name)
					}
				}
			}
			if blocked < 4*time.Second || failed < 4*time.Second {
				t.Errorf("a drain was blocked for %s, and a node degraded for %s: too short to be seen", blocked, failed)
			}
		})
	}
}
