package assess

import (
	"cmp"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

const (
	phaseFailed = "Failed"

	conditionDrained     = "DrainingSucceeded"
	conditionNodeHealthy = "NodeHealthy"
)

// HostedNodeInput is what a node of a hosted cluster is assessed from: itself, its Machine, or both.
type HostedNodeInput struct {
	PoolObjects

	// Node is nil if it is not known: it has not joined yet, or the hosted cluster can't be read.
	Node *corev1.Node
	// Machine is nil if it has none.
	Machine *clusterapiv1beta1.Machine
	// DrainObserved is when the node was first observed draining, zero if it was not.
	DrainObserved time.Time
}

// hostedNode is what the objects of a node of a hosted cluster say.
type hostedNode struct {
	pool    *nodePool
	node    *corev1.Node
	machine *clusterapiv1beta1.Machine
	// isDone is whether the node has been updated in place.
	isDone bool
	// version is that of the node, empty if it is not known.
	version       string
	drainObserved time.Time
}

// HostedNode assesses a node of a hosted cluster. A node that is updated in place has the phases of any other node. One that is
// replaced goes, and another one takes its place: the old one waits and is drained, the new one is being updated until it has
// joined. So no node is said to be updated that is not. A Machine without a node is none while the pool is not updated.
func HostedNode(in HostedNodeInput, now time.Time) Result {
	facts := in.read(now)
	subject, name := facts.subject()
	report := insight.Report{Subject: subject}
	if facts.node == nil && facts.machine.Status.NodeRef == nil && (facts.pool.inPlace || !facts.pool.isUpdating) {
		return Result{Report: report}
	}
	available := facts.available()
	one := &updatev1alpha1.NodeInsight{
		Name:           name,
		Resource:       facts.ref(name),
		PoolResource:   facts.pool.ref,
		ScopeType:      facts.pool.part.ScopeType(),
		Version:        fitVersion(facts.version),
		Conditions:     []metav1.Condition{facts.updating(), available, facts.degraded()},
		DrainStartedAt: optionalTime(facts.drain().since),
	}
	state := insight.StateOf(one)
	one.EstToComplete = nodeEstimate(state)
	one.Message = nodeMessage(state, available.Message, facts.annotation(ReasonAnnotation))
	report.Insights = []insight.ScopedInsight{{Part: facts.pool.part, Insight: updatev1alpha1.Insight{
		UID: insight.UID("node", name), Type: updatev1alpha1.InsightNode, Node: one,
	}}}
	health, nextCheck := facts.health(one, state, now)
	report.Insights = append(report.Insights, health...)
	return Result{Report: report, NextCheck: earliest(facts.pool.pauseEnds, nextCheck)}
}

func (in HostedNodeInput) read(now time.Time) hostedNode {
	facts := hostedNode{pool: in.PoolObjects.read(now), drainObserved: in.DrainObserved}
	if in.Node != nil {
		facts.node = withKnownTimes(in.Node, nodeTimes, now)
	}
	if in.Machine != nil {
		facts.machine = withKnownTimes(in.Machine, machineTimes, now)
	}
	facts.isDone = facts.annotation(CurrentConfigAnnotation) == facts.pool.config && facts.annotation(StateAnnotation) == stateDone &&
		facts.annotation(DesiredDrainAnnotation) == facts.annotation(LastAppliedDrainAnnotation)
	facts.version = cmp.Or(facts.ownVersion(), facts.pool.Status.Version)
	return facts
}

// ownVersion returns the version of the node as far as its own objects tell, empty if they don't: it has the version of its pool then.
func (f hostedNode) ownVersion() string {
	switch {
	case f.pool.inPlace && f.annotation(CurrentConfigAnnotation) != "":
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

func (f hostedNode) annotation(name string) string {
	if f.node == nil {
		return ""
	}
	return f.node.Annotations[name]
}

// subject returns what is reported about, and the name of the node: that of its Machine until it has joined.
func (f hostedNode) subject() (insight.Subject, string) {
	if f.machine == nil {
		return NodeSubject(f.node.Name), f.node.Name
	}
	name := f.machine.Name
	switch {
	case f.node != nil:
		name = f.node.Name
	case f.machine.Status.NodeRef != nil:
		name = f.machine.Status.NodeRef.Name
	}
	return MachineSubject(f.machine.Name), name
}

func (f hostedNode) ref(name string) updatev1alpha1.ResourceRef {
	if f.node == nil && f.machine.Status.NodeRef == nil {
		return machineRef(f.machine)
	}
	ref := nodeRef(name)
	ref.Cluster = updatev1alpha1.ClusterHosted
	return ref
}

func machineRef(machine *clusterapiv1beta1.Machine) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{
		Group: clusterapiv1beta1.GroupName, Resource: "machines", Namespace: machine.Namespace, Name: machine.Name,
		Cluster: updatev1alpha1.ClusterManagement,
	}
}

func (f hostedNode) updating() metav1.Condition {
	status, reason, message := metav1.ConditionFalse, updatev1alpha1.ReasonPending, ""
	phase := f.phase()
	switch {
	case f.pool.target == "":
		status, reason = metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine
		message = "The version of the release of the NodePool is not known"
	case phase != "":
		status, reason = metav1.ConditionTrue, phase
	case f.version == f.pool.target:
		reason = updatev1alpha1.ReasonCompleted
	case f.pool.isPaused:
		reason = updatev1alpha1.ReasonPaused
	}
	return condition(updatev1alpha1.ConditionUpdating, status, reason, message, time.Time{})
}

// phase returns the reason of the phase of the node's update, empty if it is not being updated.
func (f hostedNode) phase() string {
	switch {
	case f.pool.inPlace && f.version != f.pool.target:
		return f.phaseInPlace()
	case f.pool.inPlace:
		return ""
	case f.version != f.pool.target && f.isLeaving():
		return updatev1alpha1.ReasonDraining
	case f.version == f.pool.target && f.pool.isUpdating && !f.hasJoined():
		return updatev1alpha1.ReasonUpdating
	default:
		return ""
	}
}

// phaseInPlace goes by the annotations that the Machine Config Daemon sets. From the reboot on the node is rebooting, until it can
// run workloads again.
func (f hostedNode) phaseInPlace() string {
	config := f.pool.config
	switch {
	case config == "" || f.annotation(DesiredConfigAnnotation) != config:
		return ""
	case f.annotation(CurrentConfigAnnotation) == config:
		return updatev1alpha1.ReasonRebooting
	case f.annotation(LastAppliedDrainAnnotation) != drainVerb+config:
		return updatev1alpha1.ReasonDraining
	case f.hasRebooted():
		return updatev1alpha1.ReasonRebooting
	default:
		return updatev1alpha1.ReasonUpdating
	}
}

// hasRebooted returns whether the node is not ready, or has become so after it was cordoned for its drain.
func (f hostedNode) hasRebooted() bool {
	for _, ready := range f.node.Status.Conditions {
		if ready.Type == corev1.NodeReady {
			cordoned := f.cordoned()
			return ready.Status != corev1.ConditionTrue || !cordoned.IsZero() && ready.LastTransitionTime.After(cordoned)
		}
	}
	return true
}

func (f hostedNode) cordoned() time.Time {
	if f.node == nil {
		return time.Time{}
	}
	return nodeFacts{node: f.node}.cordoned()
}

// isLeaving returns whether the Machine of the node is being deleted.
func (f hostedNode) isLeaving() bool {
	return f.machine != nil && f.machine.DeletionTimestamp != nil
}

// hasJoined returns whether a new node belongs to its pool: it gets the label of its pool when it is ready, and keeps it.
func (f hostedNode) hasJoined() bool {
	if f.node != nil {
		return f.node.Labels[PoolKey] != ""
	}
	return f.machine.Status.NodeRef != nil
}

func (f hostedNode) degraded() metav1.Condition {
	if f.node == nil {
		return condition(updatev1alpha1.ConditionDegraded, metav1.ConditionFalse, updatev1alpha1.ReasonAsExpected, "", time.Time{})
	}
	return nodeDegraded(nodeFacts{node: f.node, desiredConfig: f.annotation(DesiredConfigAnnotation), state: f.annotation(StateAnnotation)})
}

// available goes by the node, or by what its Machine says of it.
func (f hostedNode) available() metav1.Condition {
	if f.node != nil {
		return availableUnless(nodeFacts{node: f.node}.unavailabilities())
	}
	healthy := meta.FindStatusCondition(f.machine.Status.Conditions, conditionNodeHealthy)
	switch {
	case f.machine.Status.NodeRef == nil:
		return availableUnless([]unavailability{{reason: updatev1alpha1.ReasonNotReady, message: "The node has not joined the cluster yet"}})
	case healthy != nil && healthy.Status == metav1.ConditionFalse:
		return availableUnless([]unavailability{{updatev1alpha1.ReasonNotReady, "Not ready", healthy.LastTransitionTime.Time}})
	default:
		return availableUnless(nil)
	}
}

// drain returns the drain of the node for its update. That of a node that is replaced starts with the deletion of its Machine; that
// of one that is updated in place when it was observed, or the node was cordoned if that is later.
func (f hostedNode) drain() hostedDrain {
	if f.phase() != updatev1alpha1.ReasonDraining {
		return hostedDrain{}
	}
	if f.pool.inPlace {
		return hostedDrain{node: f.node.Name, since: wholeSecond(later(f.drainObserved, f.cordoned()))}
	}
	_, name := f.subject()
	drain := hostedDrain{node: name, since: timeOf(f.machine.DeletionTimestamp)}
	if drained := meta.FindStatusCondition(f.machine.Status.Conditions, conditionDrained); drained != nil && drained.Status == metav1.ConditionFalse {
		drain.message = drained.Message
	}
	return drain
}

// health returns the health insights about the node and its Machine.
func (f hostedNode) health(one *updatev1alpha1.NodeInsight, state insight.NodeState, now time.Time) ([]insight.ScopedInsight, time.Time) {
	var insights []insight.ScopedInsight
	var next time.Time
	check := func(facts healthFacts, kind string, resource updatev1alpha1.ResourceRef) {
		facts.now = now
		found, nextCheck := checkHealth(facts, subject{kind: kind, resource: resource, part: f.pool.part})
		insights, next = append(insights, found...), earliest(next, nextCheck)
	}
	if f.node != nil {
		check(healthFacts{node: &nodeFacts{node: f.node}, nodeState: state}, kindNode, one.Resource)
	}
	check(healthFacts{drain: f.drain()}, kindHostedNode, one.Resource)
	if f.machine != nil {
		check(healthFacts{machine: f.machine}, kindMachine, machineRef(f.machine))
	}
	return insights, next
}
