package shape_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/benchmark/shape"
	"github.com/openshift/cluster-version-operator/test/updatestatus/lag"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// played is what changes in a part of an update.
type played struct {
	changed, failed int
	// first and rendered are when the first write but a heartbeat is made, and the first MachineConfig rendered; last is the end.
	first, rendered, last time.Time
}

// play plays an update, and counts the changes of nodes between two moments.
func play(update simulator.Update, from, to time.Time) played {
	var seen played
	simulation := simulator.NewSimulation(update)
	cluster := lag.NewCluster(simulation.Objects())
	states := cluster.States()
	for write, more := simulation.Next(); more && write.Time.Before(to); write, more = simulation.Next() {
		seen.last = write.Time
		if seen.first.IsZero() && write.Kind != "Node" {
			seen.first = write.Time
		}
		if seen.rendered.IsZero() && write.Before == nil {
			seen.rendered = write.Time
		}
		for _, transition := range lag.Between(states, cluster.Write(write), write.Time) {
			states[transition.Subject] = transition.State
			if transition.Subject.Kind != lag.Nodes || write.Time.Before(from) {
				continue
			}
			seen.changed++
			if strings.HasSuffix(transition.State, lag.Degraded) {
				seen.failed++
			}
		}
	}
	return seen
}

// TestRate: nodes change at the rate that docs/updatestatus/benchmark.md names, after a quiet minute, and a Node has about 10 KB.
func TestRate(t *testing.T) {
	of, ever := shape.Shape{Name: shape.Plain, Nodes: 60}, start.AddDate(1, 0, 0)
	seen := play(of.Update(start, time.Minute), start, ever)
	if want := 6 * of.Nodes; seen.changed != want {
		t.Errorf("nodes changed %d times, want %d", seen.changed, want)
	}
	if rate := float64(seen.changed) / seen.last.Sub(seen.rendered).Seconds(); rate < 0.9*6.2 || rate > 1.1*6.2 {
		t.Errorf("%.1f changes a second", rate)
	}
	if quiet, operators := seen.first.Sub(start).Round(time.Second), seen.rendered.Sub(seen.first); quiet != time.Minute || operators > 45*time.Second {
		t.Errorf("the update starts after %s, and operators took %s", quiet, operators)
	}
	for _, object := range simulator.NewSimulation(of.Update(start, 0)).Objects() {
		if node, isNode := object.(*corev1.Node); isNode {
			if content, err := json.Marshal(node); err != nil || len(content) < 9<<10 || len(content) > 12<<10 {
				t.Errorf("a node has %d bytes, error %v", len(content), err)
			}
		}
	}
}

// TestRealMiddle: in the quarter of an hour after the middle of an update at the pace of real ones, nodes change, and some fail.
func TestRealMiddle(t *testing.T) {
	of := shape.Shape{Name: shape.Real, Nodes: 60}
	middle := start.Add(of.Middle())
	if seen := play(of.Update(start, 0), middle, middle.Add(15*time.Minute)); seen.changed < 20 || seen.changed > 120 || seen.failed == 0 {
		t.Errorf("%d changes, %d of them failed", seen.changed, seen.failed)
	}
}
