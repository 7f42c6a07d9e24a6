package simulator

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// What the drain controller does: openshift/machine-config-operator, pkg/controller/drain/drain_controller.go.

const (
	verbDrain    = "drain-"
	verbUncordon = "uncordon-"

	// evictionTakes is how long one attempt of a drain takes at most (DrainHelperTimeout). The next one is a minute later
	// (DrainRequeueDelay), after ten minutes (DrainRequeueFailingThreshold) five (DrainRequeueFailingDelay).
	evictionTakes     = 90 * time.Second
	nextAttempt       = time.Minute
	failingAfter      = 10 * time.Minute
	nextAttemptFailed = 5 * time.Minute

	evictionFails = `error when evicting pods/"cart-7d9c5b-x2x8k" -n "shop": global timeout reached: 1m30s`
)

// startDrain cordons a node and drains it.
func (s *Simulation) startDrain(n *node) {
	n.draining = s.now
	target, cordons := n.target, min(time.Second, n.times.drain/2)
	blocked := s.update.Blocked[n.object.Name]
	s.after(cordons, func() {
		if !n.object.Spec.Unschedulable {
			s.cordon(n, true)
			s.report(n, cordoned())
			s.poolChanged(n.pool)
		}
		s.report(n, draining(n))
		if blocked {
			s.blockedAttempt(n, target)
		}
	})
	if !blocked {
		s.after(n.times.drain, func() { s.endDrain(n) })
	}
}

// blockedAttempt ends an attempt of a drain that is blocked, and makes the next one.
func (s *Simulation) blockedAttempt(n *node, target string) {
	goesOn := func() bool {
		return n.target == target && n.object.Annotations[builders.AnnotationLastAppliedDrain] != verbDrain+target
	}
	s.inBackground(evictionTakes, func() {
		if !goesOn() {
			return
		}
		s.report(n, drainFails(n))
		wait := nextAttempt
		if s.now-n.draining-evictionTakes > failingAfter {
			wait = nextAttemptFailed
		}
		s.inBackground(wait, func() {
			if goesOn() {
				s.report(n, draining(n))
				s.blockedAttempt(n, target)
			}
		})
	})
}

// endDrain is what the controller writes when no pod is left. The daemon sees it some seconds later, or at its next try.
func (s *Simulation) endDrain(n *node) {
	s.report(n, drained(n))
	s.annotate(n, builders.AnnotationLastAppliedDrain, verbDrain+n.target)
	if !n.waits {
		// The daemon has given up waiting: its next try goes on.
		n.tries++
		s.after(s.about(retriesEvery), func() { s.try(n) })
		return
	}
	n.waits = false
	s.apply(n)
}

// uncordon uncordons a node, and says so.
func (s *Simulation) uncordon(n *node) {
	s.after(2*time.Second, func() {
		if n.object.Spec.Unschedulable {
			s.cordon(n, false)
			s.poolChanged(n.pool)
		}
		s.report(n, uncordoned())
	})
	s.after(3*time.Second, func() { s.annotate(n, builders.AnnotationLastAppliedDrain, verbUncordon+n.target) })
}

// cordon cordons or uncordons a node. The taint is that of the node lifecycle controller, kubernetes/kubernetes,
// pkg/controller/nodelifecycle, whose write is taken together with it.
func (s *Simulation) cordon(n *node, cordoned bool) {
	since := metav1.NewTime(s.time())
	change(s, n.object, allButStatus, func(object *corev1.Node) {
		object.Spec.Unschedulable = cordoned
		setTaint(object, corev1.Taint{
			Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule, TimeAdded: &since,
		}, cordoned)
	})
}
