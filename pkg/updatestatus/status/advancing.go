package status

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

const (
	// poolPatience is how long a pool may take at least until another node of it gets on.
	poolPatience = time.Hour
	// podsStart is how long after the end of the update of a node its pods may need to be ready.
	podsStart = 5 * time.Minute
)

// advancing are the pools of which a node has got on with its update within the time that nodes take, and the nodes whose update ended a few minutes
// ago, by name.
type advancing struct {
	pools, nodes map[string]bool
}

// isOf returns whether an insight is about one of them.
func (a advancing) isOf(one *updatev1alpha1.Insight) bool {
	return one.MachineConfigPool != nil && a.pools[one.MachineConfigPool.Name] || one.Node != nil && a.nodes[one.Node.Name]
}

// findAdvancing returns what gets on, if an operator is degraded: nothing else asks.
func (m merger) findAdvancing(parts informersByPart) advancing {
	all, now := contentsOf(parts), m.clock.Time.Time
	found := advancing{pools: map[string]bool{}, nodes: map[string]bool{}}
	if !slices.ContainsFunc(all.Health, func(one insight.Health) bool { return one.Health.Reason == insight.ReasonClusterOperatorDegraded }) {
		return found
	}
	until := func(ends time.Time) bool {
		if !ends.After(now) {
			return false
		}
		m.nextCheck = assess.Earliest(m.nextCheck, wholeSecondFrom(ends))
		return true
	}
	ends := map[string]time.Time{}
	for _, node := range all.Nodes {
		state, moved := insight.StateOf(node), movedAt(node)
		switch {
		case state.Phase == insight.PhaseCompleted:
			found.nodes[node.Name] = until(moved.Add(podsStart))
		case !state.Updating:
			continue
		}
		ends[node.Pool] = assess.Later(ends[node.Pool], moved.Add(max(poolPatience, 2*m.longest(node.Pool, insight.PhaseDraining))))
	}
	for pool, at := range ends {
		found.pools[pool] = until(at)
	}
	return found
}

// movedAt returns when a node was last observed to get on with its update.
func movedAt(node *updatev1alpha1.NodeInsight) time.Time {
	var moved time.Time
	if updating := meta.FindStatusCondition(node.Conditions, updatev1alpha1.ConditionUpdating); updating != nil {
		moved = updating.LastTransitionTime.Time
	}
	for _, phase := range node.Phases {
		moved = assess.Later(moved, phase.StartedAt.Time)
	}
	return moved
}

// longest returns what nine of ten nodes of a pool take from a phase on at most, in this update or else in earlier ones; zero if that is not known.
func (m merger) longest(pool string, phase insight.NodePhase) time.Duration {
	_, long := m.history.Usual(pool, phase)
	if of := m.pools[pool]; of != nil {
		if _, ofThis := of.Usual(phase); ofThis > 0 {
			long = ofThis
		}
	}
	return long
}
