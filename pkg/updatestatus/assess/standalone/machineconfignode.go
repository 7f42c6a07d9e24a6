package standalone

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
)

// The conditions of a MachineConfigNode that are read (openshift/api, machineconfiguration/v1/types_machineconfignode.go). Their
// lastTransitionTime is when they were last written, not when they changed (openshift/machine-config-operator,
// pkg/upgrademonitor/upgrade_monitor.go): it is that of the start of a step only where the step is written once. When a node is done
// all but Updated are False.
const (
	// nodeCordoned is written by pkg/controller/drain/drain_controller.go when it cordons a node for its drain, and again when the
	// controller has restarted or somebody uncordoned the node.
	nodeCordoned = string(machineconfigv1.MachineConfigNodeUpdateCordoned)
	// nodeDrained is Unknown during a drain, and written at each attempt: at its start with a message that is always the same, and
	// at its end with drainAttemptFailed and the error.
	nodeDrained = string(machineconfigv1.MachineConfigNodeUpdateDrained)
	// nodeRebooted is Unknown from the request of the reboot until the daemon runs again, then True (pkg/daemon/update.go,
	// pkg/daemon/daemon.go).
	nodeRebooted = string(machineconfigv1.MachineConfigNodeUpdateRebooted)
	// nodeFailed is True since the update of the node failed with its present error: what does not change is not written again
	// (pkg/daemon/update.go, reportMachineNodeDegradeStatus).
	nodeFailed = string(machineconfigv1.MachineConfigNodeNodeDegraded)
	// nodeImagePulled and nodeFilesApplied are Unknown during a step, whose message they have (pkg/daemon/update.go).
	nodeImagePulled  = string(machineconfigv1.MachineConfigNodeImagePulledFromRegistry)
	nodeFilesApplied = string(machineconfigv1.MachineConfigNodeUpdateFilesAndOS)
)

// drainAttemptFailed starts the message of nodeDrained after an attempt that failed.
const drainAttemptFailed = "Error: "

// machineConfigNodeConditions are the types of the conditions that are read, and whether their time is.
var machineConfigNodeConditions = map[string]bool{
	nodeCordoned: true, nodeRebooted: true, nodeFailed: true, nodeDrained: false, nodeImagePulled: false, nodeFilesApplied: false,
}

// TrimMachineConfigNode returns what assessments read of a MachineConfigNode. Its conditions are rewritten several times a minute;
// what remains of them changes with what they say.
func TrimMachineConfigNode(full *machineconfigv1.MachineConfigNode) *machineconfigv1.MachineConfigNode {
	trimmed := &machineconfigv1.MachineConfigNode{ObjectMeta: assess.TrimMeta(full.ObjectMeta)}
	trimmed.Spec.ConfigVersion.Desired = full.Spec.ConfigVersion.Desired
	for at := range full.Status.Conditions {
		condition := &full.Status.Conditions[at]
		hasTime, isRead := machineConfigNodeConditions[condition.Type]
		// Of several of a type the first is read: were it dropped, the next would be.
		isFirst := meta.FindStatusCondition(full.Status.Conditions, condition.Type) == condition
		if !isRead || !isFirst || condition.Status == metav1.ConditionFalse && condition.Type != nodeRebooted {
			continue
		}
		kept := metav1.Condition{Type: condition.Type, Status: condition.Status, Message: condition.Message}
		if hasTime {
			kept.LastTransitionTime = condition.LastTransitionTime
		}
		trimmed.Status.Conditions = append(trimmed.Status.Conditions, kept)
	}
	return trimmed
}

// reported returns a condition of the MachineConfigNode, nil if it has none, or is about another configuration than the node is
// assigned: the node controller assigns a node first (pkg/controller/node/node_controller.go).
func (f nodeFacts) reported(condition string) *metav1.Condition {
	if f.machineConfigNode == nil || f.machineConfigNode.Spec.ConfigVersion.Desired != f.desiredConfig {
		return nil
	}
	return meta.FindStatusCondition(f.machineConfigNode.Status.Conditions, condition)
}

// rebootReported returns what the MachineConfigNode says of the reboot, nil if nothing. Of a node that failed and was assigned
// another configuration it may still have what was said before: it is older than the cordon then.
func (f nodeFacts) rebootReported() *metav1.Condition {
	rebooted := f.reported(nodeRebooted)
	if rebooted != nil && rebooted.LastTransitionTime.Time.Before(f.cordonReported()) {
		return nil
	}
	return rebooted
}

// rebootStart returns when the reboot that goes on started at the latest, zero if that is not known: when it was requested, or else when
// the node was no longer ready, after it was cordoned for its drain.
func (f nodeFacts) rebootStart() time.Time {
	rebooted := f.rebootReported()
	switch {
	case !f.updating() || !f.rebooting():
		return time.Time{}
	case rebooted != nil && rebooted.Status == metav1.ConditionUnknown:
		return assess.WholeSecond(rebooted.LastTransitionTime.Time)
	case rebooted != nil || !isNotReady(f.node):
		return time.Time{}
	default:
		return assess.WholeSecond(assess.Later(nodestate.NotReadySince(f.node), assess.Later(nodestate.Cordoned(f.node), f.cordonReported())))
	}
}

// cordonReported returns when the Machine Config Operator cordoned the node for its drain, zero if that is not known.
func (f nodeFacts) cordonReported() time.Time {
	cordoned := f.reported(nodeCordoned)
	if cordoned == nil || cordoned.Status != metav1.ConditionTrue {
		return time.Time{}
	}
	return cordoned.LastTransitionTime.Time
}

// hasRebootedSinceFailure returns whether the node has rebooted since its update failed.
func (f nodeFacts) hasRebootedSinceFailure() bool {
	rebooted, failed := f.rebootReported(), f.reported(nodeFailed)
	return rebooted != nil && rebooted.Status == metav1.ConditionTrue && failed != nil && failed.Status == metav1.ConditionTrue &&
		rebooted.LastTransitionTime.After(failed.LastTransitionTime.Time)
}

// drainReported returns what the Machine Config Operator says of the drain, empty if nothing.
func (f nodeFacts) drainReported() string {
	drained := f.reported(nodeDrained)
	if drained == nil || drained.Status != metav1.ConditionUnknown {
		return ""
	}
	return drained.Message
}

// step returns the message of the step of the update that goes on between the drain and the reboot, empty if none is known.
func (f nodeFacts) step() string {
	for _, step := range []string{nodeImagePulled, nodeFilesApplied} {
		if reported := f.reported(step); reported != nil && reported.Status == metav1.ConditionUnknown {
			return reported.Message
		}
	}
	return ""
}

// machineConfigNodeTimes returns the times that are read.
func machineConfigNodeTimes(node *machineconfigv1.MachineConfigNode) []*metav1.Time {
	return assess.ConditionTimes(node.Status.Conditions)
}
