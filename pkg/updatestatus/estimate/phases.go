package estimate

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// phases are the phases of the update of a node, in their order.
var phases = [...]updatev1alpha1.NodeUpdatePhase{
	updatev1alpha1.PhaseDraining, updatev1alpha1.PhaseUpdating, updatev1alpha1.PhaseRebooting,
}

// wholeUpdate is the index of the first phase: from its start a node takes its whole update. rebooting is that of the last one.
const (
	wholeUpdate = 0
	rebooting   = len(phases) - 1
)

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
	// version is what the node runs, empty if that is not known.
	version string
	// since is when the update of the node started, or when it was done.
	since time.Time
	// phases are those whose start was observed.
	phases []updatev1alpha1.NodePhase
}

// ProgressOf reads a node insight that has its times.
func ProgressOf(node *updatev1alpha1.NodeInsight) Progress {
	read := Progress{Name: node.Name, Pool: node.Pool, State: insight.StateOf(node), version: node.Version, phases: node.Phases}
	if since := updatingSince(node); since != nil {
		read.since = since.Time
	}
	return read
}

// UpdatingSince returns since when the node is observed being updated, or done, zero if that is not known.
func (p Progress) UpdatingSince() time.Time {
	return p.since
}

// started returns when the update of the node started: a phase can have started before its update was first observed.
func (p Progress) started() time.Time {
	if len(p.phases) > 0 && p.phases[0].StartedAt.Time.Before(p.since) {
		return p.phases[0].StartedAt.Time
	}
	return p.since
}

// lastEvent returns when the node last reached a phase, or was done.
func (p Progress) lastEvent() time.Time {
	if len(p.phases) == 0 {
		return p.since
	}
	return p.phases[len(p.phases)-1].StartedAt.Time
}

// startObserved is whether the start of the node's update is known: it was observed, or the drain, with which an update starts, was
// reported to have started before. A node that was being updated when it was first observed has started earlier than its condition
// tells.
func (p Progress) startObserved() bool {
	if len(p.phases) == 0 {
		return false
	}
	first := &p.phases[0]
	return first.StartedAt.Time.Equal(p.since) || first.Phase == updatev1alpha1.PhaseDraining && first.StartedAt.Time.Before(p.since)
}

// SetPhases sets when a node that is being updated reached its phases; before is its last insight, nil if there is none. A
// phase that a node does not need (a drain on a single node, a reboot by a node disruption policy) is skipped. The phase in
// which a node was first observed has a start only if one is reported.
func SetPhases(node, before *updatev1alpha1.NodeInsight, now metav1.Time) {
	node.Phases = nil
	state := insight.StateOf(node)
	present := updatev1alpha1.NodeUpdatePhase(state.Phase)
	if !state.Updating || indexOf(present) < 0 {
		return
	}
	if present == updatev1alpha1.PhaseUpdating && hasRebooted(node, before) {
		node.Phases = slices.Clone(before.Phases)
		return
	}
	earlier, started := phasesBefore(node, before, present, now)
	if reported := reportedStart(node, present); isStart(reported, earlier, cmp.Or(started, updatingSince(node), &now)) {
		started = reported
	} else if present == updatev1alpha1.PhaseRebooting && !reported.Equal(started) {
		node.RebootStartedAt = nil // it was observed before
	}
	node.Phases = earlier
	if started != nil {
		node.Phases = append(node.Phases, updatev1alpha1.NodePhase{Phase: present, StartedAt: *started})
	}
}

// hasRebooted returns whether a node has rebooted in this update. Between its reboot and its end it is uncordoned: the Machine
// Config Daemon clears post-config-action first, and sets currentConfig only then (openshift/machine-config-operator,
// pkg/daemon/daemon.go, updateConfigAndState). It has not gone back to its phase Updating.
func hasRebooted(node, before *updatev1alpha1.NodeInsight) bool {
	if before == nil || !insight.StateOf(before).Updating || IsNextUpdate(before, node) {
		return false
	}
	return insight.StateOf(before).Phase == insight.PhaseRebooting || hasPhase(before.Phases, updatev1alpha1.PhaseRebooting)
}

// phasesBefore returns the phases before the present one, and when that was first observed, nil if it may have started before. A
// node may go back (the daemon is at work for a moment before it asks for the drain, and starts again when it failed): it has then
// not left the phase that it goes back to.
func phasesBefore(
	node, before *updatev1alpha1.NodeInsight, present updatev1alpha1.NodeUpdatePhase, now metav1.Time,
) (earlier []updatev1alpha1.NodePhase, started *metav1.Time) {
	if before == nil {
		return nil, nil
	}
	was := insight.StateOf(before)
	if !was.Updating || IsNextUpdate(before, node) {
		return nil, &now
	}
	for at := range before.Phases {
		if indexOf(before.Phases[at].Phase) >= indexOf(present) {
			return earlier, before.Phases[at].StartedAt.DeepCopy()
		}
		earlier = append(earlier, before.Phases[at])
	}
	if was.Phase == insight.NodePhase(present) {
		return earlier, nil
	}
	return earlier, &now
}

// IsNextUpdate returns whether a node that is and was being updated is so for the second time: it runs another version. While
// nodes lag, the target may become a newer one, and a node that is done with its version is given the next one at once.
func IsNextUpdate(before, node *updatev1alpha1.NodeInsight) bool {
	return before.Version != "" && node.Version != "" && before.Version != node.Version
}

// IsTakenBack returns whether a node that is done was not updated: the update was cancelled before the node began, and it runs the
// version that it ran before. A node that rebooted was updated: a migration to multi-architecture keeps the version.
func IsTakenBack(phases []updatev1alpha1.NodePhase, before, after string) bool {
	return before != "" && before == after && !hasPhase(phases, updatev1alpha1.PhaseRebooting)
}

func hasPhase(phases []updatev1alpha1.NodePhase, phase updatev1alpha1.NodeUpdatePhase) bool {
	return slices.ContainsFunc(phases, func(one updatev1alpha1.NodePhase) bool { return one.Phase == phase })
}

// reportedStart returns the start of a phase that the insight has besides what was observed, nil if there is none.
func reportedStart(node *updatev1alpha1.NodeInsight, phase updatev1alpha1.NodeUpdatePhase) *metav1.Time {
	switch phase {
	case updatev1alpha1.PhaseDraining:
		return node.DrainStartedAt
	case updatev1alpha1.PhaseRebooting:
		return node.RebootStartedAt
	default:
		return nil
	}
}

// isStart returns whether a reported start counts: it is earlier than what was observed, by more than the seconds that
// observations differ by, and not before the phase before.
func isStart(reported *metav1.Time, earlier []updatev1alpha1.NodePhase, observed *metav1.Time) bool {
	if reported == nil || !reported.Add(Tolerance).Before(observed.Time) {
		return false
	}
	return len(earlier) == 0 || !reported.Before(&earlier[len(earlier)-1].StartedAt)
}

// IsReported returns whether the start of a phase of a node is one that the insight has besides what was observed.
func IsReported(node *updatev1alpha1.NodeInsight, phase updatev1alpha1.NodePhase) bool {
	reported := reportedStart(node, phase.Phase)
	return reported != nil && reported.Equal(&phase.StartedAt)
}

// updatingSince returns when the update of the node was first observed, nil if that is not known.
func updatingSince(node *updatev1alpha1.NodeInsight) *metav1.Time {
	updating := meta.FindStatusCondition(node.Conditions, updatev1alpha1.ConditionUpdating)
	if updating == nil || updating.LastTransitionTime.IsZero() {
		return nil
	}
	return &updating.LastTransitionTime
}

// longestUpdate bounds the duration of a node's update.
const longestUpdate = 7 * 24 * time.Hour

// phaseDurations are the seconds that a node took from the start of each phase to the end of its update; zero where the start
// was not observed, or the node did not have the phase: it counts in no duration from there on.
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

// durationsOf returns what a node took that is done and was not before, zero if that is not known. A node that is done with
// a version that is not the target any more is not done: what it took belongs to the update before, and those that lag are the
// slow ones.
func durationsOf(before, after Progress) phaseDurations {
	isDone := before.State.Updating && after.State.Phase == insight.PhaseCompleted
	if !isDone || IsTakenBack(before.phases, before.version, after.version) {
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
