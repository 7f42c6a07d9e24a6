package nodes

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// roster remembers how every node was assessed, so that the change of one costs one assessment and the counts of its
// pool. It can be made again from the caches at any moment.
type roster struct {
	nodes map[string]entry
	pools map[string]map[string]insight.NodeState
}

type entry struct {
	// seen is the state of the node in the cache that was assessed.
	seen *corev1.Node
	// pool is where the node was, empty if in none.
	pool string
}

func newRoster() roster {
	return roster{nodes: map[string]entry{}, pools: map[string]map[string]insight.NodeState{}}
}

// isNews is whether a state of a node has not been assessed yet.
func (r roster) isNews(name string, node *corev1.Node) bool {
	known, found := r.nodes[name]
	if node == nil {
		return found
	}
	return !found || known.seen != node
}

// put enters a node, and returns the pools whose counts change.
func (r roster) put(node *corev1.Node, pool string, state insight.NodeState) []string {
	before, member := r.pools[pool][node.Name]
	if member && before == state {
		r.nodes[node.Name] = entry{seen: node, pool: pool}
		return nil
	}
	changed := r.drop(node.Name)
	r.nodes[node.Name] = entry{seen: node, pool: pool}
	if pool == "" {
		return changed
	}
	if r.pools[pool] == nil {
		r.pools[pool] = map[string]insight.NodeState{}
	}
	r.pools[pool][node.Name] = state
	if !slices.Contains(changed, pool) {
		changed = append(changed, pool)
	}
	return changed
}

// drop forgets a node, and returns the pools whose counts change.
func (r roster) drop(name string) []string {
	before, found := r.nodes[name]
	if !found {
		return nil
	}
	delete(r.nodes, name)
	if before.pool == "" {
		return nil
	}
	delete(r.pools[before.pool], name)
	return []string{before.pool}
}

// members returns the states of a pool's nodes, in no order.
func (r roster) members(pool string) []insight.NodeState {
	return slices.Collect(maps.Values(r.pools[pool]))
}
