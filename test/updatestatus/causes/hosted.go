package causes

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	assesshosted "github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hosted"
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
		"a Machine that fails":           {pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 3}}, step: "pool surge has a new machine", act: failedMachine, insight: about{"machine-failed", "surge-3"}},
		"a node that fails in place": {
			pools: []hosted.Pool{{Name: "metal", UpgradeType: hosted.InPlace, Nodes: 3, Failing: true}}, act: func(*hostedCluster) {},
			insight: about{"node-degraded", "metal-1.example.com"},
		},
		"a node in place that never returns": {
			pools: []hosted.Pool{{Name: "metal", UpgradeType: hosted.InPlace, Nodes: 3}}, step: "node metal-0.example.com reboots", act: lostInPlace,
			insight: about{"node-not-returned", "metal-0.example.com"},
		},
		"a node that does not join": {pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 3}}, step: "the node of machine surge-3 joins", act: neverJoins, insight: about{"node-not-ready", "surge-3.example.com"}},
		"a node pool that is stuck": {pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 3}}, step: "the configuration of pool surge is generated", act: func(*hostedCluster) {}, insight: about{"node-pool-not-starting", "surge"}},
		"a configuration that can't be generated": {
			pools: []hosted.Pool{{Name: "metal", UpgradeType: hosted.InPlace, Nodes: 3}}, step: "the configuration of pool metal is being generated", act: noPayload,
			insight: about{"node-pool-payload-invalid", "metal"},
		},
		"an ignition server that can't be reached": {
			pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 3}}, step: "machine surge-3 is Provisioned", act: func(*hostedCluster) {},
			insight: about{"node-pool-ignition-not-reached", "surge"},
		},
		"an upgrade pod that does not run": {
			pools: []hosted.Pool{{Name: "metal", UpgradeType: hosted.InPlace, Nodes: 3}}, step: "node metal-0.example.com is to be updated", act: func(*hostedCluster) {},
			insight: about{"hosted-node-not-begun", "metal-0.example.com"},
		},
		"no room for a new Machine": {
			pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 3}}, step: "machine surge-3 is Provisioning", act: noRoom,
			insight: about{"machine-not-provisioned", "surge-3"},
		},
		"operands that are not ready": {
			step: "component csi-snapshot-controller-operator waits for its operands", act: func(*hostedCluster) {},
			insight: about{"component-slow", "csi-snapshot-controller-operator"},
		},
		"a drain of a hosted node that is blocked": {
			pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 2, Stuck: hosted.Draining}}, act: func(*hostedCluster) {},
			insight: about{"hosted-node-drain-long", surgeNode},
		},
		"volumes that are not detached": {
			pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 2, Stuck: hosted.Detaching}}, act: func(*hostedCluster) {},
			insight: about{"hosted-node-volumes-attached", surgeNode},
		},
		"a hosted release that is refused": {step: "another release is asked for", act: refusedRelease, insight: about{"hosted-cluster-blocked", hosted.Name}},
		"a hosted configuration that is not valid": {
			step: "another release is asked for", act: invalidConfiguration, insight: about{"hosted-cluster-blocked", hosted.Name},
		},
		"a paused hosted cluster": {pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 3}}, step: "the payload is being updated", act: pausedCluster, insight: about{"hosted-cluster-paused", hosted.Name}},
	}
}

// surgeNode is the first node of the pool whose nodes are replaced.
const surgeNode = "surge-0.example.com"

// notAvailable is what a component says of its Deployment.
func notAvailable(name string) builders.Text {
	return builders.ComponentStatus.Says("Deployment %s is not available: Deployment does not have minimum availability.", name)
}

func noQuorum(c *hostedCluster) {
	c.unavailable("etcd", 0, builders.ComponentStatus.Says("StatefulSet etcd is not available: 0/3 replicas ready"))
	c.is("EtcdAvailable", 30*time.Second, "EtcdWaitingForQuorum", builders.HostedControlPlane.Says("Waiting for etcd to reach quorum"))
	c.unavailable("kube-apiserver", minutes(1), notAvailable("kube-apiserver"))
	c.is("KubeAPIServerAvailable", minutes(1), "WaitingForAvailable", builders.HostedControlPlane.Says("Waiting for Kube APIServer deployment to become available"))
	c.is("Available", minutes(1), "EtcdWaitingForQuorum", builders.HostedControlPlane.Says("Waiting for etcd to reach quorum"))
	for _, name := range []string{"openshift-apiserver", "oauth-openshift"} {
		c.unavailable(name, minutes(2), notAvailable(name))
		c.component(name, "RolloutComplete", minutes(2), "WaitingForDependencies", builders.ComponentStatus.Says("Waiting for Dependencies: kube-apiserver"))
	}
}

func componentDown(c *hostedCluster) {
	c.unavailable("oauth-openshift", 0, notAvailable("oauth-openshift"))
	c.component("oauth-openshift", "RolloutComplete", 0, "WaitingForRolloutComplete", builders.ComponentStatus.Says("Waiting for deployment oauth-openshift rollout to finish: 0 out of 3 new replicas have been updated"))
	c.is("Available", minutes(1), "ComponentsNotAvailable", builders.HostedControlPlane.Says("Waiting for components to be available: oauth-openshift"))
}

func unreadyHostedNode(c *hostedCluster) {
	builders.NodeCondition(corev1.NodeReady, corev1.ConditionUnknown, c.since, "NodeStatusUnknown", "Kubelet stopped posting node status.")(c.node(surgeNode))
	c.pool("Ready", minutes(8), "TooManyUnhealthy",
		builders.HealthCheck.Says("Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: 3, unhealthy: 3, maxUnhealthy: 2)"))
	c.hangNetwork()
	c.is("ClusterVersionSucceeding", minutes(14), "ClusterOperatorDegraded", degradedOperator("network"))
}

// failedMachine: the end of the message is that of the provider, kubernetes-sigs/cluster-api-provider-aws, controllers/awsmachine_controller.go.
func failedMachine(c *hostedCluster) {
	for _, machine := range c.Machines {
		if machine.Name == "surge-3" {
			why := builders.MachinePhases.Says(`Failure detected from referenced resource infrastructure.cluster.x-k8s.io/v1beta2, Kind=AWSMachine with name "surge-3": ` +
				`EC2 instance state "terminated" is unexpected`).String()
			machine.Status.Phase, machine.Status.FailureMessage = "Failed", &why
		}
	}
	c.pool("AllMachinesReady", time.Second, "InstanceTerminated", builders.NodePool.Says("1 of 4 machines are not ready\nMachine surge-3: InstanceTerminated: \n"))
}

func noPayload(c *hostedCluster) {
	message := builders.TokenSecret.Says("failed to generate payload: error getting ignition payload: failed to lookup release image").String()
	for _, pool := range c.NodePools {
		meta.SetStatusCondition(&pool.Status.Conditions, metav1.Condition{Type: "ValidGeneratedPayload", Reason: "InvalidConfig", Message: message, LastTransitionTime: metav1.NewTime(c.since)})
	}
}

// noRoom: the message is that of the scheduler.
func noRoom(c *hostedCluster) {
	why := "0/6 nodes are available: 6 Insufficient memory."
	for _, machine := range c.Machines {
		if machine.Name == "surge-3" {
			c.set(&machine.Status.Conditions, "InfrastructureReady", 0, "Unschedulable", builders.KubeVirtMachine.Says("%s", why))
		}
	}
	c.pool("AllMachinesReady", 0, "Unschedulable", builders.NodePool.Says("1 of 4 machines are not ready\nMachine surge-3: Unschedulable: %s\n", why))
}

func lostInPlace(c *hostedCluster) {
	builders.NodeCondition(corev1.NodeReady, corev1.ConditionUnknown, c.since, "NodeStatusUnknown", "Kubelet stopped posting node status.")(c.node("metal-0.example.com"))
	c.hangNetwork()
}

// neverJoins: the kubelet runs, and the network of its node does not.
func neverJoins(c *hostedCluster) {
	for _, machine := range c.Machines {
		if machine.Name == "surge-3" {
			c.set(&machine.Status.Conditions, "NodeHealthy", 0, "NodeConditionsFailed", builders.MachineNode.Says("Node is not ready"))
		}
	}
	c.pool("AllNodesHealthy", 0, "NodeConditionsFailed", builders.NodePool.Says("Machine surge-3: NodeConditionsFailed\n"))
}

func refusedRelease(c *hostedCluster) {
	c.is("Progressing", 0, "Blocked", builders.HostedCluster.Says("ClusterVersionUpgradeable condition is false: cluster version is not upgradeable"))
	c.is("ClusterVersionUpgradeable", 0, "AdminAckRequired", builders.HostedCluster.Says("Kubernetes 1.36 and therefore OpenShift 4.23 remove several APIs"))
}

func invalidConfiguration(c *hostedCluster) {
	why := "configMap user-ca-bundle must have a ca-bundle.crt key"
	c.is("ValidConfiguration", 0, "InvalidConfiguration", builders.HostedCluster.Says("%s", why))
	c.is("Progressing", 0, "Blocked", builders.HostedCluster.Says("ValidConfiguration condition is false: %s", why))
	c.is("ReconciliationSucceeded", 0, "ReconciliationError", builders.HostedCluster.Says("configuration is invalid: %s", why))
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
func (c *hostedCluster) is(kind string, after time.Duration, reason string, message builders.Text) {
	c.set(&c.HostedCluster.Status.Conditions, kind, after, reason, message)
}

func (c *hostedCluster) component(name, kind string, after time.Duration, reason string, message builders.Text) {
	for _, one := range c.Components {
		if one.Name == name {
			c.set(&one.Status.Conditions, kind, after, reason, message)
		}
	}
}

func (c *hostedCluster) unavailable(name string, after time.Duration, message builders.Text) {
	c.component(name, "Available", after, "WaitingForAvailable", message)
}

func (c *hostedCluster) pool(kind string, after time.Duration, reason string, message builders.Text) {
	for _, one := range c.NodePools {
		if one.Name == "surge" {
			c.set(&one.Status.Conditions, kind, after, reason, message)
		}
	}
}

func (c *hostedCluster) set(conditions *[]metav1.Condition, kind string, after time.Duration, reason string, message builders.Text) {
	if at := c.since.Add(after); !c.now.Before(at) {
		meta.SetStatusCondition(conditions, metav1.Condition{
			Type: kind, Status: metav1.ConditionFalse, Reason: reason, Message: message.String(), LastTransitionTime: metav1.NewTime(at),
		})
	}
}

// hangNetwork is what the network operator of the hosted cluster says of a node that is not ready: see cluster.hangNetwork.
func (c *hostedCluster) hangNetwork() {
	(&cluster{Input: &standalone.Input{ClusterVersion: &configv1.ClusterVersion{}, ClusterOperators: c.ClusterOperators}, now: c.now}).hangNetwork(c.since)
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
	starts := map[string]time.Time{}
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
			in.Observed = starts
			messages := assesshosted.Assess(in, now)
			starts = map[string]time.Time{}
			for _, message := range messages {
				maps.Copy(starts, assesshosted.Starts(message, in.Observed, now))
			}
			moments = append(moments, Moment{After: after + again, Status: builder.Build(builders.View(messages), now)})
		}
	}
	return moments, nil
}
