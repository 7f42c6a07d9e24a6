package integration_test

import (
	"strings"
	"testing"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// TestEstimates checks when the workers will be done by the text: first as of other clusters, then by the duration of a
// node, also after a restart of the controller; and that the text explains why a paused pool has no estimate.
func TestEstimates(t *testing.T) {
	w := newWorld(t)
	old := builders.Configs("rendered-old", "rendered-old")
	w.startOn(append(smallCluster(), builders.Node("worker-2", builders.Role("worker"), old))...)
	reads := func(lines ...string) {
		t.Helper()
		text := describeWhole(t, w.get(), w.clock.Now())
		for _, line := range lines {
			if !strings.Contains(text, "\n"+line) {
				t.Errorf("the text lacks the line %q:\n%s", line, text)
			}
		}
	}
	phase := func(node string, wanted insight.NodePhase, options ...builders.NodeOption) *updatev1alpha1.NodeInsight {
		t.Helper()
		w.put(builders.Node(node, append([]builders.NodeOption{builders.Role("worker")}, options...)...))
		us := w.until(node+" is "+string(wanted), func(us *updatev1alpha1.UpdateStatus) bool {
			one := find(us, "node-"+node)
			return one != nil && insight.StateOf(one.Node).Phase == wanted
		})
		return find(us, "node-"+node).Node
	}
	drained := builders.Drain("drain-rendered-new", "uncordon-rendered-old")
	begun := builders.Configs("rendered-old", "rendered-new")
	done := builders.Configs("rendered-new", "rendered-new")
	if text := describeWhole(t, w.get(), w.clock.Now()); strings.Contains(text, "ESTIMATE") {
		t.Errorf("an estimate before the first worker:\n%s", text)
	}

	w.clock.Step(time.Minute)
	phase("worker-1", insight.PhaseDraining, begun, drained)
	reads("ESTIMATE FOR ", "control plane   in ", "worker          in 13m to 1h25m ", "infra           in 7m to 47m ")

	w.clock.Step(9 * time.Minute)
	phase("worker-1", insight.PhaseCompleted, done)
	w.clock.Step(20 * time.Second)
	next := phase("worker-2", insight.PhaseDraining, begun, drained)
	if next.EstimatedSeconds == nil || *next.EstimatedSeconds != 540 {
		t.Errorf("the second node takes %v", next.EstimatedSeconds)
	}
	reads("worker          in 6m to 21m ")

	before := w.get()
	w.restart()
	w.put(builders.MachineConfigPool("worker", builders.Configuration("rendered-new"), builders.Paused()))
	w.put(builders.Node("worker-3", builders.Role("worker"), old))
	after := w.until("a paused pool", func(us *updatev1alpha1.UpdateStatus) bool {
		one := find(us, "mcp-worker")
		return one != nil && one.MachineConfigPool.EstimatedCompletedAt == nil
	})
	if find(before, "mcp-worker").MachineConfigPool.EstimatedCompletedAt == nil || len(find(after, "mcp-worker").MachineConfigPool.NodeDurations) == 0 {
		t.Errorf("the pool was %+v and is %+v", find(before, "mcp-worker").MachineConfigPool, find(after, "mcp-worker").MachineConfigPool)
	}
	reads("worker          unknown: the pool is paused")
}
