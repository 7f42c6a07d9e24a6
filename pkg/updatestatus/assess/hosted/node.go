package hosted

import (
	"cmp"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

const (
	phaseFailed = "Failed"

	conditionNodeHealthy = "NodeHealthy"
	conditionHealthCheck = "HealthCheckSucceeded"
	conditionRemediated  = "OwnerRemediated"
)

// NodeInput is what a node of a hosted cluster is assessed from: itself, its Machine, or both.
type NodeInput struct {
	PoolObjects

	// Node is nil if it is not known: it has not joined yet, or the hosted cluster can't be read.
	Node *corev1.Node
	// Machine is nil if it has none.
	Machine *clusterapiv1beta1.Machine
	// DrainObserved is when the node was first observed draining, and UpdateObserved being updated otherwise, zero if it was not.
	DrainObserved, UpdateObserved time.Time
	// Blockers are what was read because its drain takes long, nil if they are not read. AwaitsBlockers is whether they are being read for
	// the first time: the drain is not reported until then.
	Blockers       *drain.Blockers
	AwaitsBlockers bool
}

// nodeFacts is what the objects of a node of a hosted cluster say.
type nodeFacts struct {
	pool    *nodePool
	node    *corev1.Node
	machine *clusterapiv1beta1.Machine
	// isDone is whether the node has been updated in place.
	isDone bool
	// version is that of the node, empty if it is not known.
	version                       string
	drainObserved, updateObserved time.Time
	blockers                      *drain.Blockers
	awaitsBlockers                bool
}

// Node assesses a node of a hosted cluster. A node that is updated in place has the phases of any other node. One that is
// replaced is not updated: it waits, is drained and goes, and another one with the new version joins. A Machine has no insight
// until its node has joined, but for health insights.
func Node(in NodeInput, now time.Time) assess.Result {
	return in.read(in.PoolObjects.read(now), now).assess(now)
}

func (in NodeInput) read(pool *nodePool, now time.Time) nodeFacts {
	facts := nodeFacts{pool: pool, drainObserved: in.DrainObserved, updateObserved: in.UpdateObserved, blockers: in.Blockers, awaitsBlockers: in.AwaitsBlockers}
	if in.Node != nil {
		facts.node = nodestate.WithKnownTimes(in.Node, now)
	}
	if in.Machine != nil {
		facts.machine = assess.WithKnownTimes(in.Machine, machineTimes, now)
	}
	facts.isDone = facts.annotation(nodestate.CurrentConfigAnnotation) == facts.pool.config && facts.annotation(nodestate.StateAnnotation) == nodestate.StateDone &&
		facts.annotation(nodestate.DesiredDrainAnnotation) == facts.annotation(nodestate.LastAppliedDrainAnnotation)
	facts.version = cmp.Or(facts.ownVersion(), facts.pool.Status.Version)
	return facts
}

func (f nodeFacts) assess(now time.Time) assess.Result {
	report := insight.Report{Subject: f.subject()}
	var state insight.NodeState
	if f.hasJoined() {
		one := f.insight()
		state = insight.StateOf(one)
		report.Insights = []insight.ScopedInsight{{Part: f.pool.part, Leaving: f.isLeaving(), NotReady: f.node != nil && nodestate.IsNotReady(f.node), Insight: updatev1alpha1.Insight{
			UID: insight.UID("node", one.Name), Type: updatev1alpha1.InsightNode, Node: one,
		}}}
	}
	health, nextCheck := f.health(state, now)
	report.Insights = append(report.Insights, health...)
	return assess.Result{Report: report, NextCheck: assess.Earliest(f.pool.pauseEnds, nextCheck)}
}

func (f nodeFacts) insight() *updatev1alpha1.NodeInsight {
	available := f.available()
	one := &updatev1alpha1.NodeInsight{
		Name:           f.name(),
		Resource:       f.ref(),
		Pool:           f.pool.ref.Name,
		Version:        assess.FitVersion(f.version),
		Conditions:     []metav1.Condition{f.updating(), available, f.degraded()},
		DrainStartedAt: assess.OptionalTime(f.drain(time.Time{}).since),
	}
	nodestate.Finish(one, available.Message, f.annotation(nodestate.ReasonAnnotation))
	return one
}

// ownVersion returns the version of the node as far as its own objects tell, empty if they don't: it has the version of its pool then.
func (f nodeFacts) ownVersion() string {
	switch {
	case f.pool.inPlace && f.pool.Status.Version == f.pool.target:
		// Of the nodes that were updated last, the Machines keep an older version.
		return f.pool.target
	case f.pool.inPlace && f.annotation(nodestate.CurrentConfigAnnotation) != "":
		// Its Machine is from when the node joined.
		if f.isDone {
			return f.pool.target
		}
		return ""
	case f.machine == nil:
		return ""
	case f.pool.inPlace && f.machine.Annotations[MachineReleaseAnnotation] == f.pool.target:
		return f.pool.target
	default:
		return cmp.Or(*cmp.Or(f.machine.Spec.Version, new(string)), f.machine.Annotations[MachineReleaseAnnotation])
	}
}

func (f nodeFacts) annotation(name string) string {
	if f.node == nil {
		return ""
	}
	return f.node.Annotations[name]
}

func (f nodeFacts) subject() insight.Subject {
	if f.machine == nil {
		return assess.NodeSubject(f.node.Name)
	}
	return insight.Subject{Kind: "Machine", Name: f.machine.Name}
}

// name returns the name of the node, empty if its Machine does not have one yet.
func (f nodeFacts) name() string {
	switch {
	case f.node != nil:
		return f.node.Name
	case f.machine.Status.NodeRef != nil:
		return f.machine.Status.NodeRef.Name
	default:
		return ""
	}
}

func (f nodeFacts) ref() updatev1alpha1.ResourceRef {
	ref := assess.NodeRef(f.name())
	ref.Cluster = updatev1alpha1.ClusterHosted
	return ref
}

func machineRef(machine *clusterapiv1beta1.Machine) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{
		Group: clusterapiv1beta1.GroupName, Resource: "machines", Namespace: machine.Namespace, Name: machine.Name,
		Cluster: updatev1alpha1.ClusterManagement,
	}
}

func (f nodeFacts) updating() metav1.Condition {
	status, reason, message := metav1.ConditionFalse, updatev1alpha1.ReasonPending, ""
	phase := f.phase()
	switch {
	case f.pool.target == "":
		status, reason = metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine
		message = unknownPoolTarget
	case f.version == f.pool.target:
		reason = updatev1alpha1.ReasonCompleted
	case phase != "":
		status, reason = metav1.ConditionTrue, phase
	case f.pool.isPaused:
		reason = updatev1alpha1.ReasonPaused
	}
	return assess.Condition(updatev1alpha1.ConditionUpdating, status, reason, message, time.Time{})
}

// phase returns the reason of the phase of the node's update, empty if it is not being updated.
func (f nodeFacts) phase() string {
	switch {
	case f.version == f.pool.target:
		return ""
	case f.pool.inPlace:
		return f.phaseInPlace()
	case f.isLeaving() && !f.pool.machinesPaused:
		return updatev1alpha1.ReasonDraining
	default:
		return ""
	}
}

// isLeaving returns whether the Machine of the node is being deleted.
func (f nodeFacts) isLeaving() bool {
	return f.machine != nil && f.machine.DeletionTimestamp != nil
}

// hasJoined returns whether the node belongs to its pool: it gets the label of its pool when it is ready, and keeps it. While the node
// is not known, its Machine tells whether a new one has been ready.
func (f nodeFacts) hasJoined() bool {
	switch {
	case f.node != nil:
		return f.node.Labels[PoolKey] != ""
	case f.pool.isUpdating && f.version == f.pool.target:
		return f.machine.Status.NodeRef != nil && meta.IsStatusConditionTrue(f.machine.Status.Conditions, conditionNodeHealthy)
	default:
		return f.machine.Status.NodeRef != nil
	}
}

// isJoining returns whether the node will join its pool with the target version.
func (f nodeFacts) isJoining() bool {
	return f.machine != nil && !f.hasJoined() && !f.isLeaving() && f.version == f.pool.target
}

func (f nodeFacts) degraded() metav1.Condition {
	if f.node == nil {
		return assess.Condition(updatev1alpha1.ConditionDegraded, metav1.ConditionFalse, updatev1alpha1.ReasonAsExpected, "", time.Time{})
	}
	return nodestate.Degraded(f.node)
}

// available goes by the node, or by what its Machine says of it.
func (f nodeFacts) available() metav1.Condition {
	if f.node != nil {
		return nodestate.Available(nodestate.Unavailabilities(f.node))
	}
	healthy := meta.FindStatusCondition(f.machine.Status.Conditions, conditionNodeHealthy)
	if healthy != nil && healthy.Status == metav1.ConditionFalse {
		return nodestate.Available([]nodestate.Unavailability{
			{Reason: updatev1alpha1.ReasonNotReady, Message: "Not ready", Since: healthy.LastTransitionTime.Time},
		})
	}
	return nodestate.Available(nil)
}

// health returns the health insights about the node and its Machine.
func (f nodeFacts) health(state insight.NodeState, now time.Time) ([]insight.ScopedInsight, time.Time) {
	of := assess.Subject{Resource: f.ref(), Part: f.pool.part, Reference: reference.HostedTroubleshooting}
	insights, next := assess.CheckHealth(drainChecks, f.drain(now), assess.Subject{Resource: of.Resource, Part: of.Part}, now)
	if f.node != nil {
		idle, idleCheck := assess.CheckHealth(inPlaceChecks, f, assess.Subject{Resource: of.Resource, Part: of.Part}, now)
		insights, next = append(insights, idle...), assess.Earliest(next, idleCheck)
		found, nextCheck := assess.CheckHealth(nodestate.Checks, nodestate.Checked{NodeState: state, Node: f.node}, of, now)
		insights, next = append(found, insights...), assess.Earliest(next, nextCheck)
	}
	if f.machine != nil {
		found, nextCheck := assess.CheckHealth(machineChecks, checkedMachine{f.machine, f.pool.isUpdating && f.isJoining()}, assess.Subject{Resource: machineRef(f.machine), Part: f.pool.part}, now)
		insights, next = append(insights, found...), assess.Earliest(next, nextCheck)
	}
	return insights, next
}

func machineTimes(machine *clusterapiv1beta1.Machine) []*metav1.Time {
	times := append(assess.ConditionTimes(machine.Status.Conditions), &machine.CreationTimestamp, machine.DeletionTimestamp)
	if deletion := machine.Status.Deletion; deletion != nil {
		times = append(times, deletion.NodeDrainStartTime, deletion.WaitForNodeVolumeDetachStartTime)
	}
	return times
}
