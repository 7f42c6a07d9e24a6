package truncate_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/invariants"
)

var names = []string{"node", "ip-10-0-128-7.ec2.internal", strings.Repeat("long.", 45) + "node"}

// TestFleets: long names make small clusters large, so that there are many.
func TestFleets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		of := &builders.Fleet{
			Pools:     rapid.IntRange(1, 30).Draw(t, "pools"),
			Operators: rapid.IntRange(0, 40).Draw(t, "operators"),
			Name:      rapid.SampledFrom(names).Draw(t, "name"),
			Message:   strings.Repeat(rapid.SampledFrom([]string{"words ", "<", "日"}).Draw(t, "word"), rapid.SampledFrom([]int{0, 10, 4096}).Draw(t, "times")),
		}
		phases := rapid.SampledFrom([]string{"cpdurD!", "ccccccccpppd", "dur", "!pc", "D!"}).Draw(t, "phases")
		for range rapid.SampledFrom([]int{0, 5, 50, 100, 300}).Draw(t, "nodes") {
			of.Nodes = append(of.Nodes, phases[len(of.Nodes)%len(phases)])
		}
		o := builders.Observe(of)
		if len(of.Nodes) > 0 {
			of.Nodes[rapid.IntRange(0, len(of.Nodes)-1).Draw(t, "node")] = rapid.SampledFrom([]byte("cpdurD!")).Draw(t, "phase")
			o.Report(of)
		}
		check(t, o)
	})
}

func TestOddShapes(t *testing.T) {
	long := strings.Repeat("a message ", 3277)
	for name, of := range map[string]*builders.Fleet{
		"nothing":                          {},
		"one pool of 5,000":                {Pools: 1, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("cpppppdu!D", 500))},
		"healthy ones":                     {Pools: 4, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("ccppd", 400))},
		"500 pools of one node":            {Pools: 500, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("p", 500))},
		"1,000 not ready":                  {Pools: 3, Operators: 33, Name: names[1], Message: long, Nodes: []byte(strings.Repeat("!", 1000))},
		"200 health insights":              {Pools: 3, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("p", 300) + strings.Repeat("!", 200))},
		"100 operators with long messages": {Pools: 3, Operators: 100, Name: names[1], Message: long, Nodes: []byte(strings.Repeat("cp", 500))},
	} {
		t.Run(name, func(t *testing.T) {
			o := builders.Observe(of)
			check(t, o)
		})
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
	least := 250
	for !isListed(least) {
		least++
	}
	most := least
	for isListed(most) {
		most--
	}
	if least < 280 || least > 340 || least-most < 30 || least-most > 60 {
		t.Errorf("listed from %d nodes on, and not any more at %d", least, most)
	}
}

// TestTruncationClasses: where a node does not fit, none of less value comes in.
func TestTruncationClasses(t *testing.T) {
	t.Parallel()
	for operators := range 12 {
		of := &builders.Fleet{Pools: 1, Operators: operators, Name: names[1], Nodes: []byte(strings.Repeat("d", 1500) + strings.Repeat("c", 100))}
		for _, one := range insightsIn(builders.Observe(of).Built) {
			if one.Node != nil && value(one.Node) == 0 {
				t.Fatalf("%d operators: %s is kept", operators, one.UID)
			}
		}
	}
}

// TestLongMessages: no node is left out where it is enough to cut messages.
func TestLongMessages(t *testing.T) {
	t.Parallel()
	of := &builders.Fleet{Pools: 1, Operators: 400, Name: names[1], Message: strings.Repeat("word ", 1000), Nodes: []byte(strings.Repeat("cpp", 200))}
	o := builders.Observe(of)
	check(t, o)
	if condition := meta.FindStatusCondition(o.Built.Conditions, updatev1alpha1.ConditionInsightsComplete); condition != nil {
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
