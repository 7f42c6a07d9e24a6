package status_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/builders"
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

// TestTruncationSlack: a text that grows and shrinks takes nothing out and in again.
func TestTruncationSlack(t *testing.T) {
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

// TestReturningInsightTimes: what was left out and comes back is as old as it is.
func TestReturningInsightTimes(t *testing.T) {
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

// TestShownStatus: what is only shown is complete.
func TestShownStatus(t *testing.T) {
	o := observe(&builders.Fleet{Pools: 1, Name: names[1], Nodes: []byte(strings.Repeat("p", 3000))})
	shown := status.Build(status.Input{Ledger: o.ledger.View(), Now: noon})
	if nodes := len(shown.WorkerPools[0].Informers[0].Insights) - 1; nodes != 3000 {
		t.Errorf("%d nodes of 3000", nodes)
	}
}

// TestTruncationEvents: a degraded node that does not fit into the object any more has not recovered.
func TestTruncationEvents(t *testing.T) {
	of := &builders.Fleet{Pools: 1, Name: names[1], Message: "broken", Nodes: []byte(strings.Repeat("D", 200) + strings.Repeat("p", 2000))}
	o := observe(of)
	events := status.NewEventState(o.built, after(0))
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

// TestTruncationEstimate: a node in progress that is left out does not change the estimate of its pool, not with a
// restart either.
func TestTruncationEstimate(t *testing.T) {
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
