package truncate_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

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

// TestTruncationStability: a node that changes moves itself, what it needs the room of, and what it leaves room for.
func TestTruncationStability(t *testing.T) {
	t.Parallel()
	expectStable(t, "pD!")
}

func TestLongTruncationStability(t *testing.T) {
	t.Parallel()
	expectStable(t, "pdurcD!cc")
}

// expectStable changes a node at a time, to each of some phases.
func expectStable(t *testing.T, phases string) {
	t.Helper()
	of := &builders.Fleet{Pools: 4, Operators: 33, Name: names[2], Message: strings.Repeat("word ", 60), Nodes: []byte(strings.Repeat("cpp", 1500))}
	o := builders.Observe(of)
	before := invariants.UIDs(o.Built)
	if len(before) > 4400 {
		t.Fatalf("%d insights are kept: nothing is left out", len(before))
	}
	most := 0
	for step, phase := range []byte(phases) {
		node := step * 7
		of.Nodes[node] = phase
		o.Report(of)
		after := invariants.UIDs(o.Built)
		// A node that needs words takes the space of several that are listed by name, as does its health insight.
		if moved := changed(before, after); moved > 16 {
			t.Errorf("step %d, a node that becomes %c: %d insights came or went", step, of.Nodes[node], moved)
		} else {
			most = max(most, moved)
		}
		before = after
	}
	if most == 0 {
		t.Error("nothing ever moved")
	}
	check(t, o)
}

// TestTruncationSlack: a text that grows and shrinks takes nothing out and in again.
func TestTruncationSlack(t *testing.T) {
	t.Parallel()
	of := &builders.Fleet{Pools: 4, Operators: 33, Name: names[2], Message: strings.Repeat("word ", 20), Nodes: []byte(strings.Repeat("cpp", 1500))}
	o := builders.Observe(of)
	o.Report(of)
	want := invariants.UIDs(o.Built)
	for step := range 3 {
		of.Message = strings.Repeat("word ", 20+20*(step%2))
		o.Report(of)
		if moved := changed(want, invariants.UIDs(o.Built)); moved > 0 {
			t.Fatalf("step %d: %d insights came or went", step, moved)
		}
	}
}

// TestListedNodeTimes: a node that was listed by name and needs words is as old as it is.
func TestListedNodeTimes(t *testing.T) {
	of := &builders.Fleet{Pools: 1, Name: names[1], Nodes: []byte(strings.Repeat("p", 3000))}
	o := builders.Observe(of)
	copy(of.Nodes, "DDDDDDDDDD")
	o.Minute = 5
	o.Report(of)
	nodes := 0
	for _, one := range o.Built.WorkerPools[0].Informers[0].Insights {
		if one.Node == nil {
			continue
		}
		nodes++
		if since := meta.FindStatusCondition(one.Node.Conditions, "Available").LastTransitionTime; !since.Time.Equal(builders.Noon.Add(1 * time.Minute)) {
			t.Errorf("%s is available since %s", one.UID, since)
		}
	}
	if nodes != 10 {
		t.Errorf("%d nodes have an insight", nodes)
	}
}

// TestRestartOfALargeObject: until the nodes are reported, what the object has stays, and what it says is left out.
func TestRestartOfALargeObject(t *testing.T) {
	for name, nodes := range map[string]string{"left out": "cpddd", "listed by name": "cpp"} {
		o := builders.Observe(&builders.Fleet{Pools: 3, Operators: 33, Name: names[1], Nodes: []byte(strings.Repeat(nodes, 1000))})
		view := o.Ledger.View()
		view[insight.NodeInformer] = ledger.SourceView{}
		before := o.Built
		o.Restart()
		built := buildAndFit(o.Builder, view)
		built.Conditions[0] = before.Conditions[0]
		invariants.ExpectSame(t, name+", after a restart", invariants.JSON(t, before), invariants.JSON(t, built))
	}
}

// TestShownStatus: what is only shown is complete.
func TestShownStatus(t *testing.T) {
	o := builders.Observe(&builders.Fleet{Pools: 1, Name: names[1], Nodes: []byte(strings.Repeat("p", 3000))})
	shown := status.Build(status.Input{Ledger: o.Ledger.View(), Now: builders.Noon})
	nodes := 0
	for _, one := range shown.WorkerPools[0].Informers[0].Insights {
		if one.Node != nil {
			nodes++
		}
	}
	if nodes != 3000 {
		t.Errorf("%d nodes of 3000", nodes)
	}
}

// TestTruncationEvents: a degraded node that does not fit into the object has its events all the same.
func TestTruncationEvents(t *testing.T) {
	of := &builders.Fleet{Pools: 1, Name: names[1], Message: "broken", Nodes: []byte(strings.Repeat("D", 2000))}
	o := builders.Observe(of)
	events := update.NewEventState(update.Read(o.Complete), builders.Noon.Add(0*time.Minute))
	out := 0
	for uids := invariants.UIDs(o.Built); uids[insight.UID("health", fmt.Sprintf("node-degraded/%s-%04d", of.Name, out))]; out++ {
	}
	of.Nodes[out] = 'p'
	o.Report(of)
	if happened := events.Next(update.Read(o.Complete)); len(happened) != 1 || happened[0].Reason != update.EventHealthInsightGone || !strings.Contains(happened[0].Message, fmt.Sprintf("%s-%04d is degraded", of.Name, out)) {
		t.Errorf("events: %v", happened)
	}
	of.Nodes[1999] = 'p'
	o.Report(of)
	if happened := events.Next(update.Read(o.Complete)); len(happened) != 1 {
		t.Errorf("events: %v", happened)
	}
}

// TestTruncationEstimate: a node in progress that is left out does not change the estimate of its pool, not with a
// restart either.
func TestTruncationEstimate(t *testing.T) {
	of := &builders.Fleet{Pools: 2, Name: names[2], Nodes: []byte(strings.Repeat("D!", 300))}
	o := builders.Observe(of)
	of.Nodes[519] = 'd'
	o.Report(of)
	for _, one := range insightsIn(o.Built) {
		switch {
		case one.MachineConfigPool != nil && one.MachineConfigPool.Name == "pool-001" && one.MachineConfigPool.EstimatedCompletedAt == nil:
			t.Error("nothing is expected of the pool")
		case one.Node != nil && strings.HasSuffix(one.Node.Name, "-0519"):
			t.Error("the node that drains is not left out")
		}
	}
	check(t, o)
}
