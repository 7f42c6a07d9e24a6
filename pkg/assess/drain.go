package assess

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// drainThresholds follows the Machine Config Operator: it retries an eviction every minute, after ten minutes every five, and
// after an hour it reports the drain as failed.
var drainThresholds = thresholds{warning: 10 * time.Minute, failure: time.Hour}

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
	desired := f.node.Annotations[DesiredDrainAnnotation]
	return f.assigned() && !f.updated() && f.draining() && strings.HasPrefix(desired, drainVerb) &&
		desired != f.node.Annotations[LastAppliedDrainAnnotation]
}

// drainStart returns when the drain of the node started, zero if the node is not being drained or the start is
// unknown.
func (f nodeFacts) drainStart() time.Time {
	if !f.beingDrained() {
		return time.Time{}
	}
	return f.drain.start(f.cordoned(), f.cordonReported())
}

// start returns when a drain started, zero if that is unknown. A start that was observed may be that of the previous drain, and a
// cordon may have been set by an administrator long before: the later of both counts. An earlier start that the Machine Config
// Operator reports takes precedence; a later one does not, since the operator cordons anew when it has restarted.
func (in DrainInput) start(cordoned, reported time.Time) time.Time {
	var start time.Time
	switch {
	case !in.Observed.IsZero():
		start = earliest(later(in.Observed, cordoned), reported)
	case !reported.IsZero():
		start = reported
	case !cordoned.IsZero():
		start = later(cordoned, in.UpdateStarted)
	}
	return wholeSecond(start)
}

// cordoned returns when the node was last cordoned, zero if its taints do not include the time.
func (f nodeFacts) cordoned() time.Time {
	for _, taint := range f.node.Spec.Taints {
		if taint.Key == corev1.TaintNodeUnschedulable && taint.TimeAdded != nil {
			return taint.TimeAdded.Time
		}
	}
	return time.Time{}
}

// drainLevel returns the level of a drain by its age, empty if it is not long.
func (f nodeFacts) drainLevel(now time.Time) updatev1alpha1.HealthLevel {
	start := f.drainStart()
	if start.IsZero() {
		return ""
	}
	level, _ := drainThresholds.levelAt(start, now)
	return level
}

// nodeDrainBlocked explains a drain that takes long.
func nodeDrainBlocked(checked checkedNode) *finding {
	start := checked.drainStart()
	if start.IsZero() {
		return nil
	}
	if checked.drainLevel(checked.now) == "" || checked.drain.Blockers == nil {
		return &finding{since: start, isIncomplete: true}
	}
	explained := drain.Explain(drain.Input{
		Node: checked.node.Name, Unreachable: isUnreachable(checked.node), Blockers: checked.drain.Blockers,
		OperatorMessage: checked.drain.lastError(checked.drainReported()), DaemonMessage: checked.node.Annotations[ReasonAnnotation],
	}, checked.now)
	return &finding{
		since:            start,
		summary:          explained.Summary,
		description:      explained.Description,
		reference:        explained.Reference,
		relatedResources: explained.Resources,
		nextCheck:        explained.NextCheck,
	}
}

// lastError returns what the last attempt of a drain failed with, if the Machine Config Operator reports something. During the next
// attempt it is what was reported before: it would come and go with each attempt otherwise.
func (in DrainInput) lastError(reported string) string {
	if strings.HasPrefix(reported, drainAttemptFailed) {
		return reported
	}
	return in.FailedWith
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Observed is what the sources have observed, and a controller that has just started can't know from the cluster.
type Observed struct {
	// Starts is since when nodes drain, and components of a hosted control plane are rolled out, by name.
	Starts map[string]time.Time
	// DrainFailures is what the last attempts of drains failed with (DrainInput.FailedWith), by the name of the node.
	DrainFailures map[string]string
}

// ObservedBefore returns what was observed according to a status: failures are read back from the insights that were made of them.
func ObservedBefore(status *updatev1alpha1.UpdateStatusStatus) Observed {
	all := readReported(status)
	observed := Observed{Starts: map[string]time.Time{}, DrainFailures: map[string]string{}}
	for _, operator := range all.Operators {
		if state := insight.OperatorStateOf(operator); isComponent(operator) && state.Progress == insight.OperatorUpdating {
			observed.Starts[operator.Name] = state.Since.Time
		}
	}
	for _, node := range all.Nodes {
		if node.DrainStartedAt != nil {
			observed.Starts[node.Name] = node.DrainStartedAt.Time
		}
	}
	for _, one := range all.Health {
		if node, message := insight.StalledNode(one.Insight), drain.OperatorMessage(one.Health.Impact.Description); node != "" && message != "" {
			observed.DrainFailures[node] = message
		}
	}
	return observed
}

// readReported returns what the sources that watch the cluster have reported by a status.
func readReported(status *updatev1alpha1.UpdateStatusStatus) insight.Contents {
	var informers []updatev1alpha1.Informer
	if status.ControlPlane != nil {
		informers = append(informers, status.ControlPlane.Informers...)
	}
	for _, pool := range status.WorkerPools {
		informers = append(informers, pool.Informers...)
	}
	return insight.Read(slices.DeleteFunc(informers, func(one updatev1alpha1.Informer) bool {
		return one.Name != string(insight.NodeInformer) && one.Name != string(insight.ControlPlaneInformer)
	}))
}
