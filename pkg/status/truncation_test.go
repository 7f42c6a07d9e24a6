package status_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/truncate"
	"github.com/openshift/cluster-version-operator/test/builders"
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
		for range rapid.SampledFrom([]int{0, 5, 50, 100, 600}).Draw(t, "nodes") {
			of.Nodes = append(of.Nodes, phases[len(of.Nodes)%len(phases)])
		}
		o := observe(of)
		if len(of.Nodes) > 0 {
			of.Nodes[rapid.IntRange(0, len(of.Nodes)-1).Draw(t, "node")] = rapid.SampledFrom([]byte("cpdurD!")).Draw(t, "phase")
			o.report(of)
		}
		o.check(t)
	})
}

func TestOddShapes(t *testing.T) {
	long := strings.Repeat("a message ", 3277)
	for name, of := range map[string]*builders.Fleet{
		"nothing":                          {},
		"one pool of 5,000":                {Pools: 1, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("cpppppdu!D", 500))},
		"healthy ones":                     {Pools: 4, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("ccppd", 400))},
		"500 pools of one node":            {Pools: 500, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("p", 500))},
		"2,000 not ready":                  {Pools: 3, Operators: 33, Name: names[1], Message: long, Nodes: []byte(strings.Repeat("!", 2000))},
		"200 health insights":              {Pools: 3, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("p", 300) + strings.Repeat("!", 200))},
		"100 operators with long messages": {Pools: 3, Operators: 100, Name: names[1], Message: long, Nodes: []byte(strings.Repeat("cp", 500))},
	} {
		t.Run(name, func(t *testing.T) {
			o := observe(of)
			o.check(t)
		})
	}
}

// TestRoutineNodes: nodes that wait or are done fill seven eighths of the object, all else fills it whole.
func TestRoutineNodes(t *testing.T) {
	t.Parallel()
	const most, unused = truncate.MaxObjectBytes - 32<<10, 32 << 10
	for name, test := range map[string]struct {
		nodes string
		size  int
	}{
		"only routine nodes":                     {strings.Repeat("cp", 1000), most - 128<<10},
		"not many more than fit":                 {strings.Repeat("cp", 600), most - 128<<10},
		"few in progress":                        {strings.Repeat("cpppppdu", 250), most - 128<<10},
		"all in progress":                        {strings.Repeat("du", 1000), most},
		"half of them in progress":               {strings.Repeat("c", 500) + strings.Repeat("du", 500), most - 128<<10},
		"so many in progress that no other fits": {strings.Repeat("c", 500) + strings.Repeat("du", 1000), most},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := observe(&builders.Fleet{Pools: 2, Operators: 33, Name: names[1], Nodes: []byte(test.nodes)})
			o.check(t)
			if size := len(encode(t, o.built)); size > test.size || size < test.size-unused {
				t.Errorf("%d bytes, want %d or a little less", size, test.size)
			}
		})
	}
}

// TestTruncationClasses: where a node does not fit, none of less value comes in.
func TestTruncationClasses(t *testing.T) {
	t.Parallel()
	for operators := range 12 {
		of := &builders.Fleet{Pools: 1, Operators: operators, Name: names[1], Nodes: []byte(strings.Repeat("d", 1500) + strings.Repeat("c", 100))}
		for _, one := range insightsIn(observe(of).built) {
			if one.Node != nil && value(one.Node) == 0 {
				t.Fatalf("%d operators: %s is kept", operators, one.UID)
			}
		}
	}
}

// TestForeignInsightsTruncation: what others wrote stays to the byte, and takes the space of our insights.
func TestForeignInsightsTruncation(t *testing.T) {
	of := &builders.Fleet{Pools: 2, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("cpd", 200))}
	theirs := updatev1alpha1.Informer{Name: "their-informer"}
	for at := range 100 {
		theirs.Insights = append(theirs.Insights, updatev1alpha1.Insight{UID: fmt.Sprintf("theirs-%d", at), Type: "Health", Health: &updatev1alpha1.HealthInsight{
			Impact: updatev1alpha1.HealthImpact{Description: strings.Repeat("x", 4096)},
		}})
	}
	o := observe(of)
	alone := len(insightsIn(o.built))
	o.others = &updatev1alpha1.UpdateStatusStatus{
		ControlPlane: &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{theirs}},
		WorkerPools:  []updatev1alpha1.WorkerPool{{Name: "gone", Informers: []updatev1alpha1.Informer{theirs}}},
	}
	o.report(of)
	o.check(t)
	if both := len(insightsIn(o.built)); both >= alone+2*len(theirs.Insights) {
		t.Errorf("%d insights with %d of others, %d without", both, 2*len(theirs.Insights), alone)
	}
	parts := partsOf(o.built)
	for _, name := range []string{"", "gone"} {
		informers := parts[name].Informers
		if diff := cmp.Diff(theirs, informers[len(informers)-1]); diff != "" {
			t.Errorf("in %q (-want +got):\n%s", name, diff)
		}
	}
}

// TestLongMessages: no node is left out where it is enough to cut messages.
func TestLongMessages(t *testing.T) {
	t.Parallel()
	of := &builders.Fleet{Pools: 1, Operators: 400, Name: names[1], Message: strings.Repeat("word ", 1000), Nodes: []byte(strings.Repeat("cpp", 200))}
	o := observe(of)
	o.check(t)
	if condition := meta.FindStatusCondition(o.built.Conditions, updatev1alpha1.ConditionInsightsComplete); condition != nil {
		t.Errorf("InsightsComplete: %s", condition.Message)
	}
	if longest := longestMessage(o.built); longest > 3000 || longest < 500 {
		t.Errorf("the longest message has %d bytes", longest)
	}
	of.Nodes = append(of.Nodes, strings.Repeat("p", 3000)...)
	o.report(of)
	o.check(t)
	if longest := longestMessage(o.built); longest > 256 {
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
