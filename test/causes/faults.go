package causes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// fault is what is wrong in one update.
type fault struct {
	// begin draws what is random, and changes the script of the update.
	begin func(random *rand.Rand, script *simulator.Update)
	// act changes the objects to what they say with the fault and its consequences, at a moment.
	act func(c *cluster)
	// request returns whether another update is requested at a moment, if it is set.
	request func(c *cluster) bool
	// insights are the health insights about the fault itself: its check, and its object; of two faults one for each.
	insights []about
	// lasts is whether the insights are there to the end, once they are.
	lasts bool
}

// about names a health insight.
type about struct{ check, object string }

// kinds are all kinds of faults. Each call makes one.
var kinds = map[string]func() *fault{
	"a budget that blocks a drain":         blockedByBudget,
	"a pod that does not terminate":        blockedByPod,
	"a daemon that fails":                  degradedDaemon,
	"a node that is not ready":             unreadyNode,
	"disk pressure":                        diskPressure,
	"a network that is not available":      noNetwork,
	"an operator that is down":             operatorDown,
	"an operator that is degraded":         operatorDegraded,
	"an operator that a node harms":        operatorHarmedByNode,
	"an API that is not reachable":         unreachableAPI,
	"an update that fails":                 failingVersion,
	"a paused pool":                        pausedPool,
	"a paused pool of the control plane":   pausedMasters,
	"a second update in a blocked drain":   secondUpdate,
	"a node that never returns":            lostNode,
	"an image pull that hangs":             hangingPull,
	"a configuration that is not rendered": failedRendering,
	"an image that can't be built":         failedBuild,
	"a cordoned node":                      cordonedNode,
	"a node that was not ready before":     unreadyBefore,
	"a stopped machine-config-controller":  stoppedController,
	"a signature that can't be verified":   refused("RetrievePayload", `Retrieving payload failed version=%q image=%q failure=The update cannot be verified: unable to verify sha256:1 against keyrings: verifier-public-key-redhat`),
	"a registry that is away":              refused("RetrievePayload", `Retrieving payload failed version=%q image=%q failure=Unable to download and prepare the update: deadline exceeded, reason: "DeadlineExceeded"`),
	"a payload that can't be loaded":       refused("LoadPayload", `Loading payload failed version=%q image=%q failure=stat /etc/cvo/updatepayloads/a/release-manifests: no such file or directory`),
	"another version in the image":         refused("VerifyPayloadVersion", `Verifying payload failed version=%q image=%q failure=release image version 4.20.9 does not match the expected upstream version 4.20.2`),
	"a precondition":                       refused("PreconditionChecks", `Preconditions failed for payload loaded version=%q image=%q: Precondition "ClusterVersionUpgradeable" failed because of "DefaultSecurityContextConstraints_Mutated": Cluster should not be upgraded between minor versions`),
	"a request that is ignored":            unanswered,
	"a stopped Cluster Version Operator":   noResponse,
	"a manifest at the end":                failingManifest,
	"an alert":                             firingAlert,
	"an operator with a critical alert":    criticalAlert,
	"a blocked drain, and an unready node": twoFaults,
}

// worker returns one of the nodes that are no masters.
func worker(random *rand.Rand) string {
	nodes := []string{simulator.NodeName("worker", 0), simulator.NodeName("worker", 1), simulator.NodeName("worker", 2), simulator.NodeName("infra", 0)}
	return nodes[random.IntN(len(nodes))]
}

// soon returns a moment in the first minutes of an update, and after one some minutes later.
func soon(random *rand.Rand) time.Time { return start.Add(minutes(1 + random.IntN(4))) }

func after(random *rand.Rand, moment time.Time) time.Time {
	return moment.Add(minutes(random.IntN(12))).Add(time.Duration(random.IntN(60)) * time.Second)
}

func minutes(number int) time.Duration { return time.Duration(number) * time.Minute }

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
		c.degrade("network", since.Add(minutes(3)), "RolloutHung", "DaemonSet ovnkube-node rollout is not making progress on node "+node)
		c.fail(since.Add(minutes(4)), "ClusterOperatorDegraded", "Cluster operator network is degraded")
		c.alert("KubeNodeNotReady", "warning", since.Add(minutes(15)), map[string]string{"node": node})
	})
}

func diskPressure() *fault {
	return unready("node-disk-pressure", corev1.NodeDiskPressure, corev1.ConditionTrue, func(c *cluster, node string, since time.Time) {
		c.degrade("dns", since.Add(minutes(2)), "DNSDegraded", "DNS default is degraded: pods were evicted from "+node)
		c.alert("NodeFilesystemAlmostOutOfSpace", "warning", since.Add(minutes(6)), map[string]string{"node": node})
	})
}

func noNetwork() *fault {
	return unready("node-network-unavailable", corev1.NodeNetworkUnavailable, corev1.ConditionTrue, func(c *cluster, node string, since time.Time) {
		c.degrade("network", since.Add(minutes(3)), "RolloutHung", `nodes "`+node+`" have no network`)
		c.fail(since.Add(minutes(9)), "ClusterOperatorDegraded", "Cluster operator network is degraded")
	})
}

// operatorDrawn is an operator that fails from some moment on, and what follows.
func operatorDrawn(check string, act func(c *cluster, name string, since time.Time)) *fault {
	var name string
	var since time.Time
	f := &fault{}
	f.begin = func(random *rand.Rand, _ *simulator.Update) {
		names := []string{"authentication", "console", "image-registry", "ingress", "monitoring", "openshift-apiserver", "storage"}
		name, since = names[random.IntN(len(names))], after(random, soon(random))
		f.insights = []about{{check, name}}
	}
	f.act = func(c *cluster) {
		if !c.now.Before(since) {
			act(c, name, since)
		}
	}
	return f
}

func operatorDown() *fault {
	return operatorDrawn("cluster-operator-unavailable", func(c *cluster, name string, since time.Time) {
		c.unavailable(name, since, "NoPods", "no pods are available")
		c.degrade(name, since.Add(minutes(1)), "PodsMissing", "2 of 3 pods are not available")
		c.fail(since.Add(minutes(2)), "ClusterOperatorNotAvailable", "Cluster operator "+name+" is not available")
		c.alert("ClusterOperatorDegraded", "warning", since.Add(minutes(30)), map[string]string{"name": name})
	})
}

func operatorDegraded() *fault {
	return operatorDrawn("cluster-operator-degraded", func(c *cluster, name string, since time.Time) {
		c.degrade(name, since, "SyncError", "the configuration is invalid")
		c.fail(since.Add(minutes(1)), "MultipleErrors", "Multiple errors are preventing progress:\n* Cluster operator "+name+" is degraded\n* Could not update deployment")
		c.alert("ClusterOperatorDegraded", "warning", since.Add(minutes(30)), map[string]string{"name": name})
	})
}

func unreachableAPI() *fault {
	return operatorDrawn("cluster-operator-unavailable", func(c *cluster, name string, since time.Time) {
		c.unavailable(name, since, "APIServices_Error", `APIServicesAvailable: apiservices.apiregistration.k8s.io/v1.route.openshift.io: not available: failing: dial tcp: connect: connection refused`)
		c.fail(since.Add(minutes(1)), "ClusterOperatorNotAvailable", "Cluster operators "+name+", kube-controller-manager are not available")
	})
}

// operatorHarmedByNode: the node is the cause, also while the operator is reported after it.
func operatorHarmedByNode() *fault {
	return unready("node-not-ready", corev1.NodeReady, corev1.ConditionFalse, func(c *cluster, node string, since time.Time) {
		c.degrade("etcd", since.Add(30*time.Second), "EtcdMembers_UnhealthyMembers", "EtcdMembersDegraded: 2 of 3 members are available, "+node+" is unhealthy")
	})
}

func failingVersion() *fault {
	var since time.Time
	return &fault{
		begin: func(random *rand.Rand, _ *simulator.Update) { since = after(random, soon(random)) },
		act: func(c *cluster) {
			c.fail(since, "UpdatePayloadFailed", `Could not update deployment "openshift-dns/operator" (123 of 900)`)
		},
		insights: []about{{"cluster-version-failing", "version"}},
	}
}

// pausedPool is a pool that is paused from the start.
func pausedPool() *fault {
	f := &fault{act: func(*cluster) {}}
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		at := 1 + random.IntN(len(script.Pools)-1)
		script.Pools[at].Paused = true
		f.insights = []about{{"pool-paused", script.Pools[at].Name}}
	}
	return f
}

// pausedMasters are required: machine-config is degraded at once.
func pausedMasters() *fault {
	return &fault{
		begin:    func(_ *rand.Rand, script *simulator.Update) { script.Pools[0].Paused = true },
		act:      func(*cluster) {},
		insights: []about{{"pool-paused", "master"}},
	}
}

func firingAlert() *fault {
	var since time.Time
	return &fault{
		begin:    func(random *rand.Rand, _ *simulator.Update) { since = after(random, soon(random)) },
		act:      func(c *cluster) { c.alert("KubePodNotReady", "warning", since, map[string]string{"pod": "a"}) },
		insights: []about{{"alert-firing", "KubePodNotReady"}},
	}
}

func criticalAlert() *fault {
	return operatorDrawn("cluster-operator-unavailable", func(c *cluster, name string, since time.Time) {
		c.unavailable(name, since, "NoPods", "no pods are available")
		c.fail(since.Add(minutes(1)), "ClusterOperatorNotAvailable", "Cluster operator "+name+" is not available")
		c.alert("ClusterOperatorDown", "critical", since.Add(minutes(10)), map[string]string{"name": name})
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

// lostNode does not come back from its reboot.
func lostNode() *fault {
	f := &fault{lasts: true, act: func(*cluster) {}}
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		node := worker(random)
		script.Lost = map[string]bool{node: true}
		f.insights = []about{{"node-not-returned", node}}
	}
	return f
}

// hangingPull is a node whose daemon waits for an image that does not come.
func hangingPull() *fault {
	f := &fault{lasts: true, act: func(*cluster) {}}
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		node := worker(random)
		script.Hanging = map[string]bool{node: true}
		f.insights = []about{{"node-update-slow", node}}
	}
	return f
}

// ofPool is a fault of a pool that is none of the control plane.
func ofPool(check string, change func(random *rand.Rand, script *simulator.Update, pool *simulator.Pool)) *fault {
	f := &fault{lasts: true, act: func(*cluster) {}}
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		pool := &script.Pools[1+random.IntN(len(script.Pools)-1)]
		change(random, script, pool)
		f.insights = []about{{check, pool.Name}}
	}
	return f
}

func failedRendering() *fault {
	return ofPool("pool-degraded", func(_ *rand.Rand, script *simulator.Update, pool *simulator.Pool) {
		script.RenderFails = map[string]string{pool.Name: "could not generate rendered MachineConfig: parsing Ignition config failed: unknown version"}
	})
}

func failedBuild() *fault {
	return ofPool("pool-degraded", func(random *rand.Rand, _ *simulator.Update, pool *simulator.Pool) {
		pool.ImageBuild, pool.BuildFails = minutes(5+random.IntN(20)), true
	})
}

// cordonedNode: what may be unavailable of a pool is used up by a node that an administrator has cordoned.
func cordonedNode() *fault {
	return ofPool("pool-not-starting", func(random *rand.Rand, script *simulator.Update, pool *simulator.Pool) {
		script.Cordoned = map[string]bool{simulator.NodeName(pool.Name, random.IntN(pool.Nodes)): true}
	})
}

// unreadyBefore: it is used up by a node that is not ready, which is the cause.
func unreadyBefore() *fault {
	f := &fault{lasts: true, act: func(*cluster) {}}
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		node := worker(random)
		script.Unready = map[string]bool{node: true}
		f.insights = []about{{"node-not-ready", node}}
	}
	return f
}

// stoppedController: no pool gets its configuration. They are told as one problem, by the first of them.
func stoppedController() *fault {
	return &fault{
		lasts: true, act: func(*cluster) {}, insights: []about{{"pool-not-starting", "infra"}},
		begin: func(_ *rand.Rand, script *simulator.Update) { script.NoController = true },
	}
}

// aboutRequest is a fault of a request: no update begins.
func aboutRequest(check string, change func(script *simulator.Update)) *fault {
	return &fault{
		lasts: true, act: func(*cluster) {}, insights: []about{{check, "version"}},
		begin: func(_ *rand.Rand, script *simulator.Update) { change(script) },
	}
}

func refused(reason, message string) func() *fault {
	return func() *fault {
		return aboutRequest("update-not-accepted", func(script *simulator.Update) {
			script.Refused = simulator.Refusal{Reason: reason, Message: fmt.Sprintf(message, simulator.DefaultTo, builders.Image(simulator.DefaultTo))}
		})
	}
}

func unanswered() *fault {
	return aboutRequest("update-request-ignored", func(script *simulator.Update) { script.Unanswered = true })
}

func noResponse() *fault {
	return aboutRequest("update-request-ignored", func(script *simulator.Update) { script.NoResponse = true })
}

func failingManifest() *fault {
	return &fault{
		lasts: true, act: func(*cluster) {}, insights: []about{{"cluster-version-failing", "version"}},
		begin: func(_ *rand.Rand, script *simulator.Update) {
			script.ManifestFails = `Could not update servicemonitor "openshift-console/console" (899 of 903)`
		},
	}
}
