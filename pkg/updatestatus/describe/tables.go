package describe

import (
	"cmp"
	"slices"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// maxTableNodes is how many nodes have a row in Tables, which is for pages without limit.
const maxTableNodes = 200

// Tables are the parts of an update, for other forms than text. All of their texts are clean.
type Tables struct {
	// Operators are all cluster operators, and Pools the worker pools with nodes.
	Operators, Pools Table
	// Nodes are the nodes, the worst first: all, or in a large cluster those that need attention or are being updated, at most 200.
	Nodes Table
	// NodeNames are all others, by pool and phase.
	NodeNames []NodeNames
}

// NodeNames are nodes of a pool in a phase.
type NodeNames struct {
	Pool, Phase string
	Names       []string
}

// TablesOf returns the parts of an update. Options.Head must be set.
func TablesOf(u *update.Update, options Options) *Tables {
	p := &page{Options: options}
	u = u.Sorted()
	t := &Tables{Operators: reportTable(p, operatorColumns, u.ControlPlane.Operators), Pools: reportTable(p, poolColumns, poolsWithNodes(u))}
	t.addNodes(p, u.NodesByUrgency())
	return t
}

// addNodes adds nodes, the worst of which are first.
func (t *Tables) addNodes(p *page, nodes []update.Node) {
	isLarge := len(nodes) > maxTableNodes
	var listed []update.Node
	for _, node := range nodes {
		if isLarge && (len(listed) == maxTableNodes || !node.State.Updating && !node.NeedsAttention()) {
			t.addName(OneLine(node.Pool), OneLine(phaseOf(node.State)), OneLine(node.Name))
		} else {
			listed = append(listed, node)
		}
	}
	t.Nodes = reportTable(p, nodeColumns, listed)
	slices.SortFunc(t.NodeNames, func(a, b NodeNames) int {
		return cmp.Or(cmp.Compare(a.Pool, b.Pool), cmp.Compare(a.Phase, b.Phase))
	})
	for at := range t.NodeNames {
		slices.Sort(t.NodeNames[at].Names)
	}
}

func (t *Tables) addName(pool, phase, name string) {
	at := slices.IndexFunc(t.NodeNames, func(one NodeNames) bool { return one.Pool == pool && one.Phase == phase })
	if at < 0 {
		at = len(t.NodeNames)
		t.NodeNames = append(t.NodeNames, NodeNames{Pool: pool, Phase: phase})
	}
	t.NodeNames[at].Names = append(t.NodeNames[at].Names, name)
}
