package causes

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

const (
	componentUnavailable = "component-unavailable"
	etcdUnavailable      = "hosted-cluster-etcd-unavailable"
	apiUnavailable       = "hosted-cluster-api-server-unavailable"
	hostedUnavailable    = "hosted-cluster-unavailable"

	// etcdComponent and apiComponent are the components that two conditions of a HostedCluster are about.
	etcdComponent = "etcd"
	apiComponent  = "kube-apiserver"
)

var (
	componentDown    = Problems{"a component that is unavailable", []string{componentUnavailable}}
	componentSlow    = Problems{"a component that is taking long to roll out", []string{"component-slow"}}
	etcdNotRecovered = Problems{"etcd of a hosted cluster that must be repaired manually", []string{"hosted-cluster-etcd-recovery-failed"}}
	etcdDown         = Problems{"etcd of a hosted cluster", []string{etcdUnavailable}}
	etcdOrAPIDown    = Problems{"etcd or the API server of a hosted cluster", []string{etcdUnavailable, apiUnavailable}}
	apiDown          = Problems{"the API server of a hosted cluster, or its component", []string{apiUnavailable, componentUnavailable}}
	hostedDown       = Problems{"a hosted cluster that is unavailable", []string{hostedUnavailable}}
	hostedCutOff     = Problems{"a hosted cluster that is unavailable or disconnected", []string{hostedUnavailable, "hosted-cluster-disconnected"}}
	pausedHosted     = Problems{"a paused hosted cluster", []string{"hosted-cluster-paused"}}
	pausedNodePool   = Problems{"a paused node pool", []string{"node-pool-paused"}}
	failedInPlace    = Problems{"an update in place that has failed", []string{"node-pool-in-place-failed"}}
	failedMachine    = Problems{"a Machine that has failed", []string{"machine-failed", "machine-not-provisioned"}}
	idlePod          = Problems{"a node that has not begun to update in place", []string{"hosted-node-not-begun"}}
	slowNode         = Problems{"a node that is slow to update", []string{"node-update-slow"}}
	noConfiguration  = Problems{"a node pool whose nodes get no configuration", []string{"node-pool-payload-invalid", "node-pool-ignition-not-reached"}}
	waitingNodePool  = Problems{"a node pool that is not starting, or waits for its Machines", []string{"node-pool-not-starting", "node-pool-machines-not-ready"}}
	machinesNotReady = Problems{"a node pool that waits for its Machines", []string{"node-pool-machines-not-ready"}}
	stalledNodePool  = Problems{"a node pool that is not starting", []string{"node-pool-not-starting"}}
	unreadyHosted    = Problems{"a node of a node pool that is not ready", []string{"node-not-ready"}}
	unhealthyPool    = Problems{"a node pool with too many unhealthy nodes", []string{"node-pool-unhealthy"}}
)

// hostedEdges are explained at edges.
var hostedEdges = []Edge{
	{
		"component-is-condition", componentDown, etcdOrAPIDown, "the condition of the HostedCluster is about the component etcd, or kube-apiserver",
		componentOfCondition,
	},
	{
		"etcd-stays-down", etcdNotRecovered, etcdDown, "both are conditions of one HostedCluster, whose etcd stays unavailable until it is repaired",
		recoveryOfEtcd,
	},
	{"etcd-stops-api-server", etcdDown, apiDown, "the API server of a hosted cluster stores everything in its etcd", etcdOfAPIServer},
	{
		"api-server-stops-hosted-cluster", etcdOrAPIDown, hostedCutOff,
		"both are conditions of one HostedCluster, which is neither available nor connected to its nodes without its API server", etcdOrAPIServerOfCluster,
	},
	{"component-stops-hosted-cluster", componentDown, hostedDown, "the message of the HostedCluster names the component", componentNamedByCluster},
	{"component-waits", componentDown, componentDown, "the message of the waiting component names the other component", componentWaitedFor},
	{"unavailable-slows-component", componentDown, componentSlow, "both are about one component: its rollout completes when it is available", unavailableComponent},
	{"component-harms-operator", componentDown, badOperator, "the operator's message names the component", componentNamedByOperator},
	{"hosted-cluster-pauses-pool", pausedHosted, pausedNodePool, "a pause of a HostedCluster also pauses its node pools whose nodes are replaced", pauseOfCluster},
	{"node-fails-pool", degradedNode, failedInPlace, "the NodePool's message names the node", nodeNamedByNodePool},
	{"idle-pod-slows-node", idlePod, slowNode, "both are about one node", idlePodOfNode},
	{"machine-delays-pool", failedMachine, machinesNotReady, "the NodePool's insight names the Machine as one that it waits for", machineNamedByPool},
	{"node-delays-pool", unreadyHosted, machinesNotReady, "the NodePool's insight names the node as one that has not joined", nodeNamedByPool},
	{"configuration-holds-pool", noConfiguration, waitingNodePool, "both are about one pool", configurationOfNodePool},
	{"machines-hold-pool", machinesNotReady, stalledNodePool, "both are about one pool", machinesOfNodePool},
	{"nodes-harm-pool", unreadyHosted, unhealthyPool, "the node belongs to the pool, which counts its unhealthy nodes", unreadyInNodePool},
}

// componentOfCondition: a HostedCluster has a condition of its own about two of its components.
func componentOfCondition(f *facts, condition *problem) []*problem {
	if condition.check.Name == etcdUnavailable {
		return f.componentsDown(etcdComponent)
	}
	return f.componentsDown(apiComponent)
}

func machinesOfNodePool(f *facts, stalled *problem) []*problem {
	return f.about(stalled.object, machinesNotReady.Checks...)
}

func recoveryOfEtcd(f *facts, effect *problem) []*problem {
	return f.about(effect.object, etcdNotRecovered.Checks...)
}

// etcdOfAPIServer: the HostedCluster says that etcd is unavailable when it has no quorum, without which no API server works.
func etcdOfAPIServer(f *facts, effect *problem) []*problem {
	if effect.check.Name == componentUnavailable && effect.object.Name != apiComponent {
		return nil
	}
	return f.matching(etcdDown.Checks, anyObject)
}

func etcdOrAPIServerOfCluster(f *facts, effect *problem) []*problem {
	return f.about(effect.object, etcdOrAPIDown.Checks...)
}

func componentNamedByCluster(f *facts, cluster *problem) []*problem {
	return f.componentsDown(wordsOf(cluster.reported().Message)...)
}

func componentWaitedFor(f *facts, waiting *problem) []*problem {
	component := f.components[waiting.object.Name]
	if component == nil {
		return nil
	}
	updating := meta.FindStatusCondition(component.Conditions, updatev1alpha1.ConditionUpdating)
	if updating == nil || updating.Status != metav1.ConditionFalse || updating.Reason != updatev1alpha1.ReasonPending {
		return nil
	}
	return f.componentsDown(wordsOf(updating.Message)...)
}

func unavailableComponent(f *facts, slow *problem) []*problem {
	return f.about(slow.object, componentUnavailable)
}

func componentNamedByOperator(f *facts, operator *problem) []*problem {
	return f.componentsNamed(operator.reported().Message)
}

// componentsNamed returns the problems of the components that the message of an operator names.
func (f *facts) componentsNamed(message string) []*problem {
	isComponent := func(name string) bool { return f.components[name] != nil }
	return f.componentsDown(namesIn(wordsOf(message), componentWords, isComponent)...)
}

// componentsDown returns the problems of the components that are unavailable, of some names.
func (f *facts) componentsDown(names ...string) []*problem {
	var found []*problem
	for _, name := range names {
		if component := f.components[name]; component != nil {
			found = append(found, f.about(component.Resource, componentUnavailable)...)
		}
	}
	return found
}

func anyObject(updatev1alpha1.ResourceRef) bool { return true }

// pauseOfCluster: a pool whose nodes are updated in place goes by its own pause alone.
func pauseOfCluster(f *facts, pool *problem) []*problem {
	if f.isInPlace[pool.object] {
		return nil
	}
	return f.matching(pausedHosted.Checks, anyObject)
}

func nodeNamedByNodePool(f *facts, pool *problem) []*problem {
	return f.nodesNamed(pool.reported().Message, degradedNode.Checks)
}

func idlePodOfNode(f *facts, slow *problem) []*problem {
	return f.about(slow.object, idlePod.Checks...)
}

// machineNamedByPool: the resources of the pool's insight after the pool are the Machines that it waits for.
func machineNamedByPool(f *facts, pool *problem) []*problem {
	var found []*problem
	for _, ref := range pool.Health.Scope.Resources[1:] {
		found = append(found, f.about(ref.ResourceRef, failedMachine.Checks...)...)
	}
	return found
}

func configurationOfNodePool(f *facts, pool *problem) []*problem {
	return f.about(pool.object, noConfiguration.Checks...)
}

func unreadyInNodePool(f *facts, pool *problem) []*problem {
	return f.matching(unreadyHosted.Checks, func(node updatev1alpha1.ResourceRef) bool { return f.poolOf[node] == pool.object.Name })
}
