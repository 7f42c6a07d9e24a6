package standalone

import (
	"maps"
	"reflect"
	"strings"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Nodes assesses the nodes and pools of a cluster again and again. A node is assessed again only if something that it is assessed from is
// another object or value than the last time, or its next check is due: a change of one node of 5,000 costs some milliseconds. It also
// remembers since when nodes drain, and when a node of each pool was last being updated.
type Nodes struct {
	selectors *Pools
	nodes     map[string]assessedNode
	pools     map[string]observedPool
}

// NodesInput is what the nodes and pools of a cluster are assessed from. Objects must not be changed afterwards.
type NodesInput struct {
	ClusterVersion     *configv1.ClusterVersion
	MachineConfigPools []*machineconfigv1.MachineConfigPool
	MachineConfigs     []*metav1.PartialObjectMetadata
	Nodes              []*corev1.Node
	// MachineConfigNodes are those of the nodes, as far as there are some.
	MachineConfigNodes []*machineconfigv1.MachineConfigNode
	// CertificateRequests are those of kubelets, as far as they were read because a node is not ready (NodesResult.Certificates).
	CertificateRequests []*certificatesv1.CertificateSigningRequest
	// MachineConfigOperator is the ClusterOperator machine-config, nil if it is unknown.
	MachineConfigOperator *configv1.ClusterOperator
	// Blockers are what was read of the drains that take long (NodesResult.LongDrains), by node.
	Blockers map[string]*drain.Blockers
	// Snapshot is whether the objects are those of a moment: the start of a drain was not observed. Partial is
	// whether some may be missing.
	Snapshot, Partial bool
	// IsAhead is whether the update has not begun (Rehearse).
	IsAhead bool
}

// NodesResult is what all nodes and pools are assessed as.
type NodesResult struct {
	// Message is that of the source, which is complete.
	Message insight.Message
	// NextCheck is when the result changes without an event, zero if it does not.
	NextCheck time.Time
	// LongDrains are the nodes whose drains take long and have to be explained, with NodesInput.Blockers.
	LongDrains []string
	// Certificates is whether a node of a pool has not been ready for so long during an update that the requests of kubelets for certificates may
	// explain it, with NodesInput.CertificateRequests.
	Certificates bool
}

// assessedNode is how a node was last assessed.
type assessedNode struct {
	from nodeOrigin
	// membership is the pool that it has by selectors.
	membership Membership
	selectors  *Pools
	result     assess.Result
	member     PoolMember
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
	certificates                   pendingCertificates
	hasMigrated                    bool
}

// observedPool is a pool as it was last assessed, since when it could be updated, which is never earlier later on, and when a node of it was
// last observed being updated.
type observedPool struct {
	object             *machineconfigv1.MachineConfigPool
	turn, lastProgress time.Time
}

// NewNodes returns Nodes that start with what a process before has observed of drains.
func NewNodes(observed assess.Observed) *Nodes {
	n := &Nodes{selectors: &Pools{}, nodes: map[string]assessedNode{}, pools: map[string]observedPool{}}
	for name, at := range observed.PoolProgress {
		n.pools[name] = observedPool{lastProgress: at}
	}
	for name, since := range observed.Starts {
		n.nodes[name] = assessedNode{from: nodeOrigin{drain: DrainInput{Observed: since, FailedWith: observed.DrainFailures[name]}}}
	}
	return n
}

// Assess assesses all nodes and pools.
func (n *Nodes) Assess(in NodesInput, now time.Time) NodesResult {
	cluster := n.clusterOf(in, now)
	result := NodesResult{Message: insight.Message{Source: insight.NodeInformer, State: &insight.State{
		Complete: true, Target: NodesTarget(in.ClusterVersion, maps.Values(cluster.versions)),
	}}}
	if len(in.MachineConfigPools) == 0 {
		result.Message.State = NoMachineConfigPools()
	}
	before, members := n.nodes, map[string][]PoolMember{}
	n.nodes = make(map[string]assessedNode, len(in.Nodes))
	result.Message.Reports = make([]insight.Report, 0, len(in.Nodes)+len(in.MachineConfigPools))
	for _, node := range in.Nodes {
		one := n.assess(node, before[node.Name], cluster, now)
		n.nodes[node.Name] = one
		if one.membership.Pool == nil {
			continue
		}
		pool := one.membership.Pool.Name
		members[pool] = append(members[pool], one.member)
		result.Message.Reports = append(result.Message.Reports, one.result.Report)
		result.NextCheck = assess.Earliest(result.NextCheck, one.result.NextCheck)
		if one.result.LongDrain {
			result.LongDrains = append(result.LongDrains, node.Name)
		}
		isLong, next := isLongUnready(node, now)
		if !isLong {
			result.NextCheck = assess.Earliest(result.NextCheck, next)
		}
		result.Certificates = result.Certificates || isLong
	}
	n.assessPools(cluster, members, &result, now)
	result.Certificates = result.Certificates && isInProgress(in.ClusterVersion, result.Message.Reports)
	return result
}

// clusterContext is what every node is assessed with.
type clusterContext struct {
	NodesInput

	target Target
	// pools are the MachineConfigPools by name. One that has not changed is the object that was assessed last.
	pools map[string]*machineconfigv1.MachineConfigPool
	// versions are the release versions of MachineConfigs, which may be empty, and rendered when they were created.
	versions           map[string]string
	rendered           map[string]time.Time
	machineConfigNodes map[string]*machineconfigv1.MachineConfigNode
	certificates       map[string]pendingCertificates
	// updateStarted is when the newest update started, zero if that is not known.
	updateStarted time.Time
}

func (n *Nodes) clusterOf(in NodesInput, now time.Time) clusterContext {
	cluster := clusterContext{
		NodesInput: in, target: TargetOf(in.ClusterVersion),
		pools:              make(map[string]*machineconfigv1.MachineConfigPool, len(in.MachineConfigPools)),
		versions:           make(map[string]string, len(in.MachineConfigs)),
		rendered:           make(map[string]time.Time, len(in.MachineConfigs)),
		certificates:       certificatesByNode(in.CertificateRequests, now),
		machineConfigNodes: make(map[string]*machineconfigv1.MachineConfigNode, len(in.MachineConfigNodes)),
	}
	if in.ClusterVersion != nil && len(in.ClusterVersion.Status.History) > 0 {
		cluster.updateStarted = insight.KnownTime(in.ClusterVersion.Status.History[0].StartedTime.Time, now)
	}
	for _, config := range in.MachineConfigs {
		cluster.versions[config.Name] = config.Annotations[ReleaseVersionAnnotation]
		cluster.rendered[config.Name] = insight.KnownTime(config.CreationTimestamp.Time, now)
	}
	for _, one := range in.MachineConfigNodes {
		cluster.machineConfigNodes[one.Name] = one
	}
	for _, pool := range in.MachineConfigPools {
		if last := n.pools[pool.Name].object; last != nil && isSamePool(last, pool) {
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
		certificates: cluster.certificates[node.Name],
		hasMigrated:  cluster.hasMigrated(node.Annotations[nodestate.CurrentConfigAnnotation]),
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
		certificates: from.certificates, hasMigrated: from.hasMigrated,
		VersionOf: func(name string) string { return cluster.versions[name] },
	}
	if in.Drain.Observed.IsZero() && !cluster.Snapshot {
		in.Drain.Observed = now
	}
	result := Node(in, now)
	from.drain.Observed, from.drain.FailedWith = result.DrainObserved, result.DrainFailedWith
	return assessedNode{
		from: from, membership: membership, selectors: n.selectors, result: result,
		member: memberOf(nodestate.WithKnownTimes(node, now), from.pool.Spec.Configuration.Name, insight.StateOf(result.Report.Insights[0].Insight.Node)),
	}
}

// assessPools adds the reports of the pools.
func (n *Nodes) assessPools(cluster clusterContext, members map[string][]PoolMember, result *NodesResult, now time.Time) {
	before := n.pools
	n.pools = make(map[string]observedPool, len(cluster.pools))
	counts := make(map[string]insight.NodeCounts, len(members))
	for pool, nodes := range members {
		counts[pool] = countMembers(nodes)
	}
	if cluster.MachineConfigOperator != nil {
		cluster.MachineConfigOperator = controlplane.WithKnownTimes(cluster.MachineConfigOperator, now)
	}
	for _, each := range cluster.MachineConfigPools {
		in := cluster.poolInput(cluster.pools[each.Name], counts)
		in.Members, in.SelectorError = members[each.Name], n.selectors.Unparsable[each.Name]
		if each.Name == masterPool {
			in.Arbiters = members[arbiterPool]
		}
		if !in.Turn.IsZero() {
			in.Turn = assess.Later(in.Turn, before[each.Name].turn)
		}
		one := observedPool{object: in.Pool, turn: in.Turn, lastProgress: before[each.Name].lastProgress}
		if !cluster.Snapshot && (each.Spec.Paused || in.Nodes.Updating > 0 || in.Turn.IsZero() || one.lastProgress.IsZero() && in.Nodes.Completed > 0) {
			one.lastProgress = now
		}
		in.LastProgress = one.lastProgress
		n.pools[each.Name] = one
		assessed := MachineConfigPool(in, now)
		result.Message.Reports = append(result.Message.Reports, assessed.Report)
		result.NextCheck = assess.Earliest(result.NextCheck, assessed.NextCheck)
	}
}
