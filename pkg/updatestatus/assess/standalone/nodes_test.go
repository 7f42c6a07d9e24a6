package standalone_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// reassessed returns the names of the nodes that were assessed again between two assessments: their insights are others.
func reassessed(before, after standalone.NodesResult) string {
	known := map[insight.Subject]*insight.ScopedInsight{}
	for _, report := range before.Message.Reports {
		known[report.Subject] = &report.Insights[0]
	}
	var names []string
	for _, report := range after.Message.Reports {
		if report.Insights[0].Insight.Node != nil && known[report.Subject] != &report.Insights[0] {
			names = append(names, report.Subject.Name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// TestNodesAreReused: a node, or a pool, is assessed again only if something that it is assessed from has changed, or it is time.
func TestNodesAreReused(t *testing.T) {
	old, worker := builders.Configs("rendered-worker-old", "rendered-worker-old"), builders.Role("worker")
	in := standalone.NodesInput{
		ClusterVersion:     updating(),
		MachineConfigPools: []*machineconfigv1.MachineConfigPool{pool(), builders.MachineConfigPool("infra", builders.Configuration("rendered-worker-new"))},
		MachineConfigs:     []*metav1.PartialObjectMetadata{config("rendered-worker-old", before), config("rendered-worker-new", target)},
		Nodes: []*corev1.Node{
			builders.Node("a", worker, old), builders.Node("b", worker, old, builders.NotReady(start)), builders.Node("c", builders.Role("infra"), old),
			drainingNode(worker),
		},
		MachineConfigNodes: []*machineconfigv1.MachineConfigNode{builders.MachineConfigNode("a", "rendered-worker-old")},
	}
	assessed, now := standalone.NewNodes(assess.Observed{}), start
	last := assessed.Assess(in, now)
	if diff := cmp.Diff([]string(nil), last.LongDrains); diff != "" {
		t.Errorf("long drains (-want +got):\n%s", diff)
	}
	for _, step := range []struct {
		name, want string
		change     func()
	}{
		{"nothing", "", func() {}},
		{"the order", "", func() { slices.Reverse(in.MachineConfigPools) }},
		{"time, but not enough", "", func() { now = now.Add(time.Minute) }},
		{"another state of a node that counts as before", "a", func() { in.Nodes[0] = in.Nodes[0].DeepCopy() }},
		{"a step of a node", "a", func() { in.MachineConfigNodes = nil }},
		{"the same pool, cached again", "", func() {
			for at, one := range in.MachineConfigPools {
				in.MachineConfigPools[at] = one.DeepCopy()
				in.MachineConfigPools[at].ResourceVersion += "1"
			}
		}},
		{"another pool", "c", func() {
			in.MachineConfigPools[0] = builders.MachineConfigPool("infra", builders.Configuration("rendered-worker-new"), builders.Paused())
		}},
		{"the version of a MachineConfig of some", "node-a", func() { in.MachineConfigs[1] = config("rendered-worker-new", "4.20.9") }},
		{"it is time for one", "b", func() { now = start.Add(5*time.Minute + time.Second) }},
		{"a drain is long", "node-a", func() { now = start.Add(11 * time.Minute) }},
		{"its blockers are read", "node-a", func() { in.Blockers = map[string]*drain.Blockers{"node-a": {}} }},
		{"another update", "a b c node-a", func() { in.ClusterVersion = builders.ClusterVersion(builders.Completed("4.20.8", start, start)) }},
	} {
		step.change()
		next := assessed.Assess(in, now)
		if got := reassessed(last, next); got != step.want {
			t.Errorf("%s: assessed again: %q, want %q", step.name, got, step.want)
		}
		last = next
	}
	if diff := cmp.Diff([]string{"node-a"}, last.LongDrains); diff != "" {
		t.Errorf("long drains (-want +got):\n%s", diff)
	}
}

// TestObservedDrains: a drain goes on from what was observed before, and of a snapshot nothing was.
func TestObservedDrains(t *testing.T) {
	earlier := start.Add(-time.Hour)
	in := standalone.NodesInput{
		ClusterVersion: updating(), MachineConfigPools: []*machineconfigv1.MachineConfigPool{pool()},
		MachineConfigs: []*metav1.PartialObjectMetadata{config("rendered-worker-old", before), config("rendered-worker-new", target)},
		Nodes:          []*corev1.Node{drainingNode(builders.Role("worker"))},
	}
	startOf := func(result standalone.NodesResult) *metav1.Time {
		return result.Message.Reports[0].Insights[0].Insight.Node.DrainStartedAt
	}
	observed := standalone.NewNodes(assess.Observed{Starts: map[string]time.Time{"node-a": earlier, "gone": earlier}})
	if got := startOf(observed.Assess(in, start)); got == nil || !got.Time.Equal(earlier) {
		t.Errorf("observed before: %s", got)
	}
	if got := startOf(standalone.NewNodes(assess.Observed{}).Assess(in, start)); got == nil || !got.Time.Equal(start) {
		t.Errorf("observed now: %s", got)
	}
	in.Snapshot = true
	if got := startOf(standalone.NewNodes(assess.Observed{}).Assess(in, start)); got != nil {
		t.Errorf("in a snapshot: %s", got)
	}
}
