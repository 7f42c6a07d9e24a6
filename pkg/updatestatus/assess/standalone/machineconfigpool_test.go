package standalone_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// nodes parses a letter for each node: c completed, p pending, x paused, d draining, u updating, r rebooting; upper
// case is degraded, a following ! is unavailable.
func nodes(word string) []insight.NodeState {
	phases := map[rune]insight.NodePhase{
		'c': insight.PhaseCompleted, 'p': insight.PhasePending, 'x': insight.PhasePaused,
		'd': insight.PhaseDraining, 'u': insight.PhaseUpdating, 'r': insight.PhaseRebooting,
	}
	var states []insight.NodeState
	for _, letter := range word {
		if letter == '!' {
			states[len(states)-1].Available = false
			continue
		}
		lower := []rune(strings.ToLower(string(letter)))[0]
		states = append(states, insight.NodeState{
			Phase:        phases[lower],
			Updating:     strings.ContainsRune("dur", lower),
			Available:    true,
			Degraded:     lower != letter,
			VersionKnown: true,
		})
	}
	return states
}

func poolInsight(t *testing.T, states []insight.NodeState, paused bool, release standalone.Target) *updatev1alpha1.MachineConfigPoolInsight {
	t.Helper()
	wants := pool()
	if paused {
		wants = pool(builders.Paused())
	}
	report := standalone.MachineConfigPool(standalone.MachineConfigPoolInput{Pool: wants, Nodes: insight.CountNodes(states...), Target: release}, start).Report
	return report.Insights[0].Insight.MachineConfigPool
}

func TestMachineConfigPool(t *testing.T) {
	release := standalone.Target{Known: true, Version: target}
	for _, test := range []struct {
		nodes  string
		paused bool
		want   string
	}{
		{
			want: "Completed 100% False Completed | Total 0, Available 0, Progressing 0, Outdated 0, Draining 0, Excluded 0, Degraded 0",
		},
		{
			nodes: "ccc",
			want:  "Completed 100% False Completed | Total 3, Available 3, Progressing 0, Outdated 0, Draining 0, Excluded 0, Degraded 0",
		},
		{
			nodes:  "ccc",
			paused: true,
			want:   "Completed 100% False Completed | Total 3, Available 3, Progressing 0, Outdated 0, Draining 0, Excluded 0, Degraded 0",
		},
		{
			nodes: "ppp!",
			want:  "Pending 0% False Pending | Total 3, Available 2, Progressing 0, Outdated 3, Draining 0, Excluded 0, Degraded 0",
		},
		{
			nodes: "d!pp",
			want:  "Progressing 0% True Progressing | Total 3, Available 2, Progressing 1, Outdated 3, Draining 1, Excluded 0, Degraded 0",
		},
		{
			nodes: "r!u!d!c",
			want:  "Progressing 25% True Progressing | Total 4, Available 1, Progressing 3, Outdated 3, Draining 1, Excluded 0, Degraded 0",
		},
		{
			nodes: "cpp",
			want:  "Progressing 33% True Progressing | Total 3, Available 3, Progressing 0, Outdated 2, Draining 0, Excluded 0, Degraded 0",
		},
		{
			nodes: "ccp",
			want:  "Progressing 67% True Progressing | Total 3, Available 3, Progressing 0, Outdated 1, Draining 0, Excluded 0, Degraded 0",
		},
		{
			nodes: "D!cpp",
			want:  "Degraded 25% True Progressing | Total 4, Available 3, Progressing 0, Outdated 3, Draining 1, Excluded 0, Degraded 1",
		},
		{
			nodes:  "xxx",
			paused: true,
			want:   "Excluded 0% False Excluded | Total 3, Available 3, Progressing 0, Outdated 3, Draining 0, Excluded 3, Degraded 0",
		},
		{
			nodes:  "cxx",
			paused: true,
			want:   "Excluded 33% False Excluded | Total 3, Available 3, Progressing 0, Outdated 2, Draining 0, Excluded 2, Degraded 0",
		},
		{
			nodes:  "uxx",
			paused: true,
			want:   "Excluded 0% True Progressing | Total 3, Available 3, Progressing 1, Outdated 3, Draining 0, Excluded 2, Degraded 0",
		},
		{
			nodes: strings.Repeat("c", 199) + "p",
			want:  "Progressing 99% True Progressing | Total 200, Available 200, Progressing 0, Outdated 1, Draining 0, Excluded 0, Degraded 0",
		},
	} {
		t.Run(fmt.Sprintf("%.8s paused=%t", test.nodes, test.paused), func(t *testing.T) {
			if got := poolLine(poolInsight(t, nodes(test.nodes), test.paused, release)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func poolLine(pool *updatev1alpha1.MachineConfigPoolInsight) string {
	var counts []string
	for _, summary := range pool.Summaries {
		counts = append(counts, fmt.Sprintf("%s %d", summary.Type, summary.Count))
	}
	return fmt.Sprintf("%s %d%% %s %s | %s", pool.Assessment, pool.Completion,
		pool.Conditions[0].Status, pool.Conditions[0].Reason, strings.Join(counts, ", "))
}

// TestPoolWithNewNode expects no update because of a node that has just joined, whose version is unknown.
func TestPoolWithNewNode(t *testing.T) {
	joined := append(nodes("cc"), insight.NodeState{Phase: insight.PhasePending})
	want := "Progressing 67% False Pending | Total 3, Available 2, Progressing 0, Outdated 1, Draining 0, Excluded 0, Degraded 0"
	if got := poolLine(poolInsight(t, joined, false, standalone.Target{Known: true, Version: target})); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestPoolWithoutHistory(t *testing.T) {
	got := poolInsight(t, nodes("p"), false, standalone.Target{})
	if got.Conditions[0].Reason != updatev1alpha1.ReasonCannotDetermine || got.Assessment != updatev1alpha1.AssessmentUnknown {
		t.Errorf("Updating is %s, the pool %s", got.Conditions[0].Reason, got.Assessment)
	}
}

func TestPoolIgnoresOrderOfNodes(t *testing.T) {
	states := nodes("cCd!u!xpPr")
	release := standalone.Target{Known: true, Version: target}
	want := poolLine(poolInsight(t, states, false, release))
	rapid.Check(t, func(rt *rapid.T) {
		if got := poolLine(poolInsight(t, rapid.Permutation(states).Draw(rt, "nodes"), false, release)); got != want {
			rt.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// TestMaxUnavailable expects the rounding of the Machine Config Operator.
func TestMaxUnavailable(t *testing.T) {
	number := func(nodes int32) *intstr.IntOrString { return &intstr.IntOrString{Type: intstr.Int, IntVal: nodes} }
	share := func(of string) *intstr.IntOrString { return &intstr.IntOrString{Type: intstr.String, StrVal: of} }
	for _, test := range []struct {
		pool           string
		maxUnavailable *intstr.IntOrString
		nodes          int
		want           int32
	}{
		{pool: "worker", nodes: 9, want: 1},
		{pool: "worker", maxUnavailable: number(3), nodes: 9, want: 3},
		{pool: "worker", maxUnavailable: number(0), nodes: 9, want: 1},
		{pool: "worker", maxUnavailable: number(-1), nodes: 9, want: 1},
		{pool: "worker", maxUnavailable: number(100), nodes: 9, want: 9},
		{pool: "worker", maxUnavailable: number(3), nodes: 0, want: 1},
		{pool: "worker", maxUnavailable: share("10%"), nodes: 9, want: 1},
		{pool: "worker", maxUnavailable: share("25%"), nodes: 9, want: 2},
		{pool: "infra", maxUnavailable: share("50%"), nodes: 9, want: 4},
		{pool: "worker", maxUnavailable: share("many"), nodes: 9, want: 1},
		{pool: "master", nodes: 5, want: 1},
		{pool: "master", maxUnavailable: number(3), nodes: 5, want: 3},
		{pool: "arbiter", maxUnavailable: share("100%"), nodes: 3, want: 3},
	} {
		object := builders.MachineConfigPool(test.pool)
		object.Spec.MaxUnavailable = test.maxUnavailable
		states := slices.Repeat([]insight.NodeState{{Phase: insight.PhasePending}}, test.nodes)
		report := standalone.MachineConfigPool(standalone.MachineConfigPoolInput{Pool: object, Nodes: insight.CountNodes(states...)}, start).Report
		if got := report.Insights[0].Insight.MachineConfigPool.MaxUnavailable; got != test.want {
			t.Errorf("%s, %v of %d: %d, want %d", test.pool, test.maxUnavailable, test.nodes, got, test.want)
		}
	}
}

// TestPoolMessage has what the Machine Config Operator says of a pool.
func TestPoolMessage(t *testing.T) {
	const (
		waits   = "Pool is waiting for OS image build to complete (mosb: infra-1)"
		stopped = "Pool update stopped due to OS image build failure (mosb: infra-1)"
	)
	updating := func(message string) builders.MachineConfigPoolOption {
		return builders.PoolCondition(machineconfigv1.MachineConfigPoolUpdating, corev1.ConditionTrue, message)
	}
	for _, test := range []struct {
		name, nodes string
		option      builders.MachineConfigPoolOption
		want        string
	}{
		{"an image is built", "ppp", updating(waits), waits},
		{"the build failed", "ppp", updating(stopped), stopped},
		{"some nodes have another image", "cup", updating(waits), waits},
		{"nodes are updated", "cup", updating("All nodes are updating to MachineConfig rendered-worker-new"), ""},
		{"nodes get an image", "cup", updating("Pool is waiting for nodes to apply OS image (mosb: infra-1)"), ""},
		{"paused, which its spec tells", "xxx", updating("Pool is paused; will not update to MachineConfig rendered-worker-new"), ""},
		{"paused, and an image is built", "xxx", updating("Pool is paused; OS image build in progress (mosb: infra-1)"), "Pool is paused; OS image build in progress (mosb: infra-1)"},
		{"complete", "ccc", updating(waits), ""},
		{"another condition", "ppp", builders.PoolCondition(machineconfigv1.MachineConfigPoolUpdated, corev1.ConditionFalse, waits), ""},
	} {
		report := standalone.MachineConfigPool(standalone.MachineConfigPoolInput{
			Pool: pool(test.option), Nodes: insight.CountNodes(nodes(test.nodes)...), Target: standalone.Target{Known: true, Version: target},
		}, start).Report
		if got := report.Insights[0].Insight.MachineConfigPool.Conditions[0].Message; got != test.want {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}
