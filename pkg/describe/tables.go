package describe

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

// maxTableNodes is how many nodes have a row in Tables, which is for pages without limit.
const maxTableNodes = 200

// Tables are the parts of an update, for other forms than text. All of their texts are clean.
type Tables struct {
	// Operators are all cluster operators.
	Operators []OperatorRow
	// Pools are the worker pools with nodes.
	Pools []PoolRow
	// Nodes are the nodes, the worst first: all, or in a large cluster those that need attention or are being updated, at most 200.
	Nodes []NodeRow
	// NodeNames are all others, by pool and phase.
	NodeNames []NodeNames
}

// OperatorRow is a cluster operator. Its message says what it does while it is updating.
type OperatorRow struct {
	Name, State, Message string
}

// PoolRow is a worker pool.
type PoolRow struct {
	Name, Assessment, Completion, Nodes string
}

// NodeRow is a node.
type NodeRow struct {
	Name, Pool, Assessment, Phase, Version, Estimate, Message string
}

// NodeNames are nodes of a pool in a phase.
type NodeNames struct {
	Pool, Phase string
	Names       []string
}

// TablesOf returns the parts of an UpdateStatus. Options.Head must be set.
func TablesOf(us *updatev1alpha1.UpdateStatus, options Options) *Tables {
	p := &page{Options: options}
	u := read(us, options.Now)
	t := &Tables{}
	for _, operator := range u.ControlPlane.Operators {
		row := OperatorRow{Name: OneLine(operator.Name), State: OneLine(operatorState(operator))}
		if updating := meta.FindStatusCondition(operator.Conditions, updatev1alpha1.ConditionUpdating); updating != nil {
			row.Message = OneLine(updating.Message)
		}
		t.Operators = append(t.Operators, row)
	}
	for _, pool := range u.Pools {
		if pool.Counts.Total > 0 {
			t.Pools = append(t.Pools, PoolRow{OneLine(pool.Name), OneLine(poolAssessment(pool)), poolCompletion(pool), poolStatus(pool)})
		}
	}
	t.addNodes(u.NodesByUrgency(), p.clock())
	return t
}

// addNodes adds nodes, the worst of which are first.
func (t *Tables) addNodes(nodes []update.Node, c clock) {
	isLarge := len(nodes) > maxTableNodes
	for _, node := range nodes {
		state := node.State
		name, pool, phase := OneLine(node.Name), OneLine(node.PoolResource.Name), OneLine(phaseOf(state))
		if isLarge && (len(t.Nodes) == maxTableNodes || !state.Updating && !needsAttention(state)) {
			t.addName(pool, phase, name)
			continue
		}
		t.Nodes = append(t.Nodes, NodeRow{
			name, pool, OneLine(string(state.Assessment())), phase, OneLine(cmp.Or(node.Version, unknownCell)),
			c.nodeEstimate(node), nodeMessage(node),
		})
	}
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
