package causes

import (
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// This file has the faults of nodes.

// blockedDrain is the drain of a node that does not end, for a reason that a function adds. After an hour its daemon is degraded, and
// so is its pool; later machine-config is, and the ClusterVersion fails: all that is the simulator's.
func blockedDrain(why func(c *cluster, node string)) *fault {
	var node string
	f := &fault{lasts: true}
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		node = worker(random)
		script.Blocked = map[string]bool{node: true}
		f.insights = []about{{"node-drain-blocked", node}}
	}
	f.act = func(c *cluster) { why(c, node) }
	return f
}

func blockedByBudget() *fault {
	return blockedDrain(func(c *cluster, node string) {
		labels := map[string]string{"app": "cart"}
		c.Pods = append(c.Pods, builders.Pod("shop", "cart-0", builders.OnNode(node), builders.PodLabel("app", "cart")))
		c.PodDisruptionBudgets = append(c.PodDisruptionBudgets, builders.Budget("shop", "cart", labels, builders.MinAvailablePods(intstr.FromInt32(1)), builders.Disruptions(0, 1, 1, 1)))
		c.alert("PodDisruptionBudgetAtLimit", "warning", start.Add(-time.Hour), map[string]string{"namespace": "shop", "poddisruptionbudget": "cart"})
	})
}

func blockedByPod() *fault {
	return blockedDrain(func(c *cluster, node string) {
		pod := builders.Pod("shop", "cart-0", builders.OnNode(node), builders.Deleted(start, minutes(30), "example.com/finalizer"))
		c.Pods = append(c.Pods, pod)
	})
}

// degradedDaemon fails each time it tries, every minute or so.
func degradedDaemon() *fault {
	var node string
	f := &fault{}
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		node = worker(random)
		script.Degraded = map[string]string{node: "failed to update OS to quay.io/openshift-release-dev/ocp-v4.0-art-dev: error running rpm-ostree: No space left on device"}
		f.insights = []about{{"node-degraded", node}}
	}
	f.act = func(c *cluster) {
		if c.node(node).Annotations[builders.AnnotationState] == builders.StateDegraded {
			c.alert("MCDPivotError", "warning", c.cordonedSince(node).Add(minutes(5)), map[string]string{"node": node})
		}
	}
	return f
}

// secondVersion is requested in an update that goes on.
const secondVersion = "4.20.3"

// secondUpdate is requested some time after a drain was blocked, whether the control plane is complete or not: the node keeps the
// configuration that it was assigned.
func secondUpdate() *fault {
	f, late, requested := blockedByBudget(), time.Duration(0), false
	begin := f.begin
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		begin(random, script)
		late = minutes(random.IntN(60))
	}
	f.request = func(c *cluster) bool {
		since := c.cordonedSince(f.insights[0].object)
		if requested || since.IsZero() || c.now.Sub(since) < late {
			return false
		}
		requested = true
		return true
	}
	return f
}

// unready is a node with a bad condition, and what follows.
func unready(check string, kind corev1.NodeConditionType, bad corev1.ConditionStatus, then func(c *cluster, node string, since time.Time)) *fault {
	var node string
	var since time.Time
	f := &fault{}
	f.begin = func(random *rand.Rand, _ *simulator.Update) {
		node, since = worker(random), soon(random)
		f.insights = []about{{check, node}}
	}
	f.act = func(c *cluster) {
		if c.now.Before(since) {
			return
		}
		builders.NodeCondition(kind, bad, since, "Kubelet", "kubelet says so")(c.node(node))
		then(c, node, since)
	}
	return f
}

func unreadyNode() *fault {
	return unready("node-not-ready", corev1.NodeReady, corev1.ConditionUnknown, func(c *cluster, node string, since time.Time) {
		c.hangNetwork(since)
		c.alert("KubeNodeNotReady", "warning", since.Add(minutes(15)), map[string]string{"node": node})
	})
}

func diskPressure() *fault {
	return unready("node-disk-pressure", corev1.NodeDiskPressure, corev1.ConditionTrue, func(c *cluster, node string, since time.Time) {
		c.alert("NodeFilesystemAlmostOutOfSpace", "warning", since.Add(minutes(6)), map[string]string{"node": node})
	})
}

func noNetwork() *fault {
	return unready("node-network-unavailable", corev1.NodeNetworkUnavailable, corev1.ConditionTrue, func(c *cluster, node string, since time.Time) {
		c.alert("NodeNetworkUnavailable", "warning", since.Add(minutes(15)), map[string]string{"node": node})
	})
}

// operatorHarmedByNode: the node is the cause, also while the operator is reported after it.
func operatorHarmedByNode() *fault {
	return unready("node-not-ready", corev1.NodeReady, corev1.ConditionFalse, func(c *cluster, node string, since time.Time) {
		c.degrade("etcd", since.Add(30*time.Second), "EtcdMembers_UnhealthyMembers", unhealthyMember(node))
	})
}

func twoFaults() *fault {
	first, second := blockedByPod(), unreadyNode()
	f := &fault{act: func(c *cluster) {
		first.act(c)
		second.act(c)
	}}
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		for f.insights == nil || f.insights[0].object == f.insights[1].object {
			first.begin(random, script)
			second.begin(random, script)
			f.insights = slices.Concat(first.insights, second.insights)
		}
	}
	return f
}

// ofNode is a fault of a node that the simulator plays.
func ofNode(check string, change func(script *simulator.Update, nodes map[string]bool)) *fault {
	f := &fault{lasts: true, act: func(*cluster) {}}
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		node := worker(random)
		change(script, map[string]bool{node: true})
		f.insights = []about{{check, node}}
	}
	return f
}

// lostNode does not come back from its reboot.
func lostNode() *fault {
	return ofNode("node-not-returned", func(script *simulator.Update, nodes map[string]bool) { script.Lost = nodes })
}

// hangingPull is a node whose daemon waits for an image that does not come.
func hangingPull() *fault {
	return ofNode("node-update-slow", func(script *simulator.Update, nodes map[string]bool) { script.Hanging = nodes })
}

// idleDaemon does not begin to apply what its node is assigned.
func idleDaemon() *fault {
	return ofNode("node-not-begun", func(script *simulator.Update, nodes map[string]bool) { script.Idle = nodes })
}

// failedReboot: the daemon writes that it reboots the node before the command that does fails. It does not recover.
func failedReboot() *fault {
	f := ofNode("node-degraded", func(script *simulator.Update, nodes map[string]bool) { script.RebootFails = nodes })
	f.impact = updatev1alpha1.ImpactUpdateStalled
	return f
}

// unreadyBefore: it is used up by a node that is not ready, which is the cause.
func unreadyBefore() *fault {
	return ofNode("node-not-ready", func(script *simulator.Update, nodes map[string]bool) {
		script.From, script.To, script.Unready = "4.22.1", "4.22.2", nodes // before, network waits for it
	})
}
