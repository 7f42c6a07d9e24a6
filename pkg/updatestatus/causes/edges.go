package causes

import (
	"slices"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
)

// Edge is an entry of the table: what can cause what.
type Edge struct {
	// Name identifies the edge.
	Name            string
	Causes, Effects Problems
	// Evidence says what proves it, for people.
	Evidence string
	// find returns what causes an effect, of the causes and effects above.
	find func(f *facts, effect *problem) []*problem
}

// Problems are health checks with a name for people.
type Problems struct {
	Name string
	// Checks are their names in the table of assess.
	Checks []string
}

var (
	blockedDrain          = Problems{"a blocked drain", []string{drainBlocked}}
	drainAhead            = Problems{"a predicted blocked drain", []string{"pool-will-not-drain"}}
	degradedNode          = Problems{"a degraded node", []string{"node-degraded"}}
	unreadyNode           = Problems{"a node that is not ready", []string{"node-not-ready", "node-disk-pressure", "node-network-unavailable", "node-not-returned"}}
	lateNode              = []string{"node-not-returned", "node-not-begun", "node-update-slow"}
	pendingCertificate    = Problems{"a certificate that is not approved", []string{"kubelet-certificates-pending"}}
	lostKubelet           = Problems{"a kubelet that does not report", []string{"node-not-ready", "node-not-returned"}}
	stuckNode             = Problems{"a node that can't be updated", slices.Concat([]string{drainBlocked, "node-degraded", "node-in-several-pools"}, lateNode)}
	anyNode               = Problems{"a node", slices.Concat(stuckNode.Checks, unreadyNode.Checks)}
	stalledPool           = Problems{"a pool that is not starting or is slowed", []string{"pool-not-starting", "pool-slowed"}}
	degradedPool          = Problems{"a degraded pool", []string{"pool-degraded"}}
	unparsableSelector    = Problems{"a pool whose selector can't be parsed", []string{"pool-selector-unparsable"}}
	notStartingPool       = Problems{"a pool that is not starting", []string{"pool-not-starting"}}
	behindPool            = Problems{"a pool that is behind", slices.Concat(anyNode.Checks, []string{"pool-paused", "pool-degraded", "pool-not-starting"})}
	behindPoolOrComponent = Problems{"a pool that is behind, or a component", slices.Concat(behindPool.Checks, []string{componentUnavailable})}
	operatorDown          = Problems{"an operator that is unavailable", []string{unavailable}}
	degradedBy            = Problems{"an operator that is degraded", []string{degraded}}
	slowOperator          = Problems{"an operator that is slow", []string{slow}}
	badOperator           = Problems{"an operator", []string{unavailable, degraded, unknown, slow}}
	failingUpdate         = Problems{"the update", []string{"cluster-version-failing", "hosted-cluster-failing"}}
	skippedOrFailing      = Problems{"an update that fails, or skips objects", []string{"cluster-version-failing", "cluster-version-overrides"}}
	firingAlert           = Problems{"an alert", []string{"alert-firing"}}
	informerReport        = Problems{"what a trusted UpdateInformer reports", []string{"update-informer"}}
	drainOrOperator       = Problems{"a drain or an operator", slices.Concat(blockedDrain.Checks, drainAhead.Checks, badOperator.Checks)}
	nodeOrOperator        = Problems{"a node, a drain or an operator", slices.Concat(anyNode.Checks, drainAhead.Checks, badOperator.Checks)}
)

const (
	drainBlocked = "node-drain-blocked"
	unavailable  = "cluster-operator-unavailable"
	unknown      = "cluster-operator-unknown"
	degraded     = "cluster-operator-degraded"
	slow         = "operator-slow"
)

// edges are those of all clusters, and hostedEdges those that only hosted clusters have, in the order in which docs/updatestatus/insights.md lists
// them. An edge is one entry here, one function, one row there, and in its test one case where it holds and one where the evidence
// is almost there.
var edges = slices.Concat([]Edge{
	{"drain-degrades-node", blockedDrain, degradedNode, "both are about one node, and the reason of its degradation is the drain", drainOfNode},
	{"drain-was-ahead", blockedDrain, drainAhead, "both name one PodDisruptionBudget", drainOfBudget},
	{"unavailable-degrades-operator", operatorDown, degradedBy, "both are about one operator", unavailableOperator},
	{"unhealthy-slows-operator", Problems{"an operator that is unavailable or degraded, or does not report it", []string{unavailable, degraded, unknown}}, slowOperator, "both are about one operator", unhealthyOperator},
	{"node-harms-operator", unreadyNode, badOperator, "the operator's message names the node", nodeNamedByOperator},
	{"node-harms-machine-config", stuckNode, badOperator, "the message of machine-config names the node", nodeNamedByMachineConfig},
	{
		"control-plane-holds-rendering",
		Problems{"a node of the control plane, or an operator", slices.Concat(unreadyNode.Checks, badOperator.Checks)},
		notStartingPool,
		"the configuration of the pool is not rendered, and machine-config is degraded for another reason than its pools, a node of the control plane is not " +
			"ready, or the update waits for an operator that has an insight", renderingHeld,
	},
	{
		"pool-harms-machine-config", behindPool, badOperator,
		"the message of machine-config names the pool, whose counts show that it is behind", poolNamedByMachineConfig,
	},
	{"node-stops-pool", anyNode, stalledPool, "the pool's insight names the node as one that uses up maxUnavailable", nodeNamedByPool},
	{"pool-does-not-start", degradedPool, notStartingPool, "both are about one pool", degradedPoolOf},
	{
		"selector-stops-pools", unparsableSelector, notStartingPool,
		"the pool's insight names no node, and the Machine Config Operator updates no pool while the selector of one can't be parsed", unparsableSelectors,
	},
	{"operator-fails-update", badOperator, failingUpdate, "the ClusterVersion's message names the operator", operatorNamedByVersion},
	{
		"operator-passes-on", behindPoolOrComponent, failingUpdate,
		"the ClusterVersion's message names an operator that has no insight yet, and one of the edges above leads to that operator", behindOperatorNamedByVersion,
	},
	{
		"informer-explains", informerReport, drainOrOperator,
		"the trusted UpdateInformer names the node that drains, a PodDisruptionBudget that a drain names, or the operator", informerNaming,
	},
	{"object-raises-alert", nodeOrOperator, firingAlert, "the alert's labels name the object, or a PodDisruptionBudget that a drain names", objectOfAlert},
}, controlPlaneEdges)

// Edges returns the table of edges of all clusters.
func Edges() []Edge {
	return slices.Clone(edges)
}

// HostedEdges returns the table of edges that only hosted clusters have.
func HostedEdges() []Edge {
	return slices.Clone(hostedEdges)
}

func drainOfNode(f *facts, node *problem) []*problem {
	if !strings.Contains(strings.ToLower(node.reported().Message), "drain") {
		return nil
	}
	return f.about(node.object, drainBlocked)
}

func drainOfBudget(f *facts, ahead *problem) []*problem {
	var found []*problem
	for _, budget := range ahead.objects[min(1, len(ahead.objects)):] {
		for _, p := range f.byObject[budget] {
			if p.check.Name == drainBlocked {
				found = append(found, p)
			}
		}
	}
	return found
}

func unavailableOperator(f *facts, effect *problem) []*problem {
	return f.about(effect.object, unavailable)
}

func unhealthyOperator(f *facts, late *problem) []*problem {
	return f.about(late.object, unavailable, degraded, unknown)
}

func nodeNamedByOperator(f *facts, effect *problem) []*problem {
	return f.nodesNamed(effect.reported().Message, unreadyNode.Checks)
}

func nodeNamedByMachineConfig(f *facts, effect *problem) []*problem {
	if effect.object.Name != controlplane.MachineConfigOperator {
		return nil
	}
	return f.nodesNamed(effect.reported().Message, stuckNode.Checks)
}

func poolNamedByMachineConfig(f *facts, effect *problem) []*problem {
	if effect.object.Name != controlplane.MachineConfigOperator {
		return nil
	}
	return f.poolsNamed(effect.reported().Message)
}

// nodeNamedByPool: the resources of the pool's insight after the pool are the nodes that it waits for.
func nodeNamedByPool(f *facts, pool *problem) []*problem {
	var found []*problem
	for _, ref := range pool.Health.Scope.Resources[1:] {
		found = append(found, f.about(ref.ResourceRef, anyNode.Checks...)...)
	}
	return found
}

func degradedPoolOf(f *facts, stalled *problem) []*problem {
	return f.about(stalled.object, degradedPool.Checks...)
}

// unparsableSelectors: a pool that waits for nodes would wait for them also without it.
func unparsableSelectors(f *facts, pool *problem) []*problem {
	if len(pool.Health.Scope.Resources) > 1 {
		return nil
	}
	return f.matching(unparsableSelector.Checks, func(updatev1alpha1.ResourceRef) bool { return true })
}

// operatorsNamed returns the operators that the ClusterVersion names.
func (f *facts) operatorsNamed(effect *problem) []*updatev1alpha1.ClusterOperatorInsight {
	var named []*updatev1alpha1.ClusterOperatorInsight
	isOperator := func(name string) bool { return f.operators[name] != nil }
	message := effect.reported().Message
	for _, name := range slices.Concat(listed(wordsOf(message), operatorWords, isOperator), controlplane.ReadAttempt(message).WaitingOn) {
		if operator := f.operators[name]; operator != nil && !slices.Contains(named, operator) {
			named = append(named, operator)
		}
	}
	return named
}

func operatorNamedByVersion(f *facts, effect *problem) []*problem {
	var found []*problem
	for _, operator := range f.operatorsNamed(effect) {
		found = append(found, f.about(operator.Resource, unknown, slow)...)
		if _, unhealthy := isUnhealthy(operator); unhealthy {
			found = append(found, f.about(operator.Resource, unavailable, degraded)...)
		}
	}
	return found
}

// behindOperatorNamedByVersion: an operator is reported after some minutes, the ClusterVersion at once.
func behindOperatorNamedByVersion(f *facts, effect *problem) []*problem {
	var found []*problem
	for _, operator := range f.operatorsNamed(effect) {
		if len(f.about(operator.Resource, badOperator.Checks...)) > 0 {
			continue
		}
		message, unhealthy := isUnhealthy(operator)
		if !unhealthy {
			continue
		}
		found = slices.Concat(found, f.nodesNamed(message, unreadyNode.Checks), f.componentsNamed(message))
		if operator.Name == controlplane.MachineConfigOperator {
			found = slices.Concat(found, f.nodesNamed(message, stuckNode.Checks), f.poolsNamed(message))
		}
	}
	return found
}

// nodesNamed returns the problems of some checks of the nodes that a message names.
func (f *facts) nodesNamed(message string, checks []string) []*problem {
	var found []*problem
	for _, name := range namesIn(wordsOf(message), nodeWords, func(name string) bool { return f.nodes[name] != nil }) {
		found = append(found, f.about(f.nodes[name].Resource, checks...)...)
	}
	return found
}

// poolsNamed returns the problems of the pools that a message names, and of their nodes.
func (f *facts) poolsNamed(message string) []*problem {
	named := listed(wordsOf(message), poolWords, func(name string) bool { return f.pools[name] != nil && f.isBehind(f.pools[name]) })
	return f.matching(behindPool.Checks, func(object updatev1alpha1.ResourceRef) bool {
		return slices.ContainsFunc(named, func(name string) bool {
			pool := f.pools[name].Resource
			return object == pool || f.poolOf[object] == pool.Name
		})
	})
}

// informerNaming: only what a trusted UpdateInformer reports names objects so.
func informerNaming(f *facts, effect *problem) []*problem {
	var found []*problem
	for _, object := range effect.objects {
		found = append(found, f.explained[object]...)
	}
	return found
}

func objectOfAlert(f *facts, alert *problem) []*problem {
	var found []*problem
	for _, object := range alert.Labels {
		for _, p := range f.byObject[object] {
			if slices.Contains(nodeOrOperator.Checks, p.check.Name) {
				found = append(found, p)
			}
		}
	}
	return found
}
