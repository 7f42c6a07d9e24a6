package standalone

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
)

// nodeFacts are the annotations of a node and what they refer to.
type nodeFacts struct {
	node              *corev1.Node
	machineConfigNode *machineconfigv1.MachineConfigNode
	target            Target
	state             string
	currentConfig     string
	desiredConfig     string
	currentVersion    string
	desiredVersion    string
	// poolConfig is the MachineConfig that the nodes of the pool should run.
	poolConfig string
	paused     bool
	// hasMigrated is whether the node runs a configuration that was rendered in the migration, or later.
	hasMigrated bool
	drain       DrainInput
}

func factsOf(in NodeInput) nodeFacts {
	annotations := in.Node.Annotations
	facts := nodeFacts{
		node:              in.Node,
		machineConfigNode: in.MachineConfigNode,
		target:            in.Target,
		state:             annotations[nodestate.StateAnnotation],
		currentConfig:     annotations[nodestate.CurrentConfigAnnotation],
		desiredConfig:     annotations[nodestate.DesiredConfigAnnotation],
		poolConfig:        in.Pool.Spec.Configuration.Name,
		paused:            in.Pool.Spec.Paused,
		drain:             in.Drain,
		hasMigrated:       in.hasMigrated,
	}
	if facts.currentConfig != "" {
		facts.currentVersion = in.VersionOf(facts.currentConfig)
	}
	if facts.desiredConfig != "" {
		facts.desiredVersion = in.VersionOf(facts.desiredConfig)
	}
	return facts
}

// assigned returns whether the node is to run another configuration, or in image mode another image, than it does: what the
// Machine Config Operator counts as not done (pkg/controller/common/layered_node_state.go). A node keeps what it is assigned
// until it is done, also when the pool gets another configuration meanwhile.
func (f nodeFacts) assigned() bool {
	annotations := f.node.Annotations
	return f.currentConfig != "" && f.desiredConfig != "" &&
		(f.currentConfig != f.desiredConfig || annotations[nodestate.CurrentImageAnnotation] != annotations[nodestate.DesiredImageAnnotation])
}

// updated returns whether the node runs the target, and is not on its way to another version.
func (f nodeFacts) updated() bool {
	if f.currentVersion == "" || f.currentVersion != f.target.Version || f.updating() {
		return false
	}
	if !f.target.Migrating || f.hasMigrated {
		return true
	}
	return f.desiredConfig == "" || f.currentConfig == f.desiredConfig && f.desiredConfig == f.poolConfig
}

// updating returns whether the node is being updated, to whichever version: to that of an update before, if the next one was
// started meanwhile. The rollout of a MachineConfig that changes no version is no update. In a migration, where versions are the
// same, only the pool's MachineConfig tells where a node is going, and when that which it runs was rendered whether it has arrived: whatever is
// rolled out later is no part of the migration.
func (f nodeFacts) updating() bool {
	switch {
	case !f.assigned() || f.currentVersion == "" || f.desiredVersion == "":
		return false
	case f.currentVersion != f.desiredVersion:
		return true
	default:
		return f.target.Migrating && !f.hasMigrated && f.desiredVersion == f.target.Version && f.desiredConfig == f.poolConfig
	}
}

// draining returns whether the daemon has requested a drain that is not done.
func (f nodeFacts) draining() bool {
	desired := f.node.Annotations[nodestate.DesiredDrainAnnotation]
	applied := f.node.Annotations[nodestate.LastAppliedDrainAnnotation]
	return applied != "" && desired != applied && strings.HasPrefix(desired, nodestate.DrainVerb)
}

// hasNotBegun returns whether the daemon does nothing about what the node is assigned: the first that it does is to leave the state Done
// (openshift/machine-config-operator, pkg/daemon/update.go, update). A daemon that waits for the uncordon of an update before does not act
// either, and is not to blame.
func (f nodeFacts) hasNotBegun() bool {
	desired := f.node.Annotations[nodestate.DesiredDrainAnnotation]
	isUncordoned := !strings.HasPrefix(desired, nodestate.UncordonVerb) || desired == f.node.Annotations[nodestate.LastAppliedDrainAnnotation]
	return f.updating() && f.state == nodestate.StateDone && desired != nodestate.DrainVerb+f.desiredConfig && !f.uncordoning() && isUncordoned
}

// rebooting returns whether the node reboots, or has and is not done. The daemon writes the condition of the MachineConfigNode
// before the annotation, when it requests the reboot and when it runs again, so the condition takes precedence; it ignores that a
// condition could not be written, so the annotation alone counts as well. Without either a node that is not ready after its drain
// reboots.
func (f nodeFacts) rebooting() bool {
	action, isKnown := f.node.Annotations[nodestate.PostConfigActionAnnotation]
	switch rebooted := f.rebootReported(); {
	case rebooted != nil && rebooted.Status != metav1.ConditionFalse:
		return true
	case action == nodestate.PostConfigActionRebooting, f.state == nodestate.StateRebooting:
		return true
	case isKnown || rebooted != nil:
		return false
	default:
		return f.drained() && isNotReady(f.node)
	}
}

// isUnderReboot returns whether the reboot of a node is not over: the daemon has not run since.
func (f nodeFacts) isUnderReboot() bool {
	rebooted := f.rebootReported()
	return f.rebooting() && (rebooted == nil || rebooted.Status != metav1.ConditionTrue)
}

// drained returns whether the drain that the daemon requested was completed, and the node is still cordoned because of it.
func (f nodeFacts) drained() bool {
	applied := f.node.Annotations[nodestate.LastAppliedDrainAnnotation]
	return strings.HasPrefix(applied, nodestate.DrainVerb) && applied == f.node.Annotations[nodestate.DesiredDrainAnnotation]
}

// uncordoning returns whether the daemon has requested to uncordon the node, which it does once the node runs what it should
// (pkg/daemon/daemon.go, completeUpdate).
func (f nodeFacts) uncordoning() bool {
	return f.node.Annotations[nodestate.DesiredDrainAnnotation] == nodestate.UncordonVerb+f.desiredConfig
}

// uncordonFailed is what the daemon writes in nodestate.ReasonAnnotation after it waited in vain for the uncordon (pkg/daemon/daemon.go,
// completeUpdate).
const uncordonFailed = "failed to uncordon node"

// rebootFailed is what the daemon writes in nodestate.ReasonAnnotation if the command that reboots the node fails. It writes before that it
// reboots (pkg/daemon/update.go, reboot).
const rebootFailed = "reboot command failed"

// isRecovering returns whether a degraded node is past the step that failed. The daemon leaves the state Degraded until the node is
// done, and tries a step that failed again and again: that it does is no progress.
func (f nodeFacts) isRecovering() bool {
	reason := f.node.Annotations[nodestate.ReasonAnnotation]
	switch {
	case !f.assigned(), strings.Contains(reason, uncordonFailed):
		return false
	case nodestate.IsDrainFailure(reason):
		return f.drained() || f.uncordoning()
	case strings.Contains(reason, rebootFailed):
		return f.hasRebootedSinceFailure() || f.uncordoning()
	default:
		return f.isUnderReboot() || f.hasRebootedSinceFailure() || f.uncordoning()
	}
}

func isNotReady(node *corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status != corev1.ConditionTrue
		}
	}
	return false
}
