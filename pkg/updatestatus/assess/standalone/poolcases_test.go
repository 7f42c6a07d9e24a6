package standalone_test

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

// poolIs returns a condition of a pool that has been so since the start.
func poolIs(kind machineconfigv1.MachineConfigPoolConditionType, status corev1.ConditionStatus, message string) builders.MachineConfigPoolOption {
	return func(pool *machineconfigv1.MachineConfigPool) {
		pool.Status.Conditions = append(pool.Status.Conditions, machineconfigv1.MachineConfigPoolCondition{
			Type: kind, Status: status, Message: message, LastTransitionTime: metav1.NewTime(start),
		})
	}
}

func observed(generation, observed int64) builders.MachineConfigPoolOption {
	return func(pool *machineconfigv1.MachineConfigPool) {
		pool.Generation, pool.Status.ObservedGeneration = generation, observed
	}
}

// member is a node of a pool that waits for its update.
func member(name string, changes ...func(*standalone.PoolMember)) standalone.PoolMember {
	one := standalone.PoolMember{
		Name: name, State: insight.NodeState{Phase: insight.PhasePending, Available: true, VersionKnown: true}, Created: installed,
	}
	for _, change := range changes {
		change(&one)
	}
	return one
}

func isUnavailable(why string) func(*standalone.PoolMember) {
	return func(one *standalone.PoolMember) {
		one.Unavailable, one.UnavailableSince, one.IsSkipped = why, start, true
	}
}

func isCordoned(one *standalone.PoolMember) {
	one.Unavailable, one.UnavailableSince, one.IsCordoned, one.IsSkipped = "is cordoned", start, true, true
}

func isFailed(one *standalone.PoolMember) { one.HasFailed = true }

func isUpdating(one *standalone.PoolMember) {
	one.State.Phase, one.State.Updating = insight.PhaseDraining, true
}

func isCompleted(one *standalone.PoolMember) { one.State.Phase = insight.PhaseCompleted }

func hasImage(one *standalone.PoolMember) { one.HasImage = true }

func createdAt(at time.Time) func(*standalone.PoolMember) {
	return func(one *standalone.PoolMember) { one.Created = at }
}

// stalledPool is the input of a pool that should be updating since the start.
func stalledPool(object *machineconfigv1.MachineConfigPool, members ...standalone.PoolMember) standalone.MachineConfigPoolInput {
	in := standalone.MachineConfigPoolInput{Pool: object, Members: members, IsRendered: true, Turn: start}
	for _, one := range members {
		in.Nodes.Add(one.State)
	}
	return in
}

func without(in standalone.MachineConfigPoolInput, change func(*standalone.MachineConfigPoolInput)) standalone.MachineConfigPoolInput {
	change(&in)
	return in
}

func poolCases() healthcases.Cases {
	const worker = "machineconfigpools.machineconfiguration.openshift.io/worker"
	one := func(name string, at time.Duration, in standalone.MachineConfigPoolInput, want string) healthcases.Case {
		return healthcases.Case{Name: name, At: at, Result: poolResult(in), Want: want}
	}
	degraded := func(message string) string {
		return "Error | Update Stalled | 08:00:00 | Pool worker " + message + ": why | why | " + worker
	}
	stalled := func(level, message, description, resources string) string {
		return level + " | Update Stalled | 08:00:00 | Pool worker " + message + " | " + description + " | " + worker + resources
	}
	const (
		unknown   = "has not started to update: cause unknown"
		unknownIs = "The pool is not paused, its configuration is rendered, and enough of its nodes are available. Check the machine-config-controller."
		usedUp    = "At most 1 node of the pool may be unavailable, by its maxUnavailable, and that many already are, for other reasons: the Machine Config Operator waits for them. "
	)
	const skips = "The Machine Config Operator updates no node that is cordoned or not ready, even if more nodes of the pool may be unavailable. "
	idle, two := pool(), pool(builders.MaxUnavailable(2))
	notReady := member("b", isUnavailable("is not ready"))
	progressAt := func(after time.Duration) func(*standalone.MachineConfigPoolInput) {
		return func(in *standalone.MachineConfigPoolInput) { in.LastProgress = start.Add(after) }
	}
	// resumed is a pool that is no longer paused, before and after its operator has noticed.
	resuming := pool(poolIs("Updating", corev1.ConditionFalse, "Pool is paused; will not update to rendered-new"))
	resumed := pool(poolIs("Updating", corev1.ConditionTrue, "All nodes are updating to MachineConfig rendered-new"), func(pool *machineconfigv1.MachineConfigPool) {
		pool.Status.Conditions[len(pool.Status.Conditions)-1].LastTransitionTime = metav1.NewTime(start.Add(50 * time.Minute))
	})
	isRendering := func(in *standalone.MachineConfigPoolInput) { in.IsRendered = false }
	building := pool(poolIs("Updating", corev1.ConditionTrue, "Pool is waiting for OS image build to complete (mosb: a)"))
	rollsOut := pool(poolIs("Updating", corev1.ConditionTrue, "Pool is waiting for nodes to apply OS image (mosb: a)"))
	minute := time.Minute
	return healthcases.Cases{
		"pool-degraded": {
			one("rendering", 3*minute, stalledPool(pool(poolIs("RenderDegraded", corev1.ConditionTrue, "why"))), ""),
			one("rendering, for long", 3*minute+assess.Tick, stalledPool(pool(poolIs("RenderDegraded", corev1.ConditionTrue, "why"))), degraded("can't be updated: the configuration can't be rendered")),
			one("no longer", 4*minute, stalledPool(pool(poolIs("RenderDegraded", corev1.ConditionFalse, "why"))), ""),
			one("an image", minute+assess.Tick, stalledPool(pool(poolIs("ImageBuildDegraded", corev1.ConditionTrue, "why"))), degraded("can't be updated: the OS image can't be built")),
			one("an image that stopped the pool", minute+assess.Tick,
				stalledPool(pool(poolIs("Updating", corev1.ConditionFalse, "Pool update stopped due to OS image build failure (mosb: a)"))),
				"Error | Update Stalled | 08:00:00 | Pool worker can't be updated: the OS image can't be built: Pool update stopped due to OS image build failure (mosb: a) | Pool update stopped due to OS image build failure (mosb: a) | "+worker),
			one("a pinned image set", 0, stalledPool(pool(poolIs("PinnedImageSetsDegraded", corev1.ConditionTrue, "why"))),
				"Warning | None | 08:00:00 | Pool worker has an invalid PinnedImageSet: why | why | "+worker),
			one("a pinned image set in image mode", 0, stalledPool(pool(poolIs("PinnedImageSetsDegraded", corev1.ConditionTrue, "why")), member("a", isCompleted, hasImage)),
				"Warning | Update Speed | 08:00:00 | Pool worker has an invalid PinnedImageSet: why | why | "+worker),
			one("nodes", 3*minute+assess.Tick, stalledPool(pool(poolIs("NodeDegraded", corev1.ConditionTrue, "why"))), degraded("has degraded nodes")),
			one("nodes that are known", time.Hour, stalledPool(pool(poolIs("NodeDegraded", corev1.ConditionTrue, "why")),
				member("a", isUpdating, func(one *standalone.PoolMember) { one.State.Degraded = true })), ""),
			one("a node that recovers", time.Hour, stalledPool(pool(poolIs("NodeDegraded", corev1.ConditionTrue, "why")),
				member("a", isUpdating, func(one *standalone.PoolMember) { one.IsDegraded = true })), ""),
			one("a node that is degraded no more, of a moment", time.Hour,
				stalledPool(pool(poolIs("NodeDegraded", corev1.ConditionTrue, `Node a is reporting: "why"`)), member("a", isCompleted)), ""),
			one("a node that is degraded no more since a minute", time.Hour,
				without(stalledPool(pool(poolIs("NodeDegraded", corev1.ConditionTrue, `Node a is reporting: "why"`)), member("a", isCompleted)), progressAt(59*minute)), ""),
			one("a node that is degraded no more, for long", time.Hour+assess.Tick,
				without(stalledPool(pool(poolIs("NodeDegraded", corev1.ConditionTrue, `Node a is reporting: "why"`)), member("a", isCompleted)), progressAt(0)),
				"Error | Update Stalled | 08:00:00 | Pool worker has degraded nodes: Node a is reporting: \"why\" | Node a is reporting: \"why\" | "+worker),
		},
		"pool-not-starting": {
			one("a while", 15*minute, stalledPool(idle, member("a")), ""),
			one("long", 15*minute+assess.Tick, stalledPool(idle, member("a")), stalled("Warning", unknown, unknownIs, "")),
			one("longer", time.Hour, stalledPool(idle, member("a")), stalled("Error", unknown, unknownIs, "")),
			one("after some nodes", time.Hour, without(stalledPool(idle, member("a"), member("b", isCompleted)), func(in *standalone.MachineConfigPoolInput) { in.LastProgress = start }),
				stalled("Error", "has stopped updating: cause unknown", unknownIs, "")),
			one("no longer paused, of a moment", time.Hour, stalledPool(resuming, member("a")), ""),
			one("no longer paused, observed", time.Hour, without(stalledPool(resuming, member("a")), progressAt(50*minute)), ""),
			one("no longer paused, and nothing follows", time.Hour, without(stalledPool(resuming, member("a")), progressAt(0)), stalled("Error", unknown, unknownIs, "")),
			one("resumed", time.Hour, stalledPool(resumed, member("a")), ""),
			one("some nodes are done, at times that are not known", time.Hour, stalledPool(idle, member("a"), member("b", isCompleted)), ""),
			one("a node was updated a while ago", time.Hour, without(stalledPool(idle, member("a")), func(in *standalone.MachineConfigPoolInput) { in.LastProgress = start.Add(50 * minute) }), ""),
			one("paused", time.Hour, stalledPool(pool(builders.Paused()), member("a")), ""),
			one("a node is updated", time.Hour, stalledPool(idle, member("a"), member("b", isUpdating)), ""),
			one("complete", time.Hour, stalledPool(idle, member("a", isCompleted)), ""),
			one("not its turn", time.Hour, without(stalledPool(idle, member("a")), func(in *standalone.MachineConfigPoolInput) { in.Turn = time.Time{} }), ""),
			one("a node that has just joined", 30*minute, stalledPool(idle, member("a", createdAt(start.Add(10*minute)))), ""),
			one("a node that joined before", 46*minute, stalledPool(idle, member("a", createdAt(start.Add(10*minute)))),
				"Warning | Update Stalled | 08:30:00 | Pool worker "+unknown+" | "+unknownIs+" | "+worker),
			one("not rendered", time.Hour, without(stalledPool(idle, member("a")), isRendering), stalled("Error", "has not started to update: the configuration is not rendered",
				"The Machine Config Operator has not rendered a configuration of the target version for this pool: check the machine-config-controller. No condition of the pool tells a KubeletConfig or ContainerRuntimeConfig that is not accepted: check the status of these too.", "")),
			one("an image is built", time.Hour, stalledPool(building, member("a")), ""),
			one("an image is built for long", 3*time.Hour, stalledPool(building, member("a")),
				stalled("Warning", "has not started to update: the OS image is being built", "The pool reports: Pool is waiting for OS image build to complete (mosb: a)", "")),
			one("an image is not built yet", time.Hour, stalledPool(pool(poolIs("Updating", corev1.ConditionTrue, "Pool is waiting for a new OS image build to start (mosc: a)")), member("a")), ""),
			one("nodes do not get an image that is built", time.Hour, stalledPool(rollsOut, member("a"), member("b", isCordoned)),
				stalled("Warning", "has not started to update: node b is cordoned", usedUp+"Node b is cordoned.", " nodes/b")),
			one("nodes get an image that is built", time.Hour, stalledPool(rollsOut, member("a"), member("b", isUpdating)), ""),
			one("no response", time.Hour, stalledPool(pool(observed(3, 2)), member("a")), stalled("Error", "has not started to update: the Machine Config Operator does not respond",
				"The pool has generation 3, and the Machine Config Operator has observed 2: check the machine-config-controller.", "")),
			one("a node that is not ready", time.Hour, stalledPool(idle, member("a"), notReady),
				stalled("Error", "has not started to update: node b is not ready", usedUp+"Node b is not ready.", " nodes/b")),
			one("a cordoned node", time.Hour, stalledPool(idle, member("a"), member("b", isCordoned)),
				stalled("Warning", "has not started to update: node b is cordoned", usedUp+"Node b is cordoned.", " nodes/b")),
			one("enough nodes are left", 20*minute, stalledPool(two, member("a"), notReady), stalled("Warning", unknown, unknownIs, "")),
			one("a node that failed counts twice", time.Hour, stalledPool(two, member("a"), member("b", isCordoned, isFailed)),
				stalled("Error", "has not started to update: node b is cordoned", "At most 2 nodes of the pool may be unavailable, by its maxUnavailable, and that many already are, for other "+
					"reasons: the Machine Config Operator waits for them. Node b is cordoned.", " nodes/b")),
			one("a node that failed", time.Hour, stalledPool(idle, member("a"), member("b", isFailed)),
				stalled("Error", "has not started to update: node b is degraded", usedUp+"Node b is degraded.", " nodes/b")),
			one("several nodes", time.Hour, stalledPool(two, member("a"), notReady, member("c", isCordoned)),
				stalled("Error", "has not started to update: 2 nodes are unavailable, such as b, which is not ready", "At most 2 nodes of the pool may be unavailable, by its maxUnavailable, and that many already are, for "+
					"other reasons: the Machine Config Operator waits for them. Node b is not ready, Node c is cordoned.", " nodes/b nodes/c")),
			one("a last node that is cordoned, a while", 15*minute, without(stalledPool(two, member("a", isCompleted), member("b", isCordoned)), progressAt(0)), ""),
			one("a last node that is cordoned", time.Hour, without(stalledPool(two, member("a", isCompleted), member("b", isCordoned)), progressAt(0)),
				stalled("Warning", "has stopped updating: its last node can't be updated: node b is cordoned", skips+"Node b is cordoned.", " nodes/b")),
			one("last nodes", time.Hour, without(stalledPool(pool(builders.MaxUnavailable(3)), member("a", isCompleted), notReady, member("c", isCordoned)), progressAt(0)),
				stalled("Error", "has stopped updating: its 2 remaining nodes can't be updated, such as b, which is not ready", skips+"Node b is not ready, Node c is cordoned.", " nodes/b nodes/c")),
			one("a last node that is cordoned while another is updated", 20*minute, without(stalledPool(two, member("a", isUpdating), member("b", isCordoned)), progressAt(0)), ""),
			one("an arbiter that is not ready", time.Hour, without(stalledPool(idle, member("a")), func(in *standalone.MachineConfigPoolInput) {
				in.Arbiters = []standalone.PoolMember{member("b", isUnavailable("is not ready"))}
			}), stalled("Error", "has not started to update: node b is not ready", usedUp+"Node b is not ready.", " nodes/b")),
			one("an arbiter that is updated", time.Hour, without(stalledPool(idle, member("a")), func(in *standalone.MachineConfigPoolInput) {
				in.Arbiters = []standalone.PoolMember{member("b", isUnavailable("is not ready"), isUpdating), member("c")}
			}), stalled("Error", unknown, unknownIs, "")),
		},
		"pool-slowed": {
			one("a while", 30*minute, stalledPool(two, member("a", isUpdating), notReady), ""),
			one("long", 30*minute+assess.Tick, stalledPool(two, member("a", isUpdating), member("c"), notReady), "Warning | Update Speed | 08:00:00 | Pool worker is updated more slowly: node b is not ready | "+
				"At most 2 nodes of the pool may be unavailable, by its maxUnavailable, and some already are, for other reasons. Node b is not ready. | "+worker+" nodes/b"),
			one("cordoned", 30*minute+assess.Tick, stalledPool(two, member("a", isUpdating), member("c"), member("b", isCordoned)), "Info | Update Speed | 08:00:00 | Pool worker is updated more slowly: node b is cordoned | "+
				"At most 2 nodes of the pool may be unavailable, by its maxUnavailable, and some already are, for other reasons. Node b is cordoned. | "+worker+" nodes/b"),
			one("a node that has just joined", time.Hour, stalledPool(two, member("a", isUpdating), member("b", isUnavailable("is not ready"), createdAt(start.Add(50*minute)))), ""),
			one("nobody knows since when", time.Hour, stalledPool(two, member("a", isUpdating), member("b", func(one *standalone.PoolMember) { one.Unavailable = "is cordoned" })), ""),
			one("only nodes that are updated", time.Hour, stalledPool(two, member("a", isUpdating, isUnavailable("is not ready"))), ""),
			one("complete", time.Hour, stalledPool(two, member("a", isCompleted), member("b", isCompleted, isUnavailable("is not ready"))), ""),
			one("paused", time.Hour, stalledPool(pool(builders.MaxUnavailable(2), builders.Paused()), member("a"), notReady), ""),
			one("not its turn", time.Hour, without(stalledPool(two, member("a"), notReady), func(in *standalone.MachineConfigPoolInput) { in.Turn = time.Time{} }), ""),
		},
	}
}
