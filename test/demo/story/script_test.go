package story

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// happened is what an update was like, with the times since its start.
type happened struct {
	degraded, repaired, updated, resumed, ended time.Duration
	// blocked is how long the nodes with a blocked drain were drained.
	blocked map[string]time.Duration
	// done are the nodes that run the new version.
	done []string
}

func play(t *testing.T, script *Script) happened {
	t.Helper()
	seen := happened{blocked: map[string]time.Duration{}}
	simulation := simulator.NewSimulation(script.Update)
	drains := map[string]time.Duration{}
	first := func(moment *time.Duration, is bool) {
		if is && *moment == 0 {
			*moment = seen.ended
		}
	}
	err := script.Play(simulation, func(until func(simulator.Write) bool) (bool, error) {
		for write, more := simulation.Next(); more; write, more = simulation.Next() {
			annotations := write.After.GetAnnotations()
			seen.ended = write.Time.Sub(began)
			first(&seen.degraded, isDegraded(write))
			first(&seen.repaired, seen.degraded > 0 && isOf(write, DegradedNode) && !isDegraded(write))
			first(&seen.updated, isControlPlaneUpdated(write))
			first(&seen.resumed, write.Kind == "MachineConfigPool" && write.Name == PausedPool && isResumed(write))
			for _, node := range []string{StorageNode, MachineNode} {
				switch draining := isOf(write, node) && IsDraining(write.After); {
				case draining && drains[node] == 0:
					drains[node] = seen.ended
				case isOf(write, node) && !draining && drains[node] > 0 && seen.blocked[node] == 0:
					seen.blocked[node] = seen.ended - drains[node]
				}
			}
			if write.Kind == "Node" && annotations[builders.AnnotationState] == builders.StateDone &&
				write.Before.GetAnnotations()[builders.AnnotationState] != builders.StateDone {
				seen.done = append(seen.done, write.Name)
			}
			if until(write) {
				return true, nil
			}
		}
		return false, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(seen.done)
	return seen
}

// isResumed returns whether a pool is resumed by a write.
func isResumed(write simulator.Write) bool {
	return write.Before.(*machineconfigv1.MachineConfigPool).Spec.Paused && !write.After.(*machineconfigv1.MachineConfigPool).Spec.Paused
}

func TestScript(t *testing.T) {
	var all []string
	for _, pool := range simulator.DefaultPools() {
		for at := range pool.Nodes {
			all = append(all, simulator.NodeName(pool.Name, at))
		}
	}
	slices.Sort(all)
	for seed := range uint64(10) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			const lasting = 90 * time.Second
			seen := play(t, New(seed, began, lasting))
			if diff := cmp.Diff(all, seen.done); diff != "" {
				t.Errorf("updated nodes (-want +got):\n%s", diff)
			}
			if diff := seen.ended - lasting; diff.Abs() > time.Second {
				t.Errorf("the update took %s, wanted %s", seen.ended, lasting)
			}
			if seen.degraded == 0 || seen.repaired-seen.degraded < 4*time.Second {
				t.Errorf("degraded at %s and repaired at %s: too short to be seen", seen.degraded, seen.repaired)
			}
			for _, node := range []string{StorageNode, MachineNode} {
				if seen.blocked[node] < 4*time.Second {
					t.Errorf("node %s was drained for %s: too short to be seen", node, seen.blocked[node])
				}
			}
			if seen.updated == 0 || seen.resumed < seen.updated {
				t.Errorf("control plane updated at %s, pool resumed at %s", seen.updated, seen.resumed)
			}
		})
	}
}

func TestSeedDeterminesUpdate(t *testing.T) {
	a, b := play(t, New(4, began, time.Minute)), play(t, New(4, began, time.Minute))
	if diff := cmp.Diff(a, b, cmp.AllowUnexported(happened{})); diff != "" {
		t.Errorf("the same seed played (-first +second):\n%s", diff)
	}
}

func TestPlayWriteError(t *testing.T) {
	broken := errors.New("no connection")
	script := New(1, began, time.Minute)
	err := script.Play(simulator.NewSimulation(script.Update), func(func(simulator.Write) bool) (bool, error) { return false, broken })
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
