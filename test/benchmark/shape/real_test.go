package shape_test

import (
	"strings"
	"testing"
	"time"

	"github.com/openshift/cluster-version-operator/test/benchmark/shape"
	"github.com/openshift/cluster-version-operator/test/lag"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// TestRealMiddle: in the quarter of an hour after the middle of an update at the pace of real ones, nodes change, and some fail.
func TestRealMiddle(t *testing.T) {
	for nodes, least := range map[int]int{60: 20, 250: 100} {
		of := shape.Shape{Name: shape.Real, Nodes: nodes}
		simulation := simulator.NewSimulation(of.Update(start, 0))
		cluster := lag.NewCluster(simulation.Objects())
		changed, failed, middle := 0, 0, start.Add(of.Middle())
		write, more := simulation.Next()
		for ; more && write.Time.Before(middle); write, more = simulation.Next() {
			cluster.Put(write.After)
		}
		states := cluster.States()
		for ; more && write.Time.Before(middle.Add(15*time.Minute)); write, more = simulation.Next() {
			for _, transition := range lag.Between(states, cluster.Write(write), write.Time) {
				states[transition.Subject] = transition.State
				if transition.Subject.Kind != lag.Nodes {
					continue
				}
				changed++
				if strings.HasSuffix(transition.State, lag.Degraded) {
					failed++
				}
			}
		}
		if changed < least || changed > 6*least || failed == 0 {
			t.Errorf("%d nodes: %d changes, %d of them failed", nodes, changed, failed)
		}
	}
}
