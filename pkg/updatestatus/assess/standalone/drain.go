package standalone

import (
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
)

// DrainInput is what is known about the drain of a node besides the node itself.
type DrainInput struct {
	// Observed is when the node was first observed draining, zero in an evaluation of files.
	Observed time.Time
	// UpdateStarted is when the update started, which is not after the drain. It is used where the drain was not observed.
	UpdateStarted time.Time
	// FailedWith is what an attempt of the drain failed with before (Result.DrainFailedWith), empty if none has.
	FailedWith string
	// Blockers are the objects that were read because the drain takes long (Result.LongDrain), nil if they have not been read
	// yet: the drain is not reported until then.
	Blockers *drain.Blockers
}

// beingDrained returns whether the node is being drained: its daemon has requested the drain, and the drain is not done. Whatever it
// is drained for holds up the update, as long as the node does not run the target.
func (f nodeFacts) beingDrained() bool {
	desired := f.node.Annotations[nodestate.DesiredDrainAnnotation]
	return f.assigned() && !f.updated() && f.draining() && strings.HasPrefix(desired, nodestate.DrainVerb) &&
		desired != f.node.Annotations[nodestate.LastAppliedDrainAnnotation]
}

// drainStart returns when the drain of the node started, zero if the node is not being drained or the start is
// unknown.
func (f nodeFacts) drainStart() time.Time {
	if !f.beingDrained() {
		return time.Time{}
	}
	return nodestate.DrainTimes{
		Observed: f.drain.Observed, UpdateStarted: f.drain.UpdateStarted, Cordoned: nodestate.Cordoned(f.node), Reported: f.cordonReported(),
	}.Start()
}

// drainLevel returns the level of a drain by its age, empty if it is not long.
func (f nodeFacts) drainLevel(now time.Time) updatev1alpha1.HealthLevel {
	start := f.drainStart()
	if start.IsZero() {
		return ""
	}
	level, _ := nodestate.DrainThresholds.LevelAt(start, now)
	return level
}

// nodeDrainBlocked explains a drain that takes long.
func nodeDrainBlocked(checked checkedNode) *assess.Finding {
	start := checked.drainStart()
	if start.IsZero() {
		return nil
	}
	if checked.drainLevel(checked.now) == "" || checked.drain.Blockers == nil {
		return &assess.Finding{Since: start, IsIncomplete: true}
	}
	found := drain.Explain(drain.Input{
		Node: checked.node.Name, Unreachable: nodestate.IsUnreachable(checked.node), Blockers: checked.drain.Blockers,
		OperatorMessage: checked.drain.lastError(checked.drainReported()), DaemonMessage: checked.node.Annotations[nodestate.ReasonAnnotation],
	}, checked.now)
	found.Since = start
	return found
}

// lastError returns what the last attempt of a drain failed with, if the Machine Config Operator reports something. During the next
// attempt it is what was reported before: it would come and go with each attempt otherwise.
func (in DrainInput) lastError(reported string) string {
	if strings.HasPrefix(reported, drainAttemptFailed) {
		return reported
	}
	return in.FailedWith
}
