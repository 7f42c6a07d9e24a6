package simulator

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// The status of a pool: openshift/machine-config-operator, pkg/controller/node/status.go, calculateStatus. PinnedImageSetsDegraded is
// written only where one is degraded, which is not played.

// writePoolStatus writes the status of a pool if it has changed, and what follows from that.
func (s *Simulation) writePoolStatus(p *pool) {
	next := s.poolStatus(p, s.time())
	if equality.Semantic.DeepEqual(p.object.Status, next) {
		return
	}
	change(s, p.object, status, func(object *machineconfigv1.MachineConfigPool) { object.Status = next })
	degraded := poolCondition(p.object, machineconfigv1.MachineConfigPoolDegraded)
	updating := poolCondition(p.object, machineconfigv1.MachineConfigPoolUpdating)
	s.machineConfig.degraded += int(one(degraded) - one(p.degraded))
	s.machineConfig.updating += int(one(updating) - one(p.updating))
	p.degraded, p.updating = degraded, updating
	s.observePools()
}

func (s *Simulation) poolStatus(p *pool, now time.Time) machineconfigv1.MachineConfigPoolStatus {
	before := p.object.Status
	result := machineconfigv1.MachineConfigPoolStatus{
		Configuration:      before.Configuration,
		MachineCount:       int32(len(p.nodes)),
		ObservedGeneration: p.object.Generation,
	}
	var reasons []string
	for _, n := range p.nodes {
		done, schedulable := isDone(n.object), isSchedulable(n.object)
		updated := done && p.wants(n)
		result.UpdatedMachineCount += one(updated)
		result.ReadyMachineCount += one(updated && schedulable)
		result.UnavailableMachineCount += one(!schedulable || !done && !isFailing(n.object))
		result.DegradedMachineCount += one(isDegraded(n.object))
		reasons = append(reasons, n.degradedReasons()...)
	}
	updated := result.UpdatedMachineCount == result.MachineCount && result.ReadyMachineCount == result.MachineCount &&
		result.UnavailableMachineCount == 0
	if updated {
		result.Configuration.Name = p.target()
	}
	conditions := poolConditions{before: before.Conditions, now: now}
	conditions.set(machineconfigv1.MachineConfigPoolRenderDegraded, p.renderFails != "", "", p.renderFails)
	degraded := result.DegradedMachineCount > 0
	reason, message := "", ""
	if degraded {
		reason = fmt.Sprintf("%d nodes are reporting degraded status on sync", result.DegradedMachineCount)
		message = strings.Join(reasons, ", ")
	}
	conditions.set(machineconfigv1.MachineConfigPoolNodeDegraded, degraded, reason, message)
	if p.image != nil && atLeast(s.cvo.release, sinceImageBuildDegraded) {
		conditions.set(machineconfigv1.MachineConfigPoolImageBuildDegraded, p.image.state == buildFailed, p.image.reason(), p.image.message())
	}
	conditions.set(machineconfigv1.MachineConfigPoolDegraded, degraded || p.renderFails != "", "", message)
	if updated {
		conditions.set(machineconfigv1.MachineConfigPoolUpdated, true, "", "All nodes are updated with "+p.updateLine())
	} else {
		conditions.set(machineconfigv1.MachineConfigPoolUpdated, false, "", "")
	}
	waits := p.image.waits()
	if waits == "" && !updated && atLeast(s.cvo.release, sinceImageRollout) {
		waits = p.image.rollsOut()
	}
	updating, message := p.updatingMessage(waits, updated, result.DegradedMachineCount > 0)
	conditions.set(machineconfigv1.MachineConfigPoolUpdating, updating, "", message)
	result.Conditions = conditions.after
	return result
}

// updatingMessage is the condition Updating. What an image waits for takes precedence.
func (p *pool) updatingMessage(waits string, updated, degraded bool) (bool, string) {
	if waits != "" && !p.object.Spec.Paused {
		if degraded {
			return false, "Pool update paused due to degraded condition"
		}
		return true, waits
	}
	switch {
	case updated:
		return false, ""
	case p.object.Spec.Paused:
		return false, "Pool is paused; will not update to " + p.updateLine()
	default:
		return true, "All nodes are updating to " + p.updateLine()
	}
}

// updateLine is getPoolUpdateLine.
func (p *pool) updateLine() string {
	line := "MachineConfig " + p.target()
	if p.image != nil && p.image.current != "" {
		line += " / Image " + p.image.current
	}
	return line
}

// degradedReasons are what a pool says of a node that is degraded: the message of its MachineConfigNode and its annotation.
func (n *node) degradedReasons() []string {
	if !isDegraded(n.object) {
		return nil
	}
	var result []string
	if n.machineConfigNode != nil {
		for _, condition := range n.machineConfigNode.Status.Conditions {
			if condition.Type == string(machineconfigv1.MachineConfigNodeNodeDegraded) && condition.Status == metav1.ConditionTrue {
				result = append(result, fmt.Sprintf("Node %s is reporting: %q", n.object.Name, condition.Message))
			}
		}
	}
	if reason := n.object.Annotations[builders.AnnotationReason]; reason != "" {
		result = append(result, fmt.Sprintf("Node %s is reporting: %q", n.object.Name, reason))
	}
	return result
}

// poolConditions builds conditions: the time of one moves with its status only.
type poolConditions struct {
	before, after []machineconfigv1.MachineConfigPoolCondition
	now           time.Time
}

func (c *poolConditions) set(kind machineconfigv1.MachineConfigPoolConditionType, is bool, reason, message string) {
	next := machineconfigv1.MachineConfigPoolCondition{
		Type: kind, Status: corev1.ConditionFalse, LastTransitionTime: metav1.NewTime(c.now), Reason: reason, Message: message,
	}
	if is {
		next.Status = corev1.ConditionTrue
	}
	for _, condition := range c.before {
		if condition.Type == kind && condition.Status == next.Status {
			next.LastTransitionTime = condition.LastTransitionTime
		}
	}
	c.after = append(c.after, next)
}

func one(is bool) int32 {
	if is {
		return 1
	}
	return 0
}
