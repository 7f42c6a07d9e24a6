package describe

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

const (
	nodesTable = `NAME   POOL     ASSESSMENT    PHASE      VERSION   EST    MESSAGE
w-2    worker   Degraded      Pending    ?         ?      Unexpected on-disk state on <node>
w-1    worker   Progressing   Draining   4.20.1    +15m   The node <node> is being drained
i-0    infra    Excluded      Paused     4.20.1    -      
w-3    worker   Outdated      Pending    4.20.1    ?      
w-4    worker   Outdated      Pending    4.20.1    ?      
m-0    master   Completed     Updated    4.20.2    -      
w-0    worker   Completed     Updated    4.20.2    -      
`
	wideNodesTable = `NAME   POOL     ASSESSMENT    PHASE      VERSION   DESIRED   SINCE   EST    REASON          MESSAGE
w-2    worker   Degraded      Pending    ?         4.20.2    -       ?      NodeDegraded    Unexpected on-disk state on <node>
w-1    worker   Progressing   Draining   4.20.1    4.20.2    5m      +15m   Unschedulable   The node <node> is being drained
i-0    infra    Excluded      Paused     4.20.1    4.20.2    -       -      -               
w-3    worker   Outdated      Pending    4.20.1    4.20.2    -       ?      -               
w-4    worker   Outdated      Pending    4.20.1    4.20.2    -       ?      -               
m-0    master   Completed     Updated    4.20.2    4.20.2    -       -      -               
w-0    worker   Completed     Updated    4.20.2    4.20.2    -       -      -               
`
	nodesDocument = `{"kind":"NodeUpdateList","apiVersion":"client.update.openshift.io/v1alpha1","items":[` +
		`{"name":"w-2","pool":"worker","assessment":"Degraded","phase":"Pending","desiredVersion":"4.20.2","reason":"NodeDegraded","message":"Unexpected on-disk state on w-2"},` +
		`{"name":"w-1","pool":"worker","assessment":"Progressing","phase":"Draining","version":"4.20.1","desiredVersion":"4.20.2",` +
		`"since":"2026-03-02T09:55:00Z","estimatedCompletedAt":"2026-03-02T10:15:00Z","reason":"Unschedulable","message":"The node w-1 is being drained"},` +
		`{"name":"i-0","pool":"infra","assessment":"Excluded","phase":"Paused","version":"4.20.1","desiredVersion":"4.20.2"},` +
		`{"name":"w-3","pool":"worker","assessment":"Outdated","phase":"Pending","version":"4.20.1","desiredVersion":"4.20.2"},` +
		`{"name":"w-4","pool":"worker","assessment":"Outdated","phase":"Pending","version":"4.20.1","desiredVersion":"4.20.2"}]}`
)

// listedNodes returns a status whose nodes have insights or are listed by name, and options for it.
func listedNodes(t *testing.T) (*updatev1alpha1.UpdateStatus, Options) {
	t.Helper()
	us, now := load(t, filepath.Join("testdata", "nodes", "listed.yaml")), time.Date(2026, time.March, 2, 10, 0, 0, 0, time.UTC)
	return us, Options{Now: now, Head: Head(read(us, now), now)}
}

// nodeTable returns the table of all nodes.
func nodeTable(t *testing.T, us *updatev1alpha1.UpdateStatus, options Options, isWide bool) string {
	t.Helper()
	var out strings.Builder
	if err := Nodes(read(us, options.Now), options, NodeFilter{}).Write(&out, isWide); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestNodes checks the rows of nodes and the document with those that are not updated.
func TestNodes(t *testing.T) {
	us, options := listedNodes(t)
	for isWide, want := range map[bool]string{false: nodesTable, true: wideNodesTable} {
		if diff := cmp.Diff(want, nodeTable(t, us, options, isWide)); diff != "" {
			t.Errorf("wide: %t (-want +got):\n%s", isWide, diff)
		}
	}
	document, err := json.Marshal(Nodes(read(us, options.Now), options, NodeFilter{NotUpdated: true}).Document())
	if diff := cmp.Diff(nodesDocument, string(document)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestNodeFilter checks which nodes each flag selects, and that all flags together select what each does.
func TestNodeFilter(t *testing.T) {
	us, options := listedNodes(t)
	for name, test := range map[string]struct {
		filter NodeFilter
		want   string
	}{
		"all":                    {NodeFilter{}, "w-2 w-1 i-0 w-3 w-4 m-0 w-0"},
		"not updated":            {NodeFilter{NotUpdated: true}, "w-2 w-1 i-0 w-3 w-4"},
		"a pool":                 {NodeFilter{Pools: []string{"infra"}}, "i-0"},
		"two pools":              {NodeFilter{Pools: []string{"infra", "master"}}, "i-0 m-0"},
		"a phase":                {NodeFilter{Phases: []string{"Updated"}}, "m-0 w-0"},
		"two phases":             {NodeFilter{Phases: []string{"Draining", "Paused"}}, "w-1 i-0"},
		"a phase of a pool":      {NodeFilter{Pools: []string{"worker"}, Phases: []string{"Updated"}}, "w-0"},
		"a phase of another one": {NodeFilter{Pools: []string{"infra"}, Phases: []string{"Updated"}}, ""},
		"updated and not":        {NodeFilter{NotUpdated: true, Phases: []string{"Updated"}}, ""},
	} {
		list := Nodes(read(us, options.Now), options, test.filter)
		if got := strings.Join(list.Names(), " "); got != test.want || list.Total != 7 {
			t.Errorf("%s: got %s of %d, want %s", name, got, list.Total, test.want)
		}
	}
	if got := strings.Join(Nodes(read(us, options.Now), options, NodeFilter{}).Pools, " "); got != "master worker infra" {
		t.Errorf("the pools are %s", got)
	}
}

// TestUnknownNodes checks nodes in a phase of unknown start, in a pool without an insight, and in no pool.
func TestUnknownNodes(t *testing.T) {
	us, options := listedNodes(t)
	node := us.Status.WorkerPools[0].Informers[0].Insights[1].Node
	node.Phases = nil
	first := us.Status.ControlPlane.Informers[0].Insights
	for name, pool := range map[string]string{"a-0": "arbiter", "x-0": ""} {
		first = append(first, updatev1alpha1.Insight{UID: name, Node: &updatev1alpha1.NodeInsight{Name: name, Pool: pool}})
	}
	us.Status.ControlPlane.Informers[0].Insights = first
	list := Nodes(read(us, options.Now), options, NodeFilter{Phases: []string{"Draining", "Unknown"}})
	if got := strings.Join(list.Names(), " ") + " of " + strings.Join(list.Pools, " "); got != "w-1 a-0 x-0 of master worker infra arbiter" {
		t.Errorf("got %s", got)
	}
	if one := list.Document().Items[0]; one.Since != nil || one.EstimatedCompletedAt != nil {
		t.Errorf("the times are %v and %v", one.Since, one.EstimatedCompletedAt)
	}
	if table := nodeTable(t, us, options, true); !strings.Contains(table, "4.20.2    -       <20m ") {
		t.Errorf("got\n%s", table)
	}
}

// TestNodesLeftOut checks that nodes that only the count of their pool has are missed, first of all.
func TestNodesLeftOut(t *testing.T) {
	us, options := listedNodes(t)
	if left := LeftOutNodes(read(us, options.Now)); left != "" {
		t.Errorf("of all nodes: %s", left)
	}
	us.Status.WorkerPools[0].Informers[0].Insights[0].MachineConfigPool.Summaries[0].Count = 8
	if left := LeftOutNodes(read(us, options.Now)); left != "the status lacks 3 of the 10 nodes" {
		t.Errorf("got %q", left)
	}
	if got := nodeTable(t, us, options, false); got != "Incomplete: the status lacks 3 of the 10 nodes.\n"+nodesTable {
		t.Errorf("got\n%s", got)
	}
	if got := Nodes(read(us, options.Now), options, NodeFilter{}).Document().Notices; len(got) != 1 || got[0] != "Incomplete: the status lacks 3 of the 10 nodes." {
		t.Errorf("the notices are %q", got)
	}
}

// TestNodePhases checks that the values of a flag are the words of the table, each once.
func TestNodePhases(t *testing.T) {
	if got := strings.Join(NodePhases(), " "); got != "Draining Updating Rebooting Paused Pending Updated Unknown" {
		t.Errorf("got %s", got)
	}
}
