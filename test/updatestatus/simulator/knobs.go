package simulator

import (
	"time"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// Resume resumes a paused pool, as an administrator does.
func (s *Simulation) Resume(name string) {
	for _, p := range s.pools {
		if p.script.Name != name || !p.object.Spec.Paused {
			continue
		}
		s.after(0, func() {
			changeSpec(s, p.object, func(object *machineconfigv1.MachineConfigPool) {
				object.Spec.Paused = false
			})
			s.poolChanged(p)
		})
	}
}

// Uncordon uncordons a node, as the administrator who has cordoned it does.
func (s *Simulation) Uncordon(name string) {
	n := s.nodeNamed(name)
	s.after(0, func() {
		s.cordon(n, false)
		s.poolChanged(n.pool)
	})
}

// Unblock ends the blocked drain of a node.
func (s *Simulation) Unblock(name string) {
	if !s.update.Blocked[name] {
		return
	}
	delete(s.update.Blocked, name)
	n := s.nodeNamed(name)
	s.after(0, func() {
		desired, applied := n.object.Annotations[builders.AnnotationDesiredDrain], n.object.Annotations[builders.AnnotationLastAppliedDrain]
		if desired != applied && desired == verbDrain+n.target {
			s.endDrain(n)
		}
	})
}

// repairTakes is how long after a repair the daemon tries again.
const repairTakes = 30 * time.Second

// Repair removes the cause why a node is degraded, or would be, or why it does not come back. The next try of its daemon succeeds;
// until it is done the state stays Degraded.
func (s *Simulation) Repair(name string) {
	n := s.nodeNamed(name)
	if n == nil {
		return
	}
	wasLost := s.update.Lost[name]
	delete(s.update.Degraded, name)
	delete(s.update.Unreconcilable, name)
	delete(s.update.Lost, name)
	switch {
	case wasLost && n.down:
		s.startKubelet(n, 0, 15*time.Second, 25*time.Second)
	case n.busy && isDegraded(n.object):
		s.after(0, func() { n.tries++ })
		s.after(repairTakes, func() { s.try(n) })
	}
}
