package standalone

import (
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/version"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Nodes assesses the nodes and pools of a cluster again and again. A node or pool is assessed again only if something that it is
// assessed from is another object or value than the last time, or its next check is due: a change of one node of 5,000 costs some
// milliseconds. It also remembers since when nodes drain.
type Nodes struct {
	selectors *Pools
	nodes     map[string]assessedNode
	pools     map[string]assessedPool
}

// NodesInput is what the nodes and pools of a cluster are assessed from. Objects must not be changed afterwards.
type NodesInput struct {
	ClusterVersion     *configv1.ClusterVersion
	MachineConfigPools []*machineconfigv1.MachineConfigPool
	MachineConfigs     []*metav1.PartialObjectMetadata
	Nodes              []*corev1.Node
	// MachineConfigNodes are those of the nodes, as far as there are some.
	MachineConfigNodes []*machineconfigv1.MachineConfigNode
	// Blockers are what was read of the drains that take long (NodesResult.LongDrains), by node.
	Blockers map[string]*drain.Blockers
	// Snapshot is whether the objects are those of a moment: the start of a drain was not observed. Partial is
	// whether some may be missing.
	Snapshot, Partial bool
}

// NodesResult is what all nodes and pools are assessed as.
type NodesResult struct {
	// Message is that of the source, which is complete.
	Message insight.Message
	// NextCheck is when the result changes without an event, zero if it does not.
	NextCheck time.Time
	// LongDrains are the nodes whose drains take long and have to be explained, with NodesInput.Blockers.
	LongDrains []string
}

// assessedNode is how a node was last assessed.
type assessedNode struct {
	from nodeOrigin
	// membership is the pool that it has by selectors.
	membership Membership
	selectors  *Pools
	result     assess.Result
	state      insight.NodeState
}

// nodeOrigin is what the assessment of a node depends on, besides the time.
type nodeOrigin struct {
	node              *corev1.Node
	machineConfigNode *machineconfigv1.MachineConfigNode
	pool              *machineconfigv1.MachineConfigPool
	// custom are the names of the custom pools that match the node.
	custom                         string
	currentVersion, desiredVersion string
	target                         Target
	drain                          DrainInput
}

// assessedPool is how a pool was last assessed.
type assessedPool struct {
	from   MachineConfigPoolInput
	report insight.Report
}

// NewNodes returns Nodes that start with what a process before has observed of drains.
func NewNodes(observed assess.Observed) *Nodes {
	n := &Nodes{selectors: &Pools{}, nodes: map[string]assessedNode{}}
	for name, since := range observed.Starts {
		n.nodes[name] = assessedNode{from: nodeOrigin{drain: DrainInput{Observed: since, FailedWith: observed.DrainFailures[name]}}}
	}
	return n
}

// Assess assesses all nodes and pools.
func (n *Nodes) Assess(in NodesInput, now time.Time) NodesResult {
	cluster := n.clusterOf(in)
	result := NodesResult{Message: insight.Message{Source: insight.NodeInformer, State: &insight.State{
		Complete: true, Target: NodesTarget(in.ClusterVersion, maps.Values(cluster.versions)),
	}}}
	if len(in.MachineConfigPools) == 0 {
		result.Message.State = NoMachineConfigPools()
	}
	before, counts := n.nodes, map[string]nodestate.Counts{}
	n.nodes = make(map[string]assessedNode, len(in.Nodes))
	result.Message.Reports = make([]insight.Report, 0, len(in.Nodes)+len(in.MachineConfigPools))
	for _, node := range in.Nodes {
		one := n.assess(node, before[node.Name], cluster, now)
		n.nodes[node.Name] = one
		if one.membership.Pool == nil {
			continue
		}
		ofPool := counts[one.membership.Pool.Name]
		ofPool.Add(one.state)
		counts[one.membership.Pool.Name] = ofPool
		result.Message.Reports = append(result.Message.Reports, one.result.Report)
		result.NextCheck = assess.Earliest(result.NextCheck, one.result.NextCheck)
		if one.result.LongDrain {
			result.LongDrains = append(result.LongDrains, node.Name)
		}
	}
	n.assessPools(cluster, counts, &result)
	return result
}

// clusterContext is what every node is assessed with.
type clusterContext struct {
	NodesInput

	target Target
	// pools are the MachineConfigPools by name. One that has not changed is the object that was assessed last.
	pools map[string]*machineconfigv1.MachineConfigPool
	// versions are the release versions of MachineConfigs, which may be empty.
	versions           map[string]string
	machineConfigNodes map[string]*machineconfigv1.MachineConfigNode
	// updateStarted is when the newest update started, zero if that is not known.
	updateStarted time.Time
}

func (n *Nodes) clusterOf(in NodesInput) clusterContext {
	cluster := clusterContext{
		NodesInput: in, target: TargetOf(in.ClusterVersion),
		pools:              make(map[string]*machineconfigv1.MachineConfigPool, len(in.MachineConfigPools)),
		versions:           make(map[string]string, len(in.MachineConfigs)),
		machineConfigNodes: make(map[string]*machineconfigv1.MachineConfigNode, len(in.MachineConfigNodes)),
	}
	if in.ClusterVersion != nil && len(in.ClusterVersion.Status.History) > 0 {
		cluster.updateStarted = in.ClusterVersion.Status.History[0].StartedTime.Time
	}
	for _, config := range in.MachineConfigs {
		cluster.versions[config.Name] = config.Annotations[ReleaseVersionAnnotation]
	}
	for _, one := range in.MachineConfigNodes {
		cluster.machineConfigNodes[one.Name] = one
	}
	for _, pool := range in.MachineConfigPools {
		if last := n.pools[pool.Name].from.Pool; last != nil && isSamePool(last, pool) {
			pool = last
		}
		cluster.pools[pool.Name] = pool
	}
	n.selectors = n.selectors.with(in.MachineConfigPools)
	return cluster
}

// isSamePool returns whether two states of a pool differ at most in their resource version.
func isSamePool(a, b *machineconfigv1.MachineConfigPool) bool {
	if a == b {
		return true
	}
	older := *a
	older.ResourceVersion = b.ResourceVersion
	return reflect.DeepEqual(&older, b)
}

// assess returns the assessment of a node, which may be the one before. That of a node without a pool is empty.
func (n *Nodes) assess(node *corev1.Node, before assessedNode, cluster clusterContext, now time.Time) assessedNode {
	from := nodeOrigin{
		node: node, machineConfigNode: cluster.machineConfigNodes[node.Name], target: cluster.target,
		currentVersion: cluster.versions[node.Annotations[nodestate.CurrentConfigAnnotation]],
		desiredVersion: cluster.versions[node.Annotations[nodestate.DesiredConfigAnnotation]],
		drain: DrainInput{
			Observed: before.from.drain.Observed, FailedWith: before.from.drain.FailedWith,
			UpdateStarted: cluster.updateStarted, Blockers: cluster.Blockers[node.Name],
		},
	}
	membership := before.membership
	if before.from.node != node || before.selectors != n.selectors {
		membership = n.selectors.Of(node)
	}
	if membership.Pool == nil {
		return assessedNode{from: nodeOrigin{node: node}, membership: membership, selectors: n.selectors}
	}
	from.pool, from.custom = cluster.pools[membership.Pool.Name], strings.Join(membership.Custom, " ")
	next := before.result.NextCheck
	if from == before.from && (next.IsZero() || now.Before(next)) {
		before.membership, before.selectors = membership, n.selectors
		return before
	}
	in := NodeInput{
		Node: node, Pool: from.pool, Custom: membership.Custom, Target: from.target, MachineConfigNode: from.machineConfigNode, Drain: from.drain,
		VersionOf: func(name string) string { return cluster.versions[name] },
	}
	if in.Drain.Observed.IsZero() && !cluster.Snapshot {
		in.Drain.Observed = now
	}
	result := Node(in, now)
	from.drain.Observed, from.drain.FailedWith = result.DrainObserved, result.DrainFailedWith
	return assessedNode{
		from: from, membership: membership, selectors: n.selectors, result: result,
		state: insight.StateOf(result.Report.Insights[0].Insight.Node),
	}
}

// assessPools adds the reports of the pools.
func (n *Nodes) assessPools(cluster clusterContext, counts map[string]nodestate.Counts, result *NodesResult) {
	before := n.pools
	n.pools = make(map[string]assessedPool, len(cluster.pools))
	for _, each := range cluster.MachineConfigPools {
		from := MachineConfigPoolInput{
			Pool: cluster.pools[each.Name], Nodes: counts[each.Name], Target: cluster.target, SelectorError: n.selectors.Unparsable[each.Name],
		}
		if cluster.Partial {
			from.Nodes = withMissing(from.Nodes, from.Pool)
		}
		one := before[each.Name]
		if one.from != from {
			one = assessedPool{from: from, report: MachineConfigPool(from).Report}
		}
		n.pools[each.Name] = one
		result.Message.Reports = append(result.Message.Reports, one.report)
	}
}

// NodesTarget returns the name of the target that nodes are assessed for. It differs from that of the ClusterVersion if a
// MachineConfig is of a newer release than any in the history of the ClusterVersion: objects are watched independently, the
// ClusterVersion in the cache is then outdated, and reports about nodes should wait for it. Versions are those of the
// MachineConfigs; some may be empty.
func NodesTarget(clusterVersion *configv1.ClusterVersion, versions iter.Seq[string]) string {
	target := TargetOf(clusterVersion)
	newest, err := version.ParseSemantic(target.Version)
	if err != nil {
		return target.String()
	}
	name := target.String()
	for text := range versions {
		release, err := version.ParseSemantic(text)
		if err == nil && newest.LessThan(release) && !inHistory(clusterVersion, text) {
			newest, name = release, text+", ahead of the ClusterVersion"
		}
	}
	return name
}

func inHistory(clusterVersion *configv1.ClusterVersion, release string) bool {
	return slices.ContainsFunc(clusterVersion.Status.History, func(update configv1.UpdateHistory) bool { return update.Version == release })
}
