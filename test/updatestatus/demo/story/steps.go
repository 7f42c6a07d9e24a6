package story

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// In the time of an update that is not sped up.
const (
	// degradedFor is how long it takes until the node is repaired.
	degradedFor = 5 * time.Minute
	// blockedFor is how long a drain is blocked.
	blockedFor = 5 * time.Minute
	// refusedFor is how long a manifest can't be applied.
	refusedFor = 25 * time.Minute
)

// step is something that an administrator does once.
type step struct {
	// when returns whether the step is due after a write.
	when func(simulator.Write) bool
	do   func(*simulator.Simulation)
}

// repair repairs the degraded node after a while.
func repair(scale float64) step {
	return after(isDegraded, degradedFor, scale, func(simulation *simulator.Simulation) { simulation.Repair(DegradedNode) })
}

// unblock lets the drain of a node go on after a while.
func unblock(scale float64) step {
	isBlocked := func(write simulator.Write) bool { return isOf(write, StorageNode) && IsDraining(write.After) }
	return after(isBlocked, blockedFor, scale, func(simulation *simulator.Simulation) { simulation.Unblock(StorageNode) })
}

// admit removes the cause why a manifest can't be applied after a while.
func admit(scale float64) step {
	return after(isFailing, refusedFor, scale, func(simulation *simulator.Simulation) { simulation.Admit() })
}

// after returns a step that is due some time after the first of some writes.
func after(starts func(simulator.Write) bool, lasts time.Duration, scale float64, do func(*simulator.Simulation)) step {
	var start time.Time
	return step{
		when: func(write simulator.Write) bool {
			if start.IsZero() && starts(write) {
				start = write.Time
			}
			return !start.IsZero() && write.Time.Sub(start) >= time.Duration(float64(lasts)*scale)
		},
		do: do,
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

func isFailing(write simulator.Write) bool {
	version, _ := write.After.(*configv1.ClusterVersion)
	return version != nil && slices.ContainsFunc(version.Status.Conditions, func(one configv1.ClusterOperatorStatusCondition) bool {
		return one.Type == "Failing" && one.Status == configv1.ConditionTrue
	})
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
