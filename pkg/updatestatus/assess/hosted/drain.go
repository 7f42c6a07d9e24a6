package hosted

import (
	"cmp"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Conditions of a Machine that is being deleted, the last one among those of v1beta2 (kubernetes-sigs/cluster-api,
// internal/controllers/machine/machine_controller.go, reconcileDelete).
const (
	conditionDrained  = "DrainingSucceeded"
	conditionDetached = "VolumeDetachSucceeded"
	conditionDeleting = "Deleting"
)

// stages are reasons of the condition Deleting, with the condition that the stage ends with: none after the volumes.
var stages = map[string]string{
	"DrainingNode":                     conditionDrained,
	"WaitingForVolumeDetach":           conditionDetached,
	"WaitingForPreTerminateHook":       "",
	"WaitingForInfrastructureDeletion": "",
	"WaitingForBootstrapDeletion":      "",
	"DeletingNode":                     "",
	"DeletionCompleted":                "",
}

// podsNotRead is why the pods of a node are unknown where no Blockers are.
const podsNotRead = "the pods of the hosted cluster are not read"

// nodeDrain is the drain of a node of a hosted cluster, and its wait for volumes after that.
type nodeDrain struct {
	drain.Input

	// since is when the drain started, zero if the node is not drained or that is not known. awaitsBlockers is whether what blocks it
	// is being read for the first time.
	since          time.Time
	awaitsBlockers bool
	// volumesSince is since when the node waits for its volumes to be detached, zero if it does not, and volumes what the Machine reports
	// of that. hasDrained is whether its drain was complete, and did not end by a timeout.
	volumesSince time.Time
	volumes      string
	hasDrained   bool
	now          time.Time
}

// drain returns the drain of the node for its update.
func (f nodeFacts) drain(now time.Time) nodeDrain {
	if f.phase() != updatev1alpha1.ReasonDraining {
		return nodeDrain{}
	}
	draining := nodeDrain{now: now, awaitsBlockers: f.awaitsBlockers, Input: drain.Input{
		Node: f.name(), Unreachable: f.node != nil && nodestate.IsUnreachable(f.node),
		Blockers: cmp.Or(f.blockers, &drain.Blockers{Unread: podsNotRead}),
	}}
	if f.pool.inPlace {
		times := nodestate.DrainTimes{Observed: f.drainObserved, UpdateStarted: f.pool.started, Cordoned: nodestate.Cordoned(f.node)}
		draining.Drainer, draining.since, draining.DaemonMessage = drain.HostedClusterConfigOperator, times.Start(), f.annotation(nodestate.ReasonAnnotation)
		return draining
	}
	draining.Drainer = drain.ClusterAPI
	draining.addMachine(f.machine)
	return draining
}

// addMachine adds what the Machine of a node says. Before Cluster API 1.9 the drain started with its deletion, or after that.
func (d *nodeDrain) addMachine(machine *clusterapiv1beta1.Machine) {
	drained, detached := conditionOf(machine, conditionDrained), conditionOf(machine, conditionDetached)
	started := *cmp.Or(machine.Status.Deletion, &clusterapiv1beta1.MachineDeletionStatus{})
	deleting := deletingOf(machine)
	stage, isKnown := stages[deleting.Reason]
	switch {
	case isKnown:
	case detached.Status == metav1.ConditionFalse:
		stage = conditionDetached
	case detached.Status == "" && drained.Status != metav1.ConditionTrue:
		stage = conditionDrained
	}
	switch stage {
	case conditionDrained:
		d.since = cmp.Or(assess.TimeOf(started.NodeDrainStartTime), assess.TimeOf(machine.DeletionTimestamp))
		d.OperatorMessage = drained.Message
	case conditionDetached:
		d.volumesSince = cmp.Or(assess.TimeOf(started.WaitForNodeVolumeDetachStartTime), detached.LastTransitionTime.Time)
		d.hasDrained = drained.Status == metav1.ConditionTrue
		// That of Deleting names the volumes.
		d.volumes = cmp.Or(deleting.Message, detached.Message)
	}
}

// conditionOf returns a condition of a Machine, an empty one if it does not have it.
func conditionOf(machine *clusterapiv1beta1.Machine, kind string) metav1.Condition {
	return *cmp.Or(meta.FindStatusCondition(machine.Status.Conditions, kind), &metav1.Condition{})
}

// deletingOf returns the condition Deleting of a Machine, an empty one if it does not have it.
func deletingOf(machine *clusterapiv1beta1.Machine) metav1.Condition {
	conditions := cmp.Or(machine.Status.V1Beta2, &clusterapiv1beta1.MachineV1Beta2Status{}).Conditions
	return *cmp.Or(meta.FindStatusCondition(conditions, conditionDeleting), &metav1.Condition{})
}

// LongDrains returns the nodes that drain for long according to a message: what blocks them is to be read (Input.Blockers).
func LongDrains(message insight.Message, now time.Time) []string {
	var nodes []string
	for _, report := range message.Reports {
		for _, one := range report.Insights {
			node := one.Insight.Node
			if node == nil || node.DrainStartedAt == nil {
				continue
			}
			if level, _ := nodestate.DrainThresholds.LevelAt(node.DrainStartedAt.Time, now); level != "" {
				nodes = append(nodes, node.Name)
			}
		}
	}
	return nodes
}
