package status_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/pkg/truncate"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// observer builds the status of a fleet, one time after the other as a controller does.
type observer struct {
	ledger  *ledger.Ledger
	builder *status.Builder
	built   *updatev1alpha1.UpdateStatusStatus
	// others is the status in the cluster, which has informers of others.
	others *updatev1alpha1.UpdateStatusStatus
	minute int
}

func observe(of *builders.Fleet) *observer {
	o := &observer{ledger: ledger.New(), builder: status.NewBuilder(), minute: 1}
	o.report(of)
	return o
}

// report reports a fleet, and builds the status.
func (o *observer) report(of *builders.Fleet) {
	for _, message := range assess.Cluster(of.Cluster(noon), noon) {
		o.ledger.Apply(message)
	}
	o.build(o.minute)
}

func (o *observer) build(minute int) *updatev1alpha1.UpdateStatusStatus {
	o.built = o.builder.Build(o.ledger.View(), o.others, after(minute))
	return o.built
}

// restart forgets everything but the object.
func (o *observer) restart() {
	o.builder = status.NewBuilder()
	o.builder.Stored(o.built)
}

type fataler interface {
	Helper()
	Fatal(args ...any)
	Errorf(format string, args ...any)
}

func encode(t fataler, of any) []byte {
	t.Helper()
	content, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// partsOf returns the parts of the cluster by name, the control plane without one.
func partsOf(built *updatev1alpha1.UpdateStatusStatus) map[string]updatev1alpha1.WorkerPool {
	parts := map[string]updatev1alpha1.WorkerPool{"": {Conditions: built.ControlPlane.Conditions, Informers: built.ControlPlane.Informers}}
	for _, pool := range built.WorkerPools {
		parts[pool.Name] = pool
	}
	return parts
}

func insightsIn(built *updatev1alpha1.UpdateStatusStatus) []updatev1alpha1.Insight {
	var all []updatev1alpha1.Insight
	for _, part := range partsOf(built) {
		for _, informer := range part.Informers {
			all = append(all, informer.Insights...)
		}
	}
	return all
}

func uidsIn(built *updatev1alpha1.UpdateStatusStatus) map[string]bool {
	uids := map[string]bool{}
	for _, one := range insightsIn(built) {
		uids[one.UID] = true
	}
	return uids
}

// value orders nodes as they are kept: the higher, the longer.
func value(node *updatev1alpha1.NodeInsight) int {
	state := insight.StateOf(node)
	switch {
	case state.Degraded:
		return 6
	case !state.Available && !state.Updating:
		return 5
	case state.Updating:
		return 4
	}
	return slices.Index([]insight.NodePhase{insight.PhaseCompleted, insight.PhasePending, insight.PhasePaused}, state.Phase)
}

// check checks what must be true of any object.
func (o *observer) check(t fataler) {
	t.Helper()
	complete := status.Build(status.Input{Ledger: o.ledger.View(), Now: noon})
	// What managedFields take is tested on the API server.
	encoded := encode(t, o.built)
	if len(encoded) > truncate.MaxObjectBytes {
		t.Errorf("the status has %d bytes", len(encoded))
	}
	kept := uidsIn(o.built)
	left, least := -1, 6
	missing := 0
	for _, one := range insightsIn(&complete) {
		switch {
		case one.MachineConfigPool != nil:
			if !kept[one.UID] {
				t.Errorf("the counts of %s are left out", one.UID)
			}
		case one.Node == nil:
		case kept[one.UID]:
			least = min(least, value(one.Node))
		default:
			left = max(left, value(one.Node))
		}
		if !kept[one.UID] {
			missing++
		}
	}
	if left > least {
		t.Errorf("a node of value %d is left out, and one of value %d kept", left, least)
	}
	condition := meta.FindStatusCondition(o.built.Conditions, updatev1alpha1.ConditionInsightsComplete)
	if (condition != nil) != (missing > 0) {
		t.Errorf("%d insights are left out, InsightsComplete is %v", missing, condition)
	}
	want, got := partsOf(&complete), partsOf(o.built)
	for name := range want {
		checkPart(t, want[name], got[name])
	}
	same(t, "its encoding", encoded, o.builder.JSON())
	same(t, "built again", encoded, encode(t, o.build(2)))
	o.restart()
	same(t, "built again after a restart", encoded, encode(t, o.build(2)))
}

// same compares encoded statuses, and shows the first difference only: they are large.
func same(t fataler, when string, wanted, gotten []byte) {
	t.Helper()
	if bytes.Equal(wanted, gotten) {
		return
	}
	for at := range min(len(wanted), len(gotten)) {
		if wanted[at] != gotten[at] {
			t.Errorf("%s, at byte %d:\nwant …%.300s\ngot  …%.300s", when, at, wanted[max(0, at-200):], gotten[max(0, at-200):])
			return
		}
	}
	if len(wanted) != len(gotten) {
		t.Errorf("%s: %d bytes, want %d", when, len(gotten), len(wanted))
	}
}

// checkPart: a part says that insights are left out, and how many, if that is so.
func checkPart(t fataler, want, got updatev1alpha1.WorkerPool) {
	t.Helper()
	kept := map[string]bool{}
	for _, informer := range got.Informers {
		for _, one := range informer.Insights {
			kept[one.UID] = true
		}
	}
	left := map[string]int{}
	for _, informer := range want.Informers {
		for _, one := range informer.Insights {
			if kept[one.UID] {
				continue
			}
			switch {
			case one.Node != nil:
				state := insight.StateOf(one.Node)
				word := string(state.Phase)
				if assessment := state.Assessment(); assessment == "Degraded" || assessment == "Unavailable" {
					word = string(assessment)
				}
				left[word]++
			case one.Health != nil:
				left[string(one.Health.Impact.Level)]++
			}
		}
	}
	condition := meta.FindStatusCondition(got.Conditions, updatev1alpha1.ConditionInsightsComplete)
	if condition == nil {
		if len(left) > 0 {
			t.Errorf("%s: %v are left out, and nothing says so", want.Name, left)
		}
		return
	}
	for word, count := range left {
		if !strings.Contains(condition.Message, fmt.Sprintf("%d %s", count, word)) {
			t.Errorf("%s: %d %s are left out, the condition says %q", want.Name, count, word, condition.Message)
		}
	}
}

var names = []string{"node", "ip-10-0-128-7.ec2.internal", strings.Repeat("long.", 45) + "node"}

// TestAnyClusterFits: long names make small clusters large, so that there are many.
func TestAnyClusterFits(t *testing.T) {
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

func TestOddShapesFit(t *testing.T) {
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

// TestRoutineNodesLeaveSpace: nodes that wait or are done fill seven eighths of the object, all else fills it whole.
func TestRoutineNodesLeaveSpace(t *testing.T) {
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

// changed counts the insights that came or went between two statuses.
func changed(before, after map[string]bool) (count int) {
	for uid := range before {
		if !after[uid] {
			count++
		}
	}
	for uid := range after {
		if !before[uid] {
			count++
		}
	}
	return count
}

// TestOneNodeMovesLittle: a node that changes moves itself, what it needs the room of, and what it leaves room for.
func TestOneNodeMovesLittle(t *testing.T) {
	t.Parallel()
	of := &builders.Fleet{Pools: 4, Operators: 33, Name: names[1], Message: strings.Repeat("word ", 60), Nodes: []byte(strings.Repeat("cpp", 600))}
	o := observe(of)
	before := uidsIn(o.built)
	if len(before) > 2000 {
		t.Fatalf("%d insights are kept: nothing is left out", len(before))
	}
	most := 0
	for step := range 18 {
		node := (step * 7) % 90
		of.Nodes[node] = "pdurcD!cc"[step%9]
		o.report(of)
		after := uidsIn(o.built)
		// A health insight comes or goes with its node.
		if moved := changed(before, after); moved > 6 {
			t.Errorf("step %d, a node that becomes %c: %d insights came or went", step, of.Nodes[node], moved)
		} else {
			most = max(most, moved)
		}
		before = after
	}
	if most == 0 {
		t.Error("nothing ever moved")
	}
	o.check(t)
}

// TestSmallChangesMoveNothing: a text that grows and shrinks takes nothing out and in again.
func TestSmallChangesMoveNothing(t *testing.T) {
	t.Parallel()
	of := &builders.Fleet{Pools: 4, Operators: 33, Name: names[1], Message: strings.Repeat("word ", 20), Nodes: []byte(strings.Repeat("cpp", 600))}
	o := observe(of)
	o.report(of)
	want := uidsIn(o.built)
	for step := range 6 {
		of.Message = strings.Repeat("word ", 20+20*(step%2))
		o.report(of)
		if moved := changed(want, uidsIn(o.built)); moved > 0 {
			t.Fatalf("step %d: %d insights came or went", step, moved)
		}
	}
}

// TestInsightsThatComeBackKeepTheirTimes: what was left out and comes back is as old as it is.
func TestInsightsThatComeBackKeepTheirTimes(t *testing.T) {
	of := &builders.Fleet{Pools: 1, Name: names[1], Nodes: []byte(strings.Repeat("p", 3000))}
	o := observe(of)
	first := uidsIn(o.built)
	for at := range of.Nodes {
		if first[insight.UID("node", fmt.Sprintf("%s-%04d", of.Name, at))] {
			of.Nodes[at] = 'c'
		}
	}
	broken := 0
	for at := range of.Nodes {
		if of.Nodes[at] == 'p' && broken < 10 {
			of.Nodes[at] = 'D'
			broken++
		}
	}
	o.minute = 5
	o.report(of)
	came := 0
	for _, one := range insightsIn(o.built) {
		if one.Node == nil || first[one.UID] {
			continue
		}
		if since := meta.FindStatusCondition(one.Node.Conditions, "Available").LastTransitionTime; !since.Equal(at(1)) {
			t.Fatalf("%s is available since %s", one.UID, since)
		}
		if insight.StateOf(one.Node).Degraded {
			broken--
			continue
		}
		came++
		if !one.AcquiredAt.Equal(at(1)) {
			t.Fatalf("%s was acquired at %s", one.UID, one.AcquiredAt)
		}
	}
	if came == 0 || broken != 0 {
		t.Error("no pending node took the place of a completed one")
	}
}

// TestSpaceThatIsLeftStaysFree: where a node does not fit, none of less value comes in.
func TestSpaceThatIsLeftStaysFree(t *testing.T) {
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

// TestForeignInsightsAreNotTruncated: what others wrote stays to the byte, and takes the space of our insights.
func TestForeignInsightsAreNotTruncated(t *testing.T) {
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

// TestLongMessagesAreCutFirst: no node is left out where it is enough to cut messages.
func TestLongMessagesAreCutFirst(t *testing.T) {
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

// TestRestartOfATruncatedObject: until the nodes are reported, what the object says is left out stays.
func TestRestartOfATruncatedObject(t *testing.T) {
	o := observe(&builders.Fleet{Pools: 3, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat("cpd", 1000))})
	view := o.ledger.View()
	view[insight.NodeInformer] = ledger.SourceView{}
	before := o.built
	o.restart()
	built := o.builder.Build(view, before, after(9))
	built.Conditions[0] = before.Conditions[0]
	same(t, "after a restart", encode(t, before), encode(t, built))
}

// TestShownStatusIsNotTruncated: what is only shown is complete.
func TestShownStatusIsNotTruncated(t *testing.T) {
	o := observe(&builders.Fleet{Pools: 1, Name: names[1], Nodes: []byte(strings.Repeat("p", 3000))})
	shown := status.Build(status.Input{Ledger: o.ledger.View(), Now: noon})
	if nodes := len(shown.WorkerPools[0].Informers[0].Insights) - 1; nodes != 3000 {
		t.Errorf("%d nodes of 3000", nodes)
	}
}

// TestTruncationCausesNoEvents: a degraded node that does not fit into the object any more has not recovered.
func TestTruncationCausesNoEvents(t *testing.T) {
	of := &builders.Fleet{Pools: 1, Name: names[1], Message: "broken", Nodes: []byte(strings.Repeat("D", 200) + strings.Repeat("p", 2000))}
	o := observe(of)
	events := status.NewEventState(o.built)
	// Foreign insights take the space.
	theirs := updatev1alpha1.Informer{Name: "their-informer"}
	for at := range 220 {
		theirs.Insights = append(theirs.Insights, updatev1alpha1.Insight{UID: fmt.Sprintf("theirs-%d", at), Type: "Health", Health: &updatev1alpha1.HealthInsight{
			Impact: updatev1alpha1.HealthImpact{Description: strings.Repeat("x", 4096)},
		}})
	}
	o.others = &updatev1alpha1.UpdateStatusStatus{ControlPlane: &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{theirs}}}
	of.Nodes[0] = 'p'
	o.report(of)
	gone := insight.UID("health", "node-degraded/"+of.Name+"-0000")
	if kept := uidsIn(o.built); kept[gone] || len(kept) > 400 {
		t.Fatalf("%d insights are kept", len(kept))
	}
	if happened := events.Next(o.built, o.builder.Reports); len(happened) != 1 || !strings.Contains(happened[0].Message, of.Name+"-0000 is degraded") {
		t.Errorf("events: %v", happened)
	}
	// One of them recovers while it is left out. The others come back when there is space.
	out := 1
	for uids := uidsIn(o.built); uids[insight.UID("health", fmt.Sprintf("node-degraded/%s-%04d", of.Name, out))]; out++ {
	}
	of.Nodes[out] = 'p'
	o.others = nil
	o.report(of)
	if happened := events.Next(o.built, o.builder.Reports); len(happened) != 1 || happened[0].Reason != status.EventHealthInsightGone || !strings.Contains(happened[0].Message, fmt.Sprintf("%s-%04d is degraded", of.Name, out)) {
		t.Errorf("events when there is space again: %v", happened)
	}
	if happened := events.Next(o.built, o.builder.Reports); len(happened) > 0 {
		t.Errorf("events again: %v", happened)
	}
}

// TestTruncationKeepsTheEstimate: a node in progress that is left out does not change the estimate of its pool, not with a
// restart either.
func TestTruncationKeepsTheEstimate(t *testing.T) {
	of := &builders.Fleet{Pools: 2, Name: names[2], Nodes: []byte(strings.Repeat("D!", 300))}
	o := observe(of)
	of.Nodes[519] = 'd'
	o.report(of)
	for _, one := range insightsIn(o.built) {
		switch {
		case one.MachineConfigPool != nil && one.MachineConfigPool.Name == "pool-001" && one.MachineConfigPool.EstimatedCompletedAt == nil:
			t.Error("nothing is expected of the pool")
		case one.Node != nil && strings.HasSuffix(one.Node.Name, "-0519"):
			t.Error("the node that drains is not left out")
		}
	}
	o.check(t)
}
