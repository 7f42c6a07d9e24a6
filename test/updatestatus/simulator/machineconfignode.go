package simulator

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// How MachineConfigNodes are written: openshift/machine-config-operator, pkg/upgrademonitor/upgrade_monitor.go.

// report is what is said of a step: the condition of its phase, and its own if it has one.
type report struct {
	phase, step stepCondition
}

type stepCondition struct {
	kind            machineconfigv1.StateProgress
	status          metav1.ConditionStatus
	reason, message string
}

// conditionKinds are all conditions, in the order in which they are written first.
var conditionKinds = []machineconfigv1.StateProgress{
	machineconfigv1.MachineConfigNodeUpdatePrepared,
	machineconfigv1.MachineConfigNodeUpdateExecuted,
	machineconfigv1.MachineConfigNodeUpdatePostActionComplete,
	machineconfigv1.MachineConfigNodeUpdateComplete,
	machineconfigv1.MachineConfigNodeResumed,
	machineconfigv1.MachineConfigNodeUpdateDrained,
	machineconfigv1.MachineConfigNodeUpdateFilesAndOS,
	machineconfigv1.MachineConfigNodeUpdateCordoned,
	machineconfigv1.MachineConfigNodeUpdateRebooted,
	machineconfigv1.MachineConfigNodeUpdated,
	machineconfigv1.MachineConfigNodeUpdateUncordoned,
	machineconfigv1.MachineConfigNodeNodeDegraded,
	machineconfigv1.MachineConfigNodePinnedImageSetsDegraded,
	machineconfigv1.MachineConfigNodePinnedImageSetsProgressing,
}

func (s *Simulation) hasMachineConfigNodes(version string) bool {
	return !s.update.NoMachineConfigNodes && atLeast(version, sinceMachineConfigNodes)
}

// newMachineConfigNode returns that of a node on which no update was reported, as after the installation.
func newMachineConfigNode(n *node, since time.Time) *machineconfigv1.MachineConfigNode {
	config := n.object.Annotations[builders.AnnotationCurrentConfig]
	made := builders.MachineConfigNode(n.object.Name, config)
	made.Spec.Pool.Name = n.pool.script.Name
	made.Generation, made.Status.ObservedGeneration = 1, 2
	made.Status.ConfigVersion = &machineconfigv1.MachineConfigNodeStatusMachineConfigVersion{Current: config, Desired: config}
	for _, kind := range conditionKinds {
		condition := stepCondition{kind, metav1.ConditionFalse, "NotYetOccurred", fmt.Sprintf("This node has not yet entered the %s phase", kind)}
		if kind == machineconfigv1.MachineConfigNodeUpdated {
			condition = isUpdated(n).phase
		}
		made.Status.Conditions = append(made.Status.Conditions, condition.at(since))
	}
	return made
}

// addMachineConfigNodes creates those that a release has and the one before had not.
func (s *Simulation) addMachineConfigNodes() {
	if !s.hasMachineConfigNodes(s.cvo.release) {
		return
	}
	for _, p := range s.pools {
		for _, n := range p.nodes {
			if n.machineConfigNode == nil {
				n.machineConfigNode = newMachineConfigNode(n, s.time())
				s.create(n.machineConfigNode)
			}
		}
	}
}

// wantMachineConfig writes what the node should have: UpdateMachineConfigNodeSpecDesiredAnnotations.
func (s *Simulation) wantMachineConfig(n *node) {
	if n.machineConfigNode == nil {
		return
	}
	changeSpec(s, n.machineConfigNode, func(object *machineconfigv1.MachineConfigNode) {
		object.Spec.ConfigVersion.Desired = n.object.Annotations[builders.AnnotationDesiredConfig]
	})
}

// report writes a report: generateAndApplyMachineConfigNodes. Nothing is written if the phase is as it was; the time of a condition is
// that of its last write, whether it changed or not; and when the node is updated, all other conditions become False.
func (s *Simulation) report(n *node, says report) {
	if n.machineConfigNode == nil {
		return
	}
	for _, condition := range n.machineConfigNode.Status.Conditions {
		if condition.Type == string(says.phase.kind) && condition.Status == says.phase.status && condition.Message == says.phase.message {
			return
		}
	}
	now := s.time()
	change(s, n.machineConfigNode, status, func(object *machineconfigv1.MachineConfigNode) {
		for at := range object.Status.Conditions {
			says.write(&object.Status.Conditions[at], object.Spec.ConfigVersion.Desired, now)
		}
		object.Status.ObservedGeneration = object.Generation + 1
		object.Status.ConfigVersion = &machineconfigv1.MachineConfigNodeStatusMachineConfigVersion{
			Current: n.object.Annotations[builders.AnnotationCurrentConfig],
			Desired: n.object.Annotations[builders.AnnotationDesiredConfig],
		}
	})
}

func (r report) write(condition *metav1.Condition, desired string, now time.Time) {
	kind := machineconfigv1.StateProgress(condition.Type)
	switch {
	case kind == machineconfigv1.MachineConfigNodeUpdated && condition.Status == metav1.ConditionTrue && r.phase.kind != kind:
		*condition = stepCondition{
			kind, metav1.ConditionFalse, string(kind), "This node is not updated, sensed disruption via a manual update.",
		}.at(now)
	case kind == r.step.kind:
		*condition = r.step.at(now)
	case kind == r.phase.kind:
		*condition = r.phase.at(now)
	case condition.Status != metav1.ConditionFalse && r.phase.kind == machineconfigv1.MachineConfigNodeUpdated:
		condition.Status, condition.LastTransitionTime = metav1.ConditionFalse, metav1.NewTime(now)
		condition.Message = fmt.Sprintf("Action during update to %s: %s", desired, condition.Message)
	}
}

func (c stepCondition) at(now time.Time) metav1.Condition {
	return metav1.Condition{
		Type: string(c.kind), Status: c.status, Reason: c.reason, Message: c.message, LastTransitionTime: metav1.NewTime(now),
	}
}
