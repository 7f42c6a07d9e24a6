package nodes

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// roster remembers how every node was assessed, so that the change of one costs one assessment and a step of its pool's
// counts. It can be made again from the caches at any moment.
type roster struct {
	nodes map[string]entry
	pools map[string]assess.NodeCounts
}

type entry struct {
	// seen is the state of the node in the cache that was assessed.
	seen *corev1.Node
	// pool is where the node was, empty if in none, and state how it was there.
	pool  string
	state insight.NodeState
	// drain is what is known of its drain.
	drain drained
	// nextCheck is when the assessment changes by the clock alone, zero if it does not.
	nextCheck time.Time
}

// memory is what is remembered of a node.
type memory struct {
	entry

	known bool
}

func (r roster) recall(name string) memory {
	found, known := r.nodes[name]
	return memory{found, known}
}

func newRoster() roster {
	return roster{nodes: map[string]entry{}, pools: map[string]assess.NodeCounts{}}
}

// isNews is whether a state of a node has not been assessed yet, or is due to be assessed again.
func (r roster) isNews(name string, node *corev1.Node, now time.Time) bool {
	known, found := r.nodes[name]
	if node == nil {
		return found
	}
	return !found || known.seen != node || !known.nextCheck.IsZero() && !now.Before(known.nextCheck)
}

// concerned returns the nodes that are in some pools, or have some MachineConfigs or are to get them.
func (r roster) concerned(by changed) []string {
	var found []string
	for name, known := range r.nodes {
		hasConfig := func(config string) bool { return by.configs[config] }
		if by.pools[known.pool] || slices.ContainsFunc(assess.ConfigsOf(known.seen), hasConfig) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// put enters a node, and returns the pools whose counts change.
func (r roster) put(made entry) []string {
	name := made.seen.Name
	before, known := r.nodes[name]
	if known && before.pool == made.pool && before.state == made.state {
		r.nodes[name] = made
		return nil
	}
	changed := r.drop(name)
	r.nodes[name] = made
	if made.pool == "" {
		return changed
	}
	counts := r.pools[made.pool]
	counts.Add(made.state)
	r.pools[made.pool] = counts
	if !slices.Contains(changed, made.pool) {
		changed = append(changed, made.pool)
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
	counts := r.pools[before.pool]
	counts.Remove(before.state)
	r.pools[before.pool] = counts
	return []string{before.pool}
}
