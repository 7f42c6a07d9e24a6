package assess

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// HostedInput is a whole hosted cluster.
type HostedInput struct {
	// HostedCluster is nil if there is none.
	HostedCluster *hypershiftv1beta1.HostedCluster
	Components    []*hypershiftv1beta1.ControlPlaneComponent
	// NodePools are those of its namespace: those of other hosted clusters are ignored.
	NodePools          []*hypershiftv1beta1.NodePool
	Machines           []*clusterapiv1beta1.Machine
	MachineDeployments []*clusterapiv1beta1.MachineDeployment
	MachineSets        []*clusterapiv1beta1.MachineSet
	// ClusterOperators and Nodes are those of the hosted cluster, none if they are not known.
	ClusterOperators []*configv1.ClusterOperator
	Nodes            []*corev1.Node
}

// Hosted assesses a whole hosted cluster. It returns the messages that the sources would send, each complete.
func Hosted(in HostedInput, now time.Time) []insight.Message {
	in.NodePools = slices.DeleteFunc(slices.Clone(in.NodePools), func(pool *hypershiftv1beta1.NodePool) bool {
		return in.HostedCluster == nil || pool.Spec.ClusterName != in.HostedCluster.Name || pool.Namespace != in.HostedCluster.Namespace
	})
	return []insight.Message{in.controlPlane(now), in.nodes(now)}
}

func (in HostedInput) controlPlane(now time.Time) insight.Message {
	wantsNodes := func(pool *hypershiftv1beta1.NodePool) bool {
		return pool.Spec.Replicas == nil || *pool.Spec.Replicas > 0
	}
	whole := HostedCluster(HostedClusterInput{
		HostedCluster: in.HostedCluster, Components: in.Components, ClusterOperators: in.ClusterOperators,
		NoNodes: len(in.Nodes) == 0 && !slices.ContainsFunc(in.NodePools, wantsNodes),
	}, now)
	reports := []insight.Report{whole.Report}
	for _, component := range in.Components {
		reports = append(reports, Component(ComponentInput{Component: component, HostedCluster: in.HostedCluster}, now).Report)
	}
	for _, operator := range in.ClusterOperators {
		reports = append(reports, HostedOperator(operator, in.HostedCluster, now).Report)
	}
	return insight.Message{Source: insight.ControlPlaneInformer, Reports: reports, State: &insight.State{Complete: true}}
}

// nodes has no target: each pool is updated to a version of its own.
func (in HostedInput) nodes(now time.Time) insight.Message {
	message := insight.Message{Source: insight.NodeInformer, State: &insight.State{Complete: true}}
	byName := map[string]*corev1.Node{}
	for _, node := range in.Nodes {
		byName[node.Name] = node
	}
	for _, pool := range in.NodePools {
		objects := in.poolObjects(pool)
		var counts NodeCounts
		for _, node := range in.nodesOf(objects, byName) {
			report := HostedNode(node, now).Report
			message.Reports = append(message.Reports, report)
			if len(report.Insights) > 0 {
				counts.Add(insight.StateOf(report.Insights[0].Insight.Node))
			}
		}
		message.Reports = append(message.Reports, NodePool(NodePoolInput{PoolObjects: objects, Nodes: counts}, now).Report)
	}
	return message
}

func (in HostedInput) poolObjects(pool *hypershiftv1beta1.NodePool) PoolObjects {
	objects := PoolObjects{NodePool: pool, HostedCluster: in.HostedCluster}
	if at := slices.IndexFunc(in.MachineDeployments, func(one *clusterapiv1beta1.MachineDeployment) bool { return one.Name == pool.Name }); at >= 0 {
		objects.MachineDeployment = in.MachineDeployments[at]
	}
	if at := slices.IndexFunc(in.MachineSets, func(one *clusterapiv1beta1.MachineSet) bool { return one.Name == pool.Name }); at >= 0 {
		objects.MachineSet = in.MachineSets[at]
	}
	return objects
}

// nodesOf returns the Machines of a pool with their nodes, and its nodes that have none.
func (in HostedInput) nodesOf(objects PoolObjects, byName map[string]*corev1.Node) []HostedNodeInput {
	var nodes []HostedNodeInput
	hasMachine := map[string]bool{}
	for _, machine := range in.Machines {
		if PoolOfMachine(machine) != objects.NodePool.Name {
			continue
		}
		one := HostedNodeInput{PoolObjects: objects, Machine: machine}
		if ref := machine.Status.NodeRef; ref != nil {
			one.Node, hasMachine[ref.Name] = byName[ref.Name], true
		}
		nodes = append(nodes, one)
	}
	for _, node := range in.Nodes {
		if node.Labels[PoolKey] == objects.NodePool.Name && !hasMachine[node.Name] {
			nodes = append(nodes, HostedNodeInput{PoolObjects: objects, Node: node})
		}
	}
	return nodes
}

// PoolOfMachine returns the name of the NodePool of a Machine, empty if it has none.
func PoolOfMachine(machine *clusterapiv1beta1.Machine) string {
	_, pool, _ := strings.Cut(machine.Annotations[PoolKey], "/")
	return pool
}
