package simulator

import (
	"time"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
)

// Pause pauses a pool, as an administrator does: nodes that are being updated are completed, no other one starts.
func (s *Simulation) Pause(pool string) {
	s.setPaused(pool, true)
}

// Resume resumes a paused pool.
func (s *Simulation) Resume(pool string) {
	s.setPaused(pool, false)
}

func (s *Simulation) setPaused(name string, paused bool) {
	for _, p := range s.pools {
		if p.script.Name != name || p.object.Spec.Paused == paused {
			continue
		}
		s.after(0, func() {
			change(s, p.object, allButStatus, func(object *machineconfigv1.MachineConfigPool) {
				object.Spec.Paused = paused
			})
			s.recount(p)
			s.roll(p)
		})
	}
}

// Unblock ends the blocked drain of a node.
func (s *Simulation) Unblock(name string) {
	if !s.update.Blocked[name] {
		return
	}
	delete(s.update.Blocked, name)
	for _, p := range s.pools {
		for _, n := range p.nodes {
			if n.object.Name == name && n.object.Annotations[builders.AnnotationDesiredDrain] == verbDrain+p.target {
				s.after(0, func() { s.endDrain(n) })
			}
		}
	}
}

// Repair removes the cause why a node is degraded, or would be, and continues its update.
func (s *Simulation) Repair(name string) {
	delete(s.update.Degraded, name)
	for _, p := range s.pools {
		for _, n := range p.nodes {
			if n.object.Name != name || n.object.Annotations[builders.AnnotationState] != builders.StateDegraded {
				continue
			}
			s.after(0, func() {
				s.annotate(n, builders.AnnotationReason, "")
				s.annotate(n, builders.AnnotationState, builders.StateWorking)
				s.recount(p)
			})
			s.after(30*time.Second, func() { s.reboot(n) })
		}
	}
}
