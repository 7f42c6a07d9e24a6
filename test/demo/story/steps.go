package story

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// In the time of an update that is not sped up.
const (
	// degradedFor is how long it takes until the node is repaired.
	degradedFor = 5 * time.Minute
	// blockedFor is how long a drain is blocked.
	blockedFor = 5 * time.Minute
)

// step is something that an administrator does once.
type step struct {
	// when returns whether the step is due after a write.
	when func(simulator.Write) bool
	do   func(*simulator.Simulation)

	isDue bool
}

// repair repairs the degraded node after a while.
func repair(scale float64) step {
	wait := time.Duration(float64(degradedFor) * scale)
	var degraded time.Time
	return step{
		when: func(write simulator.Write) bool {
			if degraded.IsZero() && isDegraded(write) {
				degraded = write.Time
			}
			return !degraded.IsZero() && write.Time.Sub(degraded) >= wait
		},
		do: func(simulation *simulator.Simulation) { simulation.Repair(DegradedNode) },
	}
}

// IsDraining returns whether a node is being drained.
func IsDraining(node metav1.Object) bool {
	annotations := node.GetAnnotations()
	desired := annotations[builders.AnnotationDesiredDrain]
	return strings.HasPrefix(desired, "drain-") && annotations[builders.AnnotationLastAppliedDrain] != desired
}

// resume resumes the paused pool when the control plane is updated.
func resume() step {
	return step{
		when: isControlPlaneUpdated,
		do:   func(simulation *simulator.Simulation) { simulation.Resume(PausedPool) },
	}
}

func isDegraded(write simulator.Write) bool {
	return isOf(write, DegradedNode) && write.After.GetAnnotations()[builders.AnnotationState] == builders.StateDegraded
}

// isOf returns whether a write is of a Node, and not of the MachineConfigNode of the same name.
func isOf(write simulator.Write, node string) bool {
	return write.Kind == "Node" && write.Name == node
}

func isControlPlaneUpdated(write simulator.Write) bool {
	before, _ := write.Before.(*configv1.ClusterVersion)
	after, _ := write.After.(*configv1.ClusterVersion)
	return before != nil && after != nil && stateOf(before) == configv1.PartialUpdate && stateOf(after) == configv1.CompletedUpdate
}

func stateOf(version *configv1.ClusterVersion) configv1.UpdateState {
	if len(version.Status.History) == 0 {
		return ""
	}
	return version.Status.History[0].State
}
