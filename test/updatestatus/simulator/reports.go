package simulator

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// What is reported of each step to MachineConfigNodes: openshift/machine-config-operator, pkg/daemon/update.go, drain.go and
// daemon.go, pkg/controller/drain/drain_controller.go.

// stepOf returns the report of a step: its reason is made of the names of the phase and the step.
func stepOf(
	phase machineconfigv1.StateProgress, phaseStatus metav1.ConditionStatus, phaseMessage string,
	step machineconfigv1.StateProgress, stepStatus metav1.ConditionStatus, stepMessage string,
) report {
	return report{
		phase: stepCondition{phase, phaseStatus, string(step), phaseMessage},
		step:  stepCondition{step, stepStatus, string(phase) + string(step), stepMessage},
	}
}

func phaseOf(phase machineconfigv1.StateProgress, status metav1.ConditionStatus, reason, message string) report {
	return report{phase: stepCondition{phase, status, reason, message}}
}

func needsUpdate(n *node) report {
	kind := machineconfigv1.MachineConfigNodeUpdated
	return phaseOf(kind, metav1.ConditionFalse, string(kind), fmt.Sprintf("Node %s needs an update", n.object.Name))
}

func isUpdated(n *node) report {
	kind := machineconfigv1.MachineConfigNodeUpdated
	return phaseOf(kind, metav1.ConditionTrue, string(kind), fmt.Sprintf("Node %s Updated", n.object.Name))
}

func updatePrepared(n *node) report {
	kind := machineconfigv1.MachineConfigNodeUpdatePrepared
	drains := n.pool.script.Disruption == Reboot
	return phaseOf(kind, metav1.ConditionTrue, string(kind), fmt.Sprintf("Update Compatible. Post Cfg Actions: [] Drain Required: %t", drains))
}

func drainNotRequired() report {
	const message = "Node Drain Not required for this update."
	return stepOf(machineconfigv1.MachineConfigNodeUpdateExecuted, metav1.ConditionUnknown, message,
		machineconfigv1.MachineConfigNodeUpdateDrained, metav1.ConditionFalse, message)
}

// cordoned and uncordoned say what the node was before.
func cordoned() report {
	return stepOf(machineconfigv1.MachineConfigNodeUpdateExecuted, metav1.ConditionUnknown, "Cordoned Node as part of update executed phase",
		machineconfigv1.MachineConfigNodeUpdateCordoned, metav1.ConditionTrue, "Cordoned node. The node is reporting Unschedulable = false")
}

func draining(n *node) report {
	return drainStep(metav1.ConditionUnknown, "Draining Node as part of update executed phase", "Draining node. "+drainCompletes(n))
}

func drainFails(n *node) report {
	return drainStep(metav1.ConditionUnknown, "Node Drain has not succeeded",
		"Error: Node Drain has not succeeded. Error is: "+evictionFails+" "+drainCompletes(n))
}

func drained(n *node) report {
	return drainStep(metav1.ConditionTrue, "Drained Node as part of update executed phase",
		"Drained node. The drain is complete as the desired drainer matches current drainer: "+n.object.Annotations[builders.AnnotationDesiredDrain])
}

func drainCompletes(n *node) string {
	annotations := n.object.Annotations
	return fmt.Sprintf("The drain will not be complete until desired drainer %s matches current drainer %s",
		annotations[builders.AnnotationDesiredDrain], annotations[builders.AnnotationLastAppliedDrain])
}

func drainStep(status metav1.ConditionStatus, phase, step string) report {
	return stepOf(machineconfigv1.MachineConfigNodeUpdateExecuted, metav1.ConditionUnknown, phase,
		machineconfigv1.MachineConfigNodeUpdateDrained, status, step)
}

// filesAndOS is Unknown while they are written, and True afterwards.
func filesAndOS(status metav1.ConditionStatus) report {
	phase := "Updating the Files and OS on disk as a part of the in progress phase"
	step := "Applying files and new OS config to node. OS will  need an update. SSH Keys will not need an update"
	if status == metav1.ConditionTrue {
		phase = "Updated the Files and OS on disk as a part of the in progress phase"
		step = "Applied files and new OS config to node. OS did  need an update. SSH Keys did not need an update"
	}
	return stepOf(machineconfigv1.MachineConfigNodeUpdateExecuted, status, phase,
		machineconfigv1.MachineConfigNodeUpdateFilesAndOS, status, step)
}

func noReboot(disruption Disruption) report {
	kind := machineconfigv1.MachineConfigNodeUpdatePostActionComplete
	if disruption == Reload {
		return phaseOf(kind, metav1.ConditionTrue, "Reloaded", "Node has reloaded service crio")
	}
	return phaseOf(kind, metav1.ConditionTrue, "None", "Changes do not require a reboot")
}

func rebooting(n *node) report {
	return stepOf(machineconfigv1.MachineConfigNodeUpdatePostActionComplete, metav1.ConditionUnknown,
		"Node will reboot into config "+n.target,
		machineconfigv1.MachineConfigNodeUpdateRebooted, metav1.ConditionUnknown, "Upgrade requires a reboot.")
}

func rebooted() report {
	return stepOf(machineconfigv1.MachineConfigNodeUpdatePostActionComplete, metav1.ConditionTrue, "Node has rebooted",
		machineconfigv1.MachineConfigNodeUpdateRebooted, metav1.ConditionTrue, "Node has rebooted")
}

func uncordoned() report {
	return stepOf(machineconfigv1.MachineConfigNodeUpdateComplete, metav1.ConditionTrue, "Uncordoned Node as part of completing upgrade phase",
		machineconfigv1.MachineConfigNodeUpdateUncordoned, metav1.ConditionTrue, "UnCordoned node. The node is reporting Unschedulable = true")
}

func resumed(n *node) report {
	kind := machineconfigv1.MachineConfigNodeResumed
	return phaseOf(kind, metav1.ConditionTrue, string(kind), fmt.Sprintf("In desired config %s. Resumed normal operations. Applying proper annotations.", n.target))
}

func nodeDegraded(n *node, reason string) report {
	kind := machineconfigv1.MachineConfigNodeNodeDegraded
	return phaseOf(kind, metav1.ConditionTrue, string(kind), fmt.Sprintf("Node %s upgrade failure. %s", n.object.Name, reason))
}
