package nodes

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// assessedNodes remembers how every node was assessed, so that the change of one costs one assessment and a step of its
// pool's counts. It can be built again from the caches at any moment.
type assessedNodes struct {
	nodes map[string]assessedNode
	pools map[string]assess.NodeCounts
}

type assessedNode struct {
	// node is the state in the cache that was assessed, nil if none was, and machineConfigNode that of its MachineConfigNode, nil if
	// it had none.
	node              *corev1.Node
	machineConfigNode *machineconfigv1.MachineConfigNode
	// pool is the pool that the node was in, empty if in none, and state how it was there.
	pool  string
	state insight.NodeState
	drain drainState
	// nextCheck is when the assessment changes by the clock alone, zero if it does not.
	nextCheck time.Time
}

func newAssessedNodes() assessedNodes {
	return assessedNodes{nodes: map[string]assessedNode{}, pools: map[string]assess.NodeCounts{}}
}

// needsAssessment returns whether a state of a node has not been assessed yet, or is due to be assessed again.
func (a assessedNodes) needsAssessment(
	name string, node *corev1.Node, machineConfigNode *machineconfigv1.MachineConfigNode, now time.Time,
) bool {
	previous, found := a.nodes[name]
	if node == nil {
		return found
	}
	return previous.node != node || previous.machineConfigNode != machineConfigNode || !previous.nextCheck.IsZero() && !now.Before(previous.nextCheck)
}

// affectedBy returns the nodes that are in some pools, or have some MachineConfigs or are to get them.
func (a assessedNodes) affectedBy(changes pendingChanges) []string {
	var names []string
	for name, each := range a.nodes {
		hasChanged := func(config string) bool { return changes.configs[config] }
		if changes.pools[each.pool] || slices.ContainsFunc(assess.ConfigsOf(each.node), hasChanged) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// put enters a node, and returns the pools whose counts change.
func (a assessedNodes) put(assessed assessedNode) []string {
	name := assessed.node.Name
	before, found := a.nodes[name]
	if found && before.pool == assessed.pool && before.state == assessed.state {
		a.nodes[name] = assessed
		return nil
	}
	changed := a.remove(name)
	a.nodes[name] = assessed
	if assessed.pool == "" {
		return changed
	}
	counts := a.pools[assessed.pool]
	counts.Add(assessed.state)
	a.pools[assessed.pool] = counts
	if !slices.Contains(changed, assessed.pool) {
		changed = append(changed, assessed.pool)
	}
	return changed
}

// remove removes a node, and returns the pools whose counts change.
func (a assessedNodes) remove(name string) []string {
	before, found := a.nodes[name]
	if !found {
		return nil
	}
	delete(a.nodes, name)
	if before.pool == "" {
		return nil
	}
	counts := a.pools[before.pool]
	counts.Remove(before.state)
	a.pools[before.pool] = counts
	return []string{before.pool}
}
