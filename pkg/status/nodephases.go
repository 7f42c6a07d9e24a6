package status

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// updatePhases are the phases of the update of a node, in the order in which it goes through them.
var updatePhases = [...]updatev1alpha1.NodeUpdatePhase{
	updatev1alpha1.PhaseDraining, updatev1alpha1.PhaseUpdating, updatev1alpha1.PhaseRebooting,
}

// wholeUpdate is the place of the phase that begins with a node's update: what a node took from there is all it took.
const wholeUpdate = 0

// phaseAt is the place of a phase among updatePhases, negative for one that is not among them.
func phaseAt(phase updatev1alpha1.NodeUpdatePhase) int {
	return slices.Index(updatePhases[:], phase)
}

// progress is how far a node is in its update, read once.
type progress struct {
	name, pool string
	state      insight.NodeState
	// since is when the update of the node began, or when it was done.
	since time.Time
	// phases are those that were seen to begin.
	phases []updatev1alpha1.NodePhase
}

// progressOf reads a node whose times have been kept.
func progressOf(node *updatev1alpha1.NodeInsight) progress {
	read := progress{name: node.Name, pool: node.PoolResource.Name, state: insight.StateOf(node), phases: node.Phases}
	if updating := meta.FindStatusCondition(node.Conditions, updatev1alpha1.ConditionUpdating); updating != nil {
		read.since = updating.LastTransitionTime.Time
	}
	return read
}

// last is the last thing that happened to the node in its update.
func (p progress) last() time.Time {
	if len(p.phases) == 0 {
		return p.since
	}
	return p.phases[len(p.phases)-1].StartedAt.Time
}

// startSeen is whether the update of the node was seen to begin. A node that was being updated already when it was first
// seen has begun earlier than its condition tells.
func (p progress) startSeen() bool {
	return len(p.phases) > 0 && p.phases[0].StartedAt.Time.Equal(p.since)
}

// keepPhases gives a node that is being updated the times at which it reached its phases. A node that goes back, as when
// the Machine Config Daemon is at work for a moment before it asks for the drain, has not left the phase that it goes back
// to. Where it was when it was first seen began at a time that nobody knows.
func keepPhases(made, before *updatev1alpha1.NodeInsight, clock moment) {
	made.Phases = nil
	state := insight.StateOf(made)
	present := updatev1alpha1.NodeUpdatePhase(state.Phase)
	if before == nil || !state.Updating || phaseAt(present) < 0 {
		return
	}
	was := insight.StateOf(before)
	started := clock.Time
	if was.Updating {
		for at := range before.Phases {
			if phaseAt(before.Phases[at].Phase) > phaseAt(present) {
				started = before.Phases[at].StartedAt
				break
			}
			made.Phases = append(made.Phases, before.Phases[at])
		}
		if was.Phase == state.Phase || len(made.Phases) > 0 && made.Phases[len(made.Phases)-1].Phase == present {
			return
		}
	}
	made.Phases = append(made.Phases, updatev1alpha1.NodePhase{Phase: present, StartedAt: started})
}

// longestUpdate bounds what a node is said to have taken.
const longestUpdate = 7 * 24 * time.Hour

// took is how many seconds a node took from the begin of each phase to the end of its update; zero where the begin was
// not seen.
type took [len(updatePhases)]int32

// tookOf returns what a node took that is done now and was not before, and whether anything is known of it.
func tookOf(before, made progress) (taken took, known bool) {
	if !before.state.Updating || made.state.Phase != insight.PhaseCompleted {
		return taken, false
	}
	for at := range before.phases {
		if place := phaseAt(before.phases[at].Phase); place > wholeUpdate {
			taken[place] = secondsBetween(before.phases[at].StartedAt.Time, made.since)
		}
	}
	if before.startSeen() {
		taken[wholeUpdate] = secondsBetween(before.since, made.since)
	}
	return taken, taken != took{}
}

// secondsBetween is zero, which is not known, where a clock was set back in between.
func secondsBetween(from, to time.Time) int32 {
	if to.Before(from) {
		return 0
	}
	return int32(min(max(to.Sub(from), time.Second), longestUpdate) / time.Second)
}
