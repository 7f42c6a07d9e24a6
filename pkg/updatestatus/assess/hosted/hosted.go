package hosted

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Input is a whole hosted cluster.
type Input struct {
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
	// Observed is when each node that drains, each component that is rolled out, each pool that is stuck, and the release that is asked
	// for was first observed: Starts.
	Observed map[string]time.Time
	// Blockers are what was read of nodes whose drains take long (LongDrains), by name, nil for one that is being read for the first time.
	// There are none if pods are not read.
	Blockers map[string]*drain.Blockers
}

// Assess assesses a whole hosted cluster. It returns the messages that the sources would send, each complete.
func Assess(in Input, now time.Time) []insight.Message {
	controlPlane, _ := ControlPlane(in, now)
	nodes, _ := Nodes(in, now)
	return []insight.Message{controlPlane, nodes}
}

// HealthChecks returns the health checks of hosted clusters, beside those of cluster operators and nodes of any cluster, in the order in
// which they are documented.
func HealthChecks() []assess.HealthCheck {
	return slices.Concat(
		assess.RowsOf(clusterChecks), assess.RowsOf(componentChecks), assess.RowsOf(poolChecks),
		assess.RowsOf(drainChecks), assess.RowsOf(inPlaceChecks), assess.RowsOf(machineChecks),
	)
}

// withOwnPools leaves out the pools of other hosted clusters.
func (in Input) withOwnPools() Input {
	in.NodePools = slices.DeleteFunc(slices.Clone(in.NodePools), func(pool *hypershiftv1beta1.NodePool) bool {
		return in.HostedCluster == nil || pool.Spec.ClusterName != in.HostedCluster.Name || pool.Namespace != in.HostedCluster.Namespace
	})
	return in
}

// ownComponent is that of this controller, if HyperShift runs it. No update waits for it (manifests/hypershift/pull-request).
const ownComponent = "update-status-controller"

// withoutOwnComponent leaves out the component of this controller.
func (in Input) withoutOwnComponent() Input {
	in.Components = slices.DeleteFunc(slices.Clone(in.Components), func(component *hypershiftv1beta1.ControlPlaneComponent) bool {
		return component.Name == ownComponent
	})
	return in
}

// ControlPlane assesses the control plane of a hosted cluster. It returns the message of its source, which is complete, and
// when that changes without an event, zero if it does not.
func ControlPlane(in Input, now time.Time) (message insight.Message, nextCheck time.Time) {
	in = in.withOwnPools().withoutOwnComponent()
	message = insight.Message{Source: insight.ControlPlaneInformer, State: &insight.State{Complete: true}}
	add := func(result assess.Result) {
		message.Reports, nextCheck = append(message.Reports, result.Report), assess.Earliest(nextCheck, result.NextCheck)
	}
	wantsNodes := func(pool *hypershiftv1beta1.NodePool) bool {
		return pool.Spec.Replicas == nil || *pool.Spec.Replicas > 0
	}
	add(Cluster(ClusterInput{
		HostedCluster: in.HostedCluster, Components: in.Components, ClusterOperators: in.ClusterOperators,
		// Without cluster operators it is not known which nodes there are: some can have no pool.
		NoNodes:   len(in.ClusterOperators) > 0 && len(in.Nodes) == 0 && !slices.ContainsFunc(in.NodePools, wantsNodes),
		Unmanaged: in.unmanaged(), RequestObserved: in.Observed[RequestKey],
	}, now))
	for _, component := range in.Components {
		add(Component(ComponentInput{
			Component: component, Components: in.Components, HostedCluster: in.HostedCluster, RolloutObserved: in.Observed[component.Name],
		}, now))
	}
	for _, operator := range in.ClusterOperators {
		add(Operator(operator, in.HostedCluster, in.Components, now))
	}
	return message, nextCheck
}

// unmanaged returns the nodes that belong to no pool: they have neither its label nor a Machine.
func (in Input) unmanaged() []*corev1.Node {
	hasMachine := map[string]bool{}
	for _, machine := range in.Machines {
		if ref := machine.Status.NodeRef; ref != nil {
			hasMachine[ref.Name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(in.Nodes), func(node *corev1.Node) bool { return node.Labels[PoolKey] != "" || hasMachine[node.Name] })
}

// Nodes assesses the node pools of a hosted cluster, and their nodes, as ControlPlane does. The message has no target:
// each pool is updated to a version of its own.
func Nodes(in Input, now time.Time) (message insight.Message, nextCheck time.Time) {
	in = in.withOwnPools()
	message = insight.Message{Source: insight.NodeInformer, State: &insight.State{Complete: true}}
	add := func(result assess.Result) {
		message.Reports, nextCheck = append(message.Reports, result.Report), assess.Earliest(nextCheck, result.NextCheck)
	}
	byName := map[string]*corev1.Node{}
	for _, node := range in.Nodes {
		byName[node.Name] = node
	}
	for _, pool := range in.NodePools {
		objects := in.poolObjects(pool)
		assessed, known := NodePoolInput{PoolObjects: objects, StalledObserved: in.Observed[stalledKey(pool.Name)]}, objects.read(now)
		for _, node := range in.nodesOf(objects, byName) {
			facts := node.read(known, now)
			add(facts.assess(now))
			if facts.machine != nil {
				assessed.Unprovisioned.Add(facts.machine)
			}
			switch {
			case facts.hasJoined():
				assessed.Nodes.Add(insight.StateOf(facts.insight()))
			case facts.isJoining():
				assessed.Joining.Add(facts.machine, facts.name())
			}
		}
		add(assessed.assess(known, now))
	}
	return message, nextCheck
}

// RequestKey is the key of the release that is asked for among what was observed. It is no text of a host, as constants of this package are.
var RequestKey = "HostedCluster"

// stalledKey is the key of a pool among what was observed.
func stalledKey(pool string) string { return "NodePool/" + pool }

// Starts returns when each node that drains according to a message, each component that is rolled out, each pool that is stuck, and the
// release that is asked for was first observed: as before, or now.
func Starts(message insight.Message, before map[string]time.Time, now time.Time) map[string]time.Time {
	starts := map[string]time.Time{}
	for _, report := range message.Reports {
		for _, one := range report.Insights {
			cluster, component, node := one.Insight.HostedCluster, one.Insight.ControlPlaneComponent, one.Insight.Node
			switch {
			case cluster != nil && cluster.Requested != nil:
				starts[RequestKey] = cmp.Or(before[RequestKey], now)
			case one.Stalled:
				key := stalledKey(one.Insight.NodePool.Name)
				starts[key] = cmp.Or(before[key], now)
			case component != nil && insight.OperatorStateOf(component).Progress == insight.OperatorUpdating:
				starts[component.Name] = cmp.Or(before[component.Name], now)
			case node != nil && insight.StateOf(node).Phase == insight.PhaseDraining:
				starts[node.Name] = cmp.Or(before[node.Name], now)
			case node != nil && insight.StateOf(node).Phase == insight.PhaseUpdating:
				key := assess.UpdateKey(node.Name)
				starts[key] = cmp.Or(before[key], now)
			}
		}
	}
	return starts
}

func (in Input) poolObjects(pool *hypershiftv1beta1.NodePool) PoolObjects {
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
func (in Input) nodesOf(objects PoolObjects, byName map[string]*corev1.Node) []NodeInput {
	var nodes []NodeInput
	hasMachine := map[string]bool{}
	for _, machine := range in.Machines {
		if PoolOfMachine(machine) != objects.NodePool.Name {
			continue
		}
		one := NodeInput{PoolObjects: objects, Machine: machine}
		if ref := machine.Status.NodeRef; ref != nil {
			one.Node, hasMachine[ref.Name] = byName[ref.Name], true
			in.addDrain(&one, ref.Name)
		}
		nodes = append(nodes, one)
	}
	for _, node := range in.Nodes {
		if node.Labels[PoolKey] == objects.NodePool.Name && !hasMachine[node.Name] {
			one := NodeInput{PoolObjects: objects, Node: node}
			in.addDrain(&one, node.Name)
			nodes = append(nodes, one)
		}
	}
	return nodes
}

// addDrain adds what is known of the drain of a node.
func (in Input) addDrain(to *NodeInput, node string) {
	blockers, isRead := in.Blockers[node]
	to.DrainObserved, to.UpdateObserved = in.Observed[node], in.Observed[assess.UpdateKey(node)]
	to.Blockers, to.AwaitsBlockers = blockers, isRead && blockers == nil
}

// PoolOfMachine returns the name of the NodePool of a Machine, empty if it has none.
func PoolOfMachine(machine *clusterapiv1beta1.Machine) string {
	_, pool, _ := strings.Cut(machine.Annotations[PoolKey], "/")
	return pool
}

// Unreachable returns the state of a source that reports all that the management cluster tells, and of the hosted cluster what
// was last read, for a reason in words.
func Unreachable(why string) *insight.State {
	return &insight.State{
		Complete: true,
		Reason:   updatev1alpha1.ReasonHostedClusterUnreachable,
		Message:  "The cluster operators and nodes of the hosted cluster can't be read, so their insights may be outdated: " + why,
	}
}
