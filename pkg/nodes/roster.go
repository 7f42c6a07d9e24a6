package nodes

import (
	"maps"
	"slices"
	"time"

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
	// nextCheck is when the assessment changes by the clock alone, zero if it does not.
	nextCheck time.Time
}

func newRoster() roster {
	return roster{nodes: map[string]entry{}, pools: map[string]map[string]insight.NodeState{}}
}

// isNews is whether a state of a node has not been assessed yet, or is due to be assessed again.
func (r roster) isNews(name string, node *corev1.Node, now time.Time) bool {
	known, found := r.nodes[name]
	if node == nil {
		return found
	}
	return !found || known.seen != node || !known.nextCheck.IsZero() && !now.Before(known.nextCheck)
}

// put enters a node, and returns the pools whose counts change.
func (r roster) put(made entry, state insight.NodeState) []string {
	name, pool := made.seen.Name, made.pool
	before, member := r.pools[pool][name]
	if member && before == state {
		r.nodes[name] = made
		return nil
	}
	changed := r.drop(name)
	r.nodes[name] = made
	if pool == "" {
		return changed
	}
	if r.pools[pool] == nil {
		r.pools[pool] = map[string]insight.NodeState{}
	}
	r.pools[pool][name] = state
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
