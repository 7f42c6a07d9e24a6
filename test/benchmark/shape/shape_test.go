package shape_test

import (
	"encoding/json"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/benchmark/shape"
	"github.com/openshift/cluster-version-operator/test/lag"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// TestRate plays each shape: nodes change at its rate, after a quiet period.
func TestRate(t *testing.T) {
	const quiet = time.Minute
	for _, tc := range []struct {
		of        shape.Shape
		perSecond float64
		// fails is how many nodes stay on their way.
		fails int
	}{
		{of: shape.Shape{Name: shape.Plain, Nodes: 6}, perSecond: 0.72},
		{of: shape.Shape{Name: shape.Plain, Nodes: 60}, perSecond: 7.2},
		{of: shape.Shape{Name: shape.Plain, Nodes: 250}, perSecond: 30},
		{of: shape.Shape{Name: shape.ManyPools, Nodes: 60}, perSecond: 7.2},
		{of: shape.Shape{Name: shape.OnePool, Nodes: 60}, perSecond: 7.2},
		{of: shape.Shape{Name: shape.Operators, Nodes: 60}, perSecond: 7.2},
		{of: shape.Shape{Name: shape.Health, Nodes: 60}, perSecond: 7.2, fails: 31},
	} {
		if err := tc.of.Validate(); err != nil {
			t.Fatal(err)
		}
		simulation := simulator.NewSimulation(tc.of.Update(start, quiet))
		cluster := lag.NewCluster(simulation.Objects())
		states := cluster.States()
		changed, updateStart, rendered, last := 0, time.Time{}, time.Time{}, start
		for write, more := simulation.Next(); more; write, more = simulation.Next() {
			last = write.Time
			if updateStart.IsZero() && write.Kind != "Node" {
				updateStart = last
			}
			if rendered.IsZero() && write.Before == nil {
				rendered = last
			}
			for _, transition := range lag.Between(states, cluster.Write(write), last) {
				states[transition.Subject] = transition.State
				if transition.Subject.Kind == lag.Nodes {
					changed++
				}
			}
		}
		// A node that fails is degraded instead of rebooting and completed.
		if want := 7*tc.of.Nodes - tc.fails; changed != want {
			t.Errorf("%v: nodes changed %d times, want %d", tc.of, changed, want)
		}
		took := last.Sub(rendered).Seconds()
		if rate := float64(changed+tc.fails) / took; rate < 0.9*tc.perSecond || rate > 1.1*tc.perSecond {
			t.Errorf("%v: %.1f transitions a second, want %.1f", tc.of, rate, tc.perSecond)
		}
		if got := updateStart.Sub(start).Round(time.Second); got != quiet {
			t.Errorf("%v: the update starts after %s", tc.of, got)
		}
		if got := rendered.Sub(updateStart); got > 45*time.Second {
			t.Errorf("%v: operators took %s", tc.of, got)
		}
	}
}

func TestObjectSizes(t *testing.T) {
	for _, tc := range []struct {
		of         shape.Shape
		pools      int
		config, in int
	}{
		{of: shape.Shape{Name: shape.Plain, Nodes: 60}, pools: 5, config: 300 << 10, in: 450 << 10},
		{of: shape.Shape{Name: shape.ManyPools, Nodes: 503}, pools: 502, config: 60 << 10, in: 90 << 10},
	} {
		nodes, pools := 0, 0
		for _, object := range simulator.NewSimulation(tc.of.Update(start, 0)).Objects() {
			content, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			switch object.(type) {
			case *corev1.Node:
				nodes++
				if size := len(content); size < 9<<10 || size > 12<<10 {
					t.Fatalf("%v: a node has %d bytes", tc.of, size)
				}
			case *machineconfigv1.MachineConfig:
				if size := len(content); size < tc.config || size > tc.in {
					t.Fatalf("%v: a MachineConfig has %d bytes", tc.of, size)
				}
			case *machineconfigv1.MachineConfigPool:
				pools++
			}
		}
		if nodes != tc.of.Nodes || pools != tc.pools {
			t.Errorf("%v has %d nodes and %d pools", tc.of, nodes, pools)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, wrong := range []shape.Shape{{Name: "round", Nodes: 60}, {Name: shape.Plain, Nodes: 3}} {
		if wrong.Validate() == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
}
