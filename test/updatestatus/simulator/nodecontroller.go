package simulator

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// What the node controller does with a pool: openshift/machine-config-operator, pkg/controller/node/node_controller.go.

const (
	// looksAfter is how long after a change it looks at a pool (updateDelay), and patchTakes about how long each of its patches takes:
	// it makes them one after the other.
	looksAfter = 5 * time.Second
	patchTakes = 20 * time.Millisecond
	// daemonSees is about how long after the assignment the daemon begins.
	daemonSees = 4 * time.Second
)

// waitingTaint is on nodes that wait for their update: pkg/constants, NodeUpdateInProgressTaint. It has no time.
var waitingTaint = corev1.Taint{Key: builders.TaintUpdateInProgress, Effect: corev1.TaintEffectPreferNoSchedule}

// poolChanged lets the node controller look at a pool soon. A pool of the control plane concerns the others of it.
func (s *Simulation) poolChanged(p *pool) {
	concerned := []*pool{p}
	if p.isRequired() {
		concerned = s.machineConfig.required
	}
	for _, other := range concerned {
		switch {
		case other.looking:
			other.again = true
		case !other.queued:
			other.queued = true
			s.after(looksAfter, func() { s.lookAt(other) })
		}
	}
}

// lookAt is syncMachineConfigPool: taints, assignments, status, in this order.
func (s *Simulation) lookAt(p *pool) {
	p.queued = false
	switch {
	case s.update.NoController:
		return
	case p.object.Spec.Paused:
		s.writePoolStatus(p)
		return
	case !p.image.isReady():
		// After a build that failed it does not get as far as the status.
		if p.image.state == building {
			s.writePoolStatus(p)
		}
		return
	}
	p.looking = true
	wait := s.taintWaiting(p)
	s.after(wait, func() {
		wait := s.assign(p)
		s.after(wait, func() {
			s.writePoolStatus(p)
			p.looking = false
			if p.again {
				p.again = false
				s.poolChanged(p)
			}
		})
	})
}

// taintWaiting taints the nodes that wait, and no others, and returns how long that takes. Nodes of paused pools are left alone.
func (s *Simulation) taintWaiting(p *pool) time.Duration {
	var wait time.Duration
	for _, n := range p.nodes {
		if isWaiting := !p.wants(n); isWaiting != hasTaint(n.object, waitingTaint.Key) {
			wait += patchTakes
			s.after(wait, func() {
				change(s, n.object, allButStatus, func(object *corev1.Node) {
					setTaint(object, waitingTaint, isWaiting)
				})
			})
		}
	}
	return wait
}

// assign gives as many nodes as may be unavailable the configuration of the pool, and returns how long that takes.
func (s *Simulation) assign(p *pool) time.Duration {
	candidates, capacity := p.candidates()
	candidates, capacity = s.turnOfControlPlane(p, candidates, capacity)
	switch {
	case capacity == 0:
		return 0
	case len(candidates) > capacity:
		candidates = inOrder(candidates)[:capacity]
	}
	var wait time.Duration
	for _, n := range candidates {
		wait += patchTakes
		s.after(wait, func() { s.assignNode(p, n) })
	}
	return wait
}

func (s *Simulation) assignNode(p *pool, n *node) {
	change(s, n.object, allButStatus, func(object *corev1.Node) {
		object.Annotations[builders.AnnotationDesiredConfig] = p.target()
		if p.image != nil {
			object.Annotations[builders.AnnotationDesiredImage] = p.image.current
		}
	})
	s.wantMachineConfig(n)
	s.after(daemonSees, func() { s.daemonLooks(n) })
	s.poolChanged(p)
}

// candidates are the nodes that may be assigned, and how many of them: getAllCandidateMachines. Whatever is wrong with a node takes a
// place, and a node that fails to reach this configuration takes one more.
func (p *pool) candidates() ([]*node, int) {
	capacity := p.script.MaxUnavailable
	var candidates []*node
	for _, n := range p.nodes {
		if capacity <= 0 {
			return nil, 0
		}
		if isUnavailable(n.object) {
			capacity--
		}
		switch {
		case p.wants(n):
			if isFailing(n.object) {
				capacity--
			}
		case isSchedulable(n.object):
			// The others finish what they were assigned before.
			candidates = append(candidates, n)
		}
	}
	return candidates, max(capacity, 0)
}

// turnOfControlPlane defers the node on which the operator runs, and lets masters and arbiters take turns:
// filterControlPlaneCandidateNodes, and for arbiters in clusters of the topology HighlyAvailableArbiter.
func (s *Simulation) turnOfControlPlane(p *pool, candidates []*node, capacity int) ([]*node, int) {
	if p.script.Name == masterPool && len(candidates) > 1 {
		candidates = slices.DeleteFunc(candidates, func(n *node) bool { return n.object.Name == s.machineConfig.node })
	}
	if !atLeast(s.cvo.release, sinceArbiterTurn) {
		return candidates, capacity
	}
	for _, other := range s.machineConfig.required {
		switch {
		case other == p:
		case p.script.Name == arbiterPool && !other.object.Spec.Paused && other.isBehind():
			return candidates, 0
		case p.script.Name == masterPool && slices.ContainsFunc(other.nodes, func(n *node) bool { return isUnavailable(n.object) }):
			return candidates, 0
		}
	}
	return candidates, capacity
}

// isBehind returns whether nodes of the pool are unavailable or still have to be assigned.
func (p *pool) isBehind() bool {
	return slices.ContainsFunc(p.nodes, func(n *node) bool { return isUnavailable(n.object) || !p.wants(n) })
}

// wants returns whether the node has been assigned what the pool wants: LayeredNodeState.IsDesiredEqualToPool.
func (p *pool) wants(n *node) bool {
	if p.image != nil && n.object.Annotations[builders.AnnotationDesiredImage] != p.image.current {
		return false
	}
	return n.object.Annotations[builders.AnnotationDesiredConfig] == p.target()
}

// inOrder sorts nodes as sortNodeList does: by zone, those without one last, then the oldest first.
func inOrder(nodes []*node) []*node {
	return slices.SortedStableFunc(slices.Values(nodes), func(a, b *node) int {
		zoneA, hasA := a.object.Labels[corev1.LabelTopologyZone]
		zoneB, hasB := b.object.Labels[corev1.LabelTopologyZone]
		if hasA != hasB {
			if hasA {
				return -1
			}
			return 1
		}
		if zoneA != zoneB {
			return strings.Compare(zoneA, zoneB)
		}
		return a.object.CreationTimestamp.Compare(b.object.CreationTimestamp.Time)
	})
}
