package estimate

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// phases are the phases of the update of a node, in their order.
var phases = [...]updatev1alpha1.NodeUpdatePhase{
	updatev1alpha1.PhaseDraining, updatev1alpha1.PhaseUpdating, updatev1alpha1.PhaseRebooting,
}

// wholeUpdate is the index of the first phase: from its start a node takes its whole update.
const wholeUpdate = 0

// indexOf returns the index of a phase, negative if it is none of a node's update.
func indexOf(phase updatev1alpha1.NodeUpdatePhase) int {
	return slices.Index(phases[:], phase)
}

// usual returns how long a node takes from the start of a phase to the end of its update, by the rule of thumb.
func usual(from int) time.Duration {
	var total time.Duration
	for _, phase := range phases[from:] {
		total += insight.NodePhase(phase).RuleOfThumb()
	}
	return total
}

// Progress is how far a node is in its update.
type Progress struct {
	// Name is the node's name, Pool that of its pool.
	Name, Pool string
	State      insight.NodeState
	// since is when the update of the node started, or when it was done.
	since time.Time
	// phases are those whose start was observed.
	phases []updatev1alpha1.NodePhase
}

// ProgressOf reads a node insight that has its times.
func ProgressOf(node *updatev1alpha1.NodeInsight) Progress {
	read := Progress{Name: node.Name, Pool: node.PoolResource.Name, State: insight.StateOf(node), phases: node.Phases}
	if updating := meta.FindStatusCondition(node.Conditions, updatev1alpha1.ConditionUpdating); updating != nil {
		read.since = updating.LastTransitionTime.Time
	}
	return read
}

// lastEvent returns when the node last reached a phase, or was done.
func (p Progress) lastEvent() time.Time {
	if len(p.phases) == 0 {
		return p.since
	}
	return p.phases[len(p.phases)-1].StartedAt.Time
}

// startObserved is whether the start of the node's update was observed. A node that was being updated when it was first
// observed has started earlier than its condition tells.
func (p Progress) startObserved() bool {
	return len(p.phases) > 0 && p.phases[0].StartedAt.Time.Equal(p.since)
}

// SetPhases sets when a node that is being updated reached its phases; before is its last insight, nil if there is none. A
// node may go back (the Machine Config Daemon is at work for a moment before it asks for the drain): it has then not left the
// phase that it goes back to. When the phase started in which a node was first observed is not known.
func SetPhases(node, before *updatev1alpha1.NodeInsight, now metav1.Time) {
	node.Phases = nil
	state := insight.StateOf(node)
	present := updatev1alpha1.NodeUpdatePhase(state.Phase)
	if before == nil || !state.Updating || indexOf(present) < 0 {
		return
	}
	was := insight.StateOf(before)
	started := now
	if was.Updating {
		for at := range before.Phases {
			if indexOf(before.Phases[at].Phase) > indexOf(present) {
				started = before.Phases[at].StartedAt
				break
			}
			node.Phases = append(node.Phases, before.Phases[at])
		}
		if was.Phase == state.Phase || len(node.Phases) > 0 && node.Phases[len(node.Phases)-1].Phase == present {
			return
		}
	}
	node.Phases = append(node.Phases, updatev1alpha1.NodePhase{Phase: present, StartedAt: started})
}

// longestUpdate bounds the duration of a node's update.
const longestUpdate = 7 * 24 * time.Hour

// phaseDurations are the seconds that a node took from the start of each phase to the end of its update; zero where the start
// was not observed.
type phaseDurations [len(phases)]int32

// Phases are the phases of a node's update whose start was observed, in their order.
type Phases struct {
	Phases []updatev1alpha1.NodePhase
	// StartObserved is whether the first of them is that in which the node started.
	StartObserved bool
}

// PhasesOf returns the phases of a node insight that has its times.
func PhasesOf(node *updatev1alpha1.NodeInsight) Phases {
	return ProgressOf(node).observed()
}

func (p Progress) observed() Phases {
	return Phases{Phases: p.phases, StartObserved: p.startObserved()}
}

// durationsOf returns what a node took that is done and was not before, zero if that is not known.
func durationsOf(before, after Progress) phaseDurations {
	if !before.State.Updating || after.State.Phase != insight.PhaseCompleted {
		return phaseDurations{}
	}
	return before.observed().durations(after.since)
}

// durations returns what a node took that was done at a moment.
func (p Phases) durations(done time.Time) phaseDurations {
	var taken phaseDurations
	for _, phase := range p.Phases {
		if at := indexOf(phase.Phase); at > wholeUpdate {
			taken[at] = secondsBetween(phase.StartedAt.Time, done)
		}
	}
	if p.StartObserved {
		taken[wholeUpdate] = secondsBetween(p.Phases[0].StartedAt.Time, done)
	}
	return taken
}

// secondsBetween returns zero, which is unknown, where a clock was set back in between.
func secondsBetween(from, to time.Time) int32 {
	if to.Before(from) {
		return 0
	}
	return int32(min(max(to.Sub(from), time.Second), longestUpdate) / time.Second)
}
