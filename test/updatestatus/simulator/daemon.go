package simulator

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// What the Machine Config Daemon does with its node: openshift/machine-config-operator, pkg/daemon/daemon.go, update.go, drain.go and
// writer.go. It never writes the state Rebooting.

const (
	// preflightTakes is about how long it compares the configurations, pollsEvery how often it looks whether a drain is done.
	preflightTakes = 2 * time.Second
	pollsEvery     = 10 * time.Second
	// retriesEvery is about how often it tries again what has failed (maxUpdateBackoff), and drainTimeout how long it waits for a
	// drain before that is a failure.
	retriesEvery = time.Minute
	drainTimeout = time.Hour
)

// daemonLooks is what the daemon does when its node has changed: it begins to apply what the node should have.
func (s *Simulation) daemonLooks(n *node) {
	if n.busy || n.down || isDone(n.object) || s.update.Idle[n.object.Name] {
		return
	}
	n.busy, n.times = true, s.drawTimes(n)
	s.try(n)
}

// try applies what the node should have now, once.
func (s *Simulation) try(n *node) {
	n.tries++
	n.target, n.image = n.object.Annotations[builders.AnnotationDesiredConfig], n.object.Annotations[builders.AnnotationDesiredImage]
	// A node that has failed keeps its state until it is done, through its reboot: update() in update.go.
	if !isDegraded(n.object) {
		s.annotate(n, builders.AnnotationState, builders.StateWorking)
		s.poolChanged(n.pool)
	}
	s.report(n, needsUpdate(n))
	s.afterTry(n, preflightTakes, func() { s.preflight(n) })
}

// afterTry plans something unless the daemon fails before.
func (s *Simulation) afterTry(n *node, wait time.Duration, do func()) {
	tries := n.tries
	s.after(wait, func() {
		if tries == n.tries {
			do()
		}
	})
}

// preflight compares the configurations, and drains the node if it has to be.
func (s *Simulation) preflight(n *node) {
	name := n.object.Name
	if reason, refuses := s.update.Unreconcilable[name]; refuses {
		s.fail(n, builders.StateUnreconcilable, reason)
		return
	}
	if reason, fails := s.update.Degraded[name]; fails && s.update.Preflight[name] {
		s.fail(n, builders.StateDegraded, reason)
		return
	}
	s.report(n, updatePrepared(n))
	drains := n.pool.script.Disruption == Reboot && !s.isSingleNode()
	switch {
	case !drains:
		s.report(n, drainNotRequired())
		s.afterTry(n, time.Second, func() { s.apply(n) })
	case n.object.Annotations[builders.AnnotationLastAppliedDrain] == verbDrain+n.target:
		// A try before has drained it.
		s.afterTry(n, time.Second, func() { s.apply(n) })
	default:
		s.requestDrain(n)
	}
}

// isSingleNode returns whether the node is the only one, which is not drained: drainRequired in drain.go.
func (s *Simulation) isSingleNode() bool {
	nodes := 0
	for _, p := range s.pools {
		nodes += len(p.nodes)
	}
	return nodes == 1
}

// requestDrain asks the drain controller to cordon and drain the node. After an hour that is a failure, and asked for again.
func (s *Simulation) requestDrain(n *node) {
	if n.object.Annotations[builders.AnnotationDesiredDrain] != verbDrain+n.target {
		s.annotate(n, builders.AnnotationDesiredDrain, verbDrain+n.target)
		s.startDrain(n)
	}
	n.waits = true
	tries := n.tries
	s.inBackground(drainTimeout, func() {
		if tries == n.tries && n.object.Annotations[builders.AnnotationLastAppliedDrain] != verbDrain+n.target {
			s.fail(n, builders.StateDegraded, fmt.Sprintf(
				"failed to drain node: %s after 1 hour. Please see machine-config-controller logs for more information", n.object.Name))
		}
	})
}

// apply writes files and the operating system, and reboots if that has to be.
func (s *Simulation) apply(n *node) {
	s.afterTry(n, n.times.update/4, func() { s.report(n, filesAndOS(metav1.ConditionUnknown)) })
	if s.update.Hanging[n.object.Name] {
		return
	}
	s.afterTry(n, n.times.update, func() {
		if reason, fails := s.update.Degraded[n.object.Name]; fails {
			s.fail(n, builders.StateDegraded, reason)
			return
		}
		s.report(n, filesAndOS(metav1.ConditionTrue))
		if n.pool.script.Disruption != Reboot || n.times.reboot == 0 {
			s.report(n, noReboot(n.pool.script.Disruption))
			s.afterTry(n, time.Second, func() { s.completeUpdate(n) })
			return
		}
		s.reboot(n)
	})
}

// reboot reboots the node, if the command for it does not fail. The value Rebooting of post-config-action tells so, while the state stays Working.
func (s *Simulation) reboot(n *node) {
	s.report(n, rebooting(n))
	if atLeast(s.cvo.release, sincePostConfigAction) {
		s.annotate(n, builders.AnnotationPostConfigAction, builders.PostConfigActionRebooting)
	}
	if s.update.RebootFails[n.object.Name] {
		s.fail(n, builders.StateDegraded, builders.MCOUpdate.Says("reboot command failed, something is seriously wrong").String())
		return
	}
	s.rebootKubelet(n)
}

// started is what the daemon does once it runs again after the reboot.
func (s *Simulation) started(n *node) {
	s.report(n, rebooted())
	if _, set := n.object.Annotations[builders.AnnotationPostConfigAction]; set {
		s.annotate(n, builders.AnnotationPostConfigAction, "")
	}
	s.afterTry(n, 3*time.Second, func() { s.completeUpdate(n) })
}

// completeUpdate asks for the node to be uncordoned, waits, and then says that it is done: updateConfigAndState in daemon.go. A node
// that should have something else by now goes on with that, without being uncordoned.
func (s *Simulation) completeUpdate(n *node) {
	if n.object.Annotations[builders.AnnotationDesiredConfig] != n.target {
		s.try(n)
		return
	}
	s.annotate(n, builders.AnnotationDesiredDrain, verbUncordon+n.target)
	s.uncordon(n)
	s.afterTry(n, pollsEvery, func() { s.setDone(n) })
}

func (s *Simulation) setDone(n *node) {
	s.report(n, resumed(n))
	change(s, n.object, allButStatus, func(object *corev1.Node) {
		builders.State(builders.StateDone)(object)
		builders.Annotation(builders.AnnotationCurrentConfig, n.target)(object)
		builders.Annotation(builders.AnnotationReason, "")(object)
		if n.image != "" {
			builders.Annotation(builders.AnnotationCurrentImage, n.image)(object)
		}
	})
	s.report(n, isUpdated(n))
	n.busy = false
	n.tries++
	s.poolChanged(n.pool)
	// It may have been assigned something else meanwhile.
	s.daemonLooks(n)
}

// fail writes why a try failed, and tries again, for ever: handleErr in daemon.go. The reason is written each time.
func (s *Simulation) fail(n *node, state, reason string) {
	before, said := isDegraded(n.object), n.object.Annotations[builders.AnnotationReason]
	s.annotate(n, builders.AnnotationState, state, builders.AnnotationReason, reason)
	s.report(n, nodeDegraded(n, reason))
	if !before || said != reason {
		s.poolChanged(n.pool)
	}
	n.waits = false
	n.tries++
	s.retry(n)
}

func (s *Simulation) retry(n *node) {
	tries := n.tries
	s.inBackground(s.about(retriesEvery), func() {
		if tries == n.tries {
			s.try(n)
		}
	})
}
