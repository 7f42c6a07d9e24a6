package truncate_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

var names = []string{"node", "ip-10-0-128-7.ec2.internal", strings.Repeat("long.", 45) + "node"}

// changingFleet is a fleet, in which a node changes after its status was built.
type changingFleet struct {
	builders.Fleet

	node  int
	phase byte
}

// fleets are of all kinds: long names make small clusters large, so that there are many.
var fleets = rapid.Custom(func(t *rapid.T) *changingFleet {
	of := &changingFleet{Fleet: builders.Fleet{
		Pools:     rapid.IntRange(1, 30).Draw(t, "pools"),
		Operators: rapid.IntRange(0, 40).Draw(t, "operators"),
		Name:      rapid.SampledFrom(names).Draw(t, "name"),
		Message:   strings.Repeat(rapid.SampledFrom([]string{"words ", "<", "日"}).Draw(t, "word"), rapid.SampledFrom([]int{0, 10, 4096}).Draw(t, "times")),
	}}
	phases := rapid.SampledFrom([]string{"cpdurD!", "ccccccccpppd", "dur", "!pc", "D!"}).Draw(t, "phases")
	for range rapid.SampledFrom([]int{0, 5, 50, 100, 300}).Draw(t, "nodes") {
		of.Nodes = append(of.Nodes, phases[len(of.Nodes)%len(phases)])
	}
	if len(of.Nodes) > 0 {
		of.node, of.phase = rapid.IntRange(0, len(of.Nodes)-1).Draw(t, "node"), rapid.SampledFrom([]byte("cpdurD!")).Draw(t, "phase")
	}
	return of
})

func (f *changingFleet) check(t invariants.TB) {
	t.Helper()
	o := builders.Observe(&f.Fleet)
	if len(f.Nodes) > 0 {
		f.Nodes[f.node] = f.phase
		o.Report(&f.Fleet)
	}
	check(t, o)
}

// TestFleets checks a few fleets, always the same.
func TestFleets(t *testing.T) {
	t.Parallel()
	for seed := range 12 {
		fleets.Example(seed).check(t)
	}
}

// TestLongFleets checks many, always others.
func TestLongFleets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { fleets.Draw(t, "fleet").check(t) })
}

// longMessage is longer than a message may be.
var longMessage = strings.Repeat("a message ", 3277)

func TestOddShapes(t *testing.T) {
	expectShapes(t, map[string]*builders.Fleet{
		"nothing":                          {},
		"healthy ones":                     {Pools: 4, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("ccppd", 400))},
		"100 not ready":                    {Pools: 3, Operators: 33, Name: names[1], Message: longMessage, Nodes: []byte(strings.Repeat("!", 100))},
		"200 health insights":              {Pools: 3, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("p", 300) + strings.Repeat("!", 200))},
		"100 operators with long messages": {Pools: 3, Operators: 100, Name: names[1], Message: longMessage, Nodes: []byte(strings.Repeat("cp", 200))},
	})
}

func TestLongOddShapes(t *testing.T) {
	expectShapes(t, map[string]*builders.Fleet{
		"one pool of 5,000":     {Pools: 1, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("cpppppdu!D", 500))},
		"500 pools of one node": {Pools: 500, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("p", 500))},
		"1,000 not ready":       {Pools: 3, Operators: 33, Name: names[1], Message: longMessage, Nodes: []byte(strings.Repeat("!", 1000))},
	})
}

func expectShapes(t *testing.T, shapes map[string]*builders.Fleet) {
	t.Helper()
	for name, of := range shapes {
		t.Run(name, func(t *testing.T) { check(t, builders.Observe(of)) })
	}
}

// TestListedNodes: beyond 256 KiB of nodes, those that need no words are listed by name, and all are there.
func TestListedNodes(t *testing.T) {
	t.Parallel()
	const kib = 1 << 10
	for name, test := range map[string]struct {
		nodes string
		// full is the number of nodes with an insight.
		full, maxSize int
	}{
		"250 nodes":                {strings.Repeat("cp", 125), 250, 280 * kib},
		"many":                     {strings.Repeat("cp", 1000), 0, 150 * kib},
		"in progress":              {strings.Repeat("cpppppdu", 250), 500, 600 * kib},
		"all in progress":          {strings.Repeat("du", 400), 800, 800 * kib},
		"unavailable and degraded": {strings.Repeat("ccccccccp!", 100) + "D", 101, 400 * kib},
		"5,000":                    {strings.Repeat("ccccccccpd", 500), 500, 700 * kib},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := builders.Observe(&builders.Fleet{Pools: 2, Operators: 33, Name: names[1], Nodes: []byte(test.nodes)})
			check(t, o)
			full, all := 0, map[string]int{}
			for _, part := range partsOf(o.Built) {
				for _, informer := range part.Informers {
					for _, one := range informer.Insights {
						if one.Node != nil {
							full++
							all[one.Node.Name]++
						}
						if one.MachineConfigPool == nil {
							continue
						}
						for _, group := range one.MachineConfigPool.NodeGroups {
							for _, node := range group.Names {
								all[node]++
							}
						}
					}
				}
			}
			if size := len(invariants.JSON(t, o.Built)); full != test.full || len(all) != len(test.nodes) || o.Fitted.LeftOut != 0 || size > test.maxSize {
				t.Errorf("%d of %d nodes in full, %d left out, %d bytes", full, len(all), o.Fitted.LeftOut, size)
			}
			for node, count := range all {
				if count != 1 {
					t.Errorf("%s is there %d times", node, count)
				}
			}
		})
	}
}

// TestListedNodesHysteresis: nodes are listed by name until the cluster is clearly smaller than when that began.
func TestListedNodesHysteresis(t *testing.T) {
	of := &builders.Fleet{Pools: 1, Name: names[1]}
	o := &builders.Observer{Builder: status.NewBuilder(), Minute: 1}
	isListed := func(nodes int) bool {
		of.Nodes = []byte(strings.Repeat("c", nodes))
		o.Ledger = ledger.New()
		o.Report(of)
		return len(o.Built.WorkerPools[0].Informers[0].Insights) == 1
	}
	const step = 5
	least := 250
	for !isListed(least) {
		least += step
	}
	most := least
	for isListed(most) {
		most -= step
	}
	if least < 360 || least > 450 || least-most < 30 || least-most > 60 {
		t.Errorf("listed from %d nodes on, and not any more at %d", least, most)
	}
}

// TestTruncationClasses: where a node does not fit, none of less value comes in, however much space the operators leave.
func TestTruncationClasses(t *testing.T) {
	t.Parallel()
	for _, operators := range []int{0, 4, 11} {
		of := &builders.Fleet{Pools: 1, Operators: operators, Name: names[1], Nodes: []byte(strings.Repeat("d", 1500) + strings.Repeat("c", 100))}
		for _, one := range insightsIn(builders.Observe(of).Built) {
			if one.Node != nil && value(one.Node) == 0 {
				t.Fatalf("%d operators: %s is kept", operators, one.UID)
			}
		}
	}
}

// TestMessagesAreCutFirst: no node is left out where it is enough to cut messages.
func TestMessagesAreCutFirst(t *testing.T) {
	t.Parallel()
	of := &builders.Fleet{Pools: 1, Operators: 400, Name: names[1], Message: strings.Repeat("word ", 1000), Nodes: []byte(strings.Repeat("cpp", 200))}
	o := builders.Observe(of)
	check(t, o)
	if condition := meta.FindStatusCondition(o.Built.Conditions, updatev1alpha1.ConditionInsightsComplete); condition.Status == metav1.ConditionFalse {
		t.Errorf("InsightsComplete: %s", condition.Message)
	}
	if longest := longestMessage(o.Built); longest > 3000 || longest < 500 {
		t.Errorf("the longest message has %d bytes", longest)
	}
	of.Nodes = append(of.Nodes, strings.Repeat("d", 2000)...)
	o.Report(of)
	check(t, o)
	if longest := longestMessage(o.Built); longest > 256 {
		t.Errorf("nodes are left out, and the longest message has %d bytes", longest)
	}
}

func longestMessage(built *updatev1alpha1.UpdateStatusStatus) int {
	longest := 0
	for _, one := range insightsIn(built) {
		if one.ClusterOperator != nil {
			for _, condition := range one.ClusterOperator.Conditions {
				longest = max(longest, len(condition.Message))
			}
		}
	}
	return longest
}
