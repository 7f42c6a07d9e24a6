package causes

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	assesshosted "github.com/openshift/cluster-version-operator/pkg/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/hosted"
)

// hostedFault is what is wrong in one update of a hosted cluster.
type hostedFault struct {
	// step is the one after which nothing goes on but the fault, empty for the end of the update.
	step string
	// pools are those of the hosted cluster, none for one of each kind.
	pools []hosted.Pool
	// act changes the objects as fault.act does.
	act func(c *hostedCluster)
	// insight is the one about the fault itself.
	insight about
}

// hostedKinds are all kinds of faults of hosted clusters.
func hostedKinds() map[string]hostedFault {
	return map[string]hostedFault{
		"etcd of a hosted cluster":       {step: "component etcd is rolled out", act: noQuorum, insight: about{"component-unavailable", "etcd"}},
		"a component of a control plane": {step: "operators are updated", act: componentDown, insight: about{"component-unavailable", "oauth-openshift"}},
		"a node of a hosted cluster":     {step: "operators are updated", act: unreadyHostedNode, insight: about{"node-not-ready", surgeNode}},
		"a Machine that fails":           {step: "pool surge has a new machine", act: failedMachine, insight: about{"machine-failed", "surge-3"}},
		"a node that fails in place": {
			pools: []hosted.Pool{{Name: "metal", UpgradeType: hosted.InPlace, Nodes: 3, Failing: true}}, act: func(*hostedCluster) {},
			insight: about{"node-degraded", "metal-1.example.com"},
		},
		"a node in place that never returns": {
			pools: []hosted.Pool{{Name: "metal", UpgradeType: hosted.InPlace, Nodes: 3}}, step: "node metal-0.example.com reboots", act: lostInPlace,
			insight: about{"node-not-returned", "metal-0.example.com"},
		},
		"a node that does not join": {pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 3}}, step: "the node of machine surge-3 joins", act: neverJoins, insight: about{"node-not-ready", "surge-3.example.com"}},
		"a node pool that is stuck": {pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 3}}, step: "pool surge is asked for another release", act: func(*hostedCluster) {}, insight: about{"node-pool-not-starting", "surge"}},
		"a drain of a hosted node that is blocked": {
			pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 2, Stuck: hosted.Draining}}, act: func(*hostedCluster) {},
			insight: about{"hosted-node-drain-long", surgeNode},
		},
		"volumes that are not detached": {
			pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 2, Stuck: hosted.Detaching}}, act: func(*hostedCluster) {},
			insight: about{"hosted-node-volumes-attached", surgeNode},
		},
		"a hosted release that is refused": {step: "another release is asked for", act: refusedRelease, insight: about{"hosted-cluster-blocked", hosted.Name}},
		"a paused hosted cluster":          {step: "the payload is being updated", act: pausedCluster, insight: about{"hosted-cluster-paused", hosted.Name}},
	}
}

// surgeNode is the first node of the pool whose nodes are replaced.
const surgeNode = "surge-0.example.com"

func noQuorum(c *hostedCluster) {
	c.unavailable("etcd", 0, "etcd has 1 of 3 members")
	c.is("EtcdAvailable", 30*time.Second, "EtcdWaitingForQuorum", "Waiting for etcd to reach quorum")
	c.unavailable("kube-apiserver", minutes(1), "Deployment kube-apiserver has 0 of 3 replicas")
	c.is("KubeAPIServerAvailable", minutes(1), "WaitingForAvailable", "Waiting for Kube APIServer deployment to become available")
	c.is("Available", minutes(1), "EtcdWaitingForQuorum", "Waiting for etcd to reach quorum")
	c.is("DataPlaneConnectionAvailable", minutes(2), "Unreachable", "Unable to reach the nodes")
	for _, name := range []string{"openshift-apiserver", "oauth-openshift"} {
		c.unavailable(name, minutes(2), "Deployment "+name+" has 0 of 3 replicas")
		c.component(name, "RolloutComplete", minutes(2), "WaitingForDependencies", "Waiting for Dependencies: kube-apiserver")
	}
}

func componentDown(c *hostedCluster) {
	c.unavailable("oauth-openshift", 0, "Deployment oauth-openshift has 0 of 3 replicas")
	c.component("oauth-openshift", "RolloutComplete", 0, "WaitingForRolloutComplete", "Waiting for deployment oauth-openshift rollout to finish")
	c.is("Available", minutes(1), "ComponentsNotAvailable", "Waiting for components to be available: oauth-openshift")
	c.degrade("console", minutes(2), "no answer of oauth-openshift")
	c.is("ClusterVersionSucceeding", minutes(3), "ClusterOperatorDegraded", "Cluster operator console is degraded")
}

func unreadyHostedNode(c *hostedCluster) {
	builders.NodeCondition(corev1.NodeReady, corev1.ConditionUnknown, c.since, "NodeStatusUnknown", "Kubelet stopped posting node status.")(c.node(surgeNode))
	c.pool("Ready", minutes(8), "TooManyUnhealthy", "1 of 3 machines are unhealthy")
	c.degrade("network", minutes(2), "DaemonSet ovnkube-node rollout is not making progress on node "+surgeNode)
	c.is("ClusterVersionSucceeding", minutes(3), "ClusterOperatorDegraded", "Cluster operator network is degraded")
}

func failedMachine(c *hostedCluster) {
	for _, machine := range c.Machines {
		if machine.Name == "surge-3" {
			why := "InsufficientInstanceCapacity: there is no capacity for m6i.xlarge"
			machine.Status.Phase, machine.Status.FailureMessage = "Failed", &why
		}
	}
	c.pool("AllMachinesReady", time.Second, "InstanceProvisionFailed", "1 of 4 machines are not ready\nMachine surge-3: InstanceProvisionFailed\n")
}

func lostInPlace(c *hostedCluster) {
	builders.NodeCondition(corev1.NodeReady, corev1.ConditionUnknown, c.since, "NodeStatusUnknown", "Kubelet stopped posting node status.")(c.node("metal-0.example.com"))
	c.degrade("network", minutes(30), "DaemonSet ovnkube-node rollout is not making progress on node metal-0.example.com")
}

// neverJoins: the kubelet runs, and the network of its node does not.
func neverJoins(c *hostedCluster) {
	for _, machine := range c.Machines {
		if machine.Name == "surge-3" {
			c.set(&machine.Status.Conditions, "NodeHealthy", 0, "NodeConditionsFailed", "Node is not ready")
		}
	}
	c.pool("AllNodesHealthy", 0, "NodeConditionsFailed", "Machine surge-3: NodeConditionsFailed\n")
}

func refusedRelease(c *hostedCluster) {
	message := "ClusterVersionUpgradeable condition is false: ClusterUpdateVersions: cluster should not be updated between minor versions"
	c.is("Progressing", 0, "Blocked", message)
}

func pausedCluster(c *hostedCluster) {
	forever := "true"
	c.HostedCluster.Spec.PausedUntil = &forever
	for _, pool := range c.NodePools {
		pool.Spec.Release = c.HostedCluster.Spec.Release
	}
}

// hostedCluster is what the objects say at a moment, some time after the fault.
type hostedCluster struct {
	assesshosted.Input

	now, since time.Time
}

// is, component, unavailable and pool make a condition False some time after the fault: one of the HostedCluster, of a component, its
// Available, and one of the pool surge.
func (c *hostedCluster) is(kind string, after time.Duration, reason, message string) {
	c.set(&c.HostedCluster.Status.Conditions, kind, after, reason, message)
}

func (c *hostedCluster) component(name, kind string, after time.Duration, reason, message string) {
	for _, one := range c.Components {
		if one.Name == name {
			c.set(&one.Status.Conditions, kind, after, reason, message)
		}
	}
}

func (c *hostedCluster) unavailable(name string, after time.Duration, message string) {
	c.component(name, "Available", after, "WaitingForAvailable", message)
}

func (c *hostedCluster) pool(kind string, after time.Duration, reason, message string) {
	for _, one := range c.NodePools {
		if one.Name == "surge" {
			c.set(&one.Status.Conditions, kind, after, reason, message)
		}
	}
}

func (c *hostedCluster) set(conditions *[]metav1.Condition, kind string, after time.Duration, reason, message string) {
	if at := c.since.Add(after); !c.now.Before(at) {
		meta.SetStatusCondition(conditions, metav1.Condition{
			Type: kind, Status: metav1.ConditionFalse, Reason: reason, Message: message, LastTransitionTime: metav1.NewTime(at),
		})
	}
}

// degrade degrades an operator of the hosted cluster.
func (c *hostedCluster) degrade(name string, after time.Duration, message string) {
	at := slices.IndexFunc(c.ClusterOperators, func(operator *configv1.ClusterOperator) bool { return operator.Name == name })
	if since := c.since.Add(after); !c.now.Before(since) {
		set(&c.ClusterOperators[at].Status.Conditions, configv1.ClusterOperatorStatusCondition{
			Type: configv1.OperatorDegraded, Status: configv1.ConditionTrue, LastTransitionTime: metav1.NewTime(since), Reason: "SyncError", Message: message,
		})
	}
}

func (c *hostedCluster) node(name string) *corev1.Node {
	return c.Nodes[slices.IndexFunc(c.Nodes, func(node *corev1.Node) bool { return node.Name == name })]
}

// PlayHosted plays an update of a hosted cluster with a fault, as Play does.
func PlayHosted(of hostedFault) ([]Moment, error) {
	pools := of.pools
	if pools == nil {
		pools = hosted.DefaultPools()
	}
	played := hosted.Play(hosted.Script{Start: start, Pools: pools})
	writes := played.Update
	if of.step != "" {
		last := slices.IndexFunc(writes, func(write hosted.Write) bool { return write.Step == of.step })
		if last < 0 {
			return nil, fmt.Errorf("no step of the update is called %q", of.step)
		}
		for last+1 < len(writes) && writes[last+1].Time.Equal(writes[last].Time) {
			last++
		}
		writes = writes[:last+1]
	}
	fault := writes[len(writes)-1].Time.Truncate(time.Second)
	world, builder := hosted.NewWorld(played.Before...), status.NewBuilder()
	var moments []Moment
	for after := time.Duration(0); after <= lasting; after += looking {
		for _, again := range []time.Duration{0, shown} {
			now := start.Add(after + again)
			for len(writes) > 0 && !writes[0].Time.After(now) {
				world.Apply(writes[0])
				writes = writes[1:]
			}
			in := world.Input()
			if !now.Before(fault) {
				of.act(&hostedCluster{Input: in, now: now, since: fault})
			}
			moments = append(moments, Moment{After: after + again, Status: builder.Build(builders.View(assesshosted.Assess(in, now)), now)})
		}
	}
	return moments, nil
}
