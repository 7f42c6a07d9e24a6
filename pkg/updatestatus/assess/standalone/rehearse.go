package standalone

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

// This file assesses a cluster as if an update had just started: by the checks of an update, and those that look ahead (rehearsalChecks).

// ahead is how long nothing is as if it had happened since the nodes could be updated: long enough for each check of a pool to say why.
const ahead = time.Hour + time.Minute

// Rehearsal is a cluster in which an update has just started.
type Rehearsal struct {
	Messages []insight.Message
	// Pools are those with nodes, by name.
	Pools map[string]RehearsedPool
}

// RehearsedPool is what becomes of a pool. Its fields are those of a document for programs.
type RehearsedPool struct {
	// AtATime is how many of its nodes are updated at a time by its maxUnavailable, and Places how many are while others are unavailable: with none
	// left it does not start.
	AtATime  int32 `json:"atATime"`
	Places   int32 `json:"places"`
	IsPaused bool  `json:"isPaused,omitempty"`
	// BuildsImage is whether an image is built for its nodes first.
	BuildsImage bool `json:"buildsImage,omitempty"`
	// Order are the nodes that are updated, in the order in which the Machine Config Operator chooses them, which may change. Skipped are those
	// that it does not choose, and WillNotDrain those whose drain would be blocked.
	Order        []string `json:"order,omitempty"`
	Skipped      []string `json:"skipped,omitempty"`
	WillNotDrain []string `json:"willNotDrain,omitempty"`
}

// Rehearse assesses a whole cluster as if its update to a version started at a moment.
func Rehearse(in Input, version string, now time.Time) *Rehearsal {
	before := in.ClusterVersion
	in = in.started(version, now)
	cluster := NewCluster(assess.Observed{})
	cluster.isSnapshot, cluster.ahead = true, ahead
	rehearsal := &Rehearsal{Messages: cluster.Assess(in, now), Pools: map[string]RehearsedPool{}}
	reported := ledger.New()
	for _, message := range rehearsal.Messages {
		reported.Apply(message)
	}
	drains := in.drainsAhead(reported.View())
	never := drain.Ahead(drains)
	present := drain.AtPresent(drains, never, now)
	message := insight.Message{Source: insight.DrainInformer} // which looks ahead, too
	message.Reports = append(message.Reports, versionAhead(checkedAhead{ClusterVersion: before, to: version, singles: drain.Singles(drains)}))
	for at := range present {
		message.Reports = append(message.Reports, drainsNow(&present[at]))
	}
	rehearsal.Messages = append(rehearsal.Messages, message)
	for _, pool := range in.MachineConfigPools {
		if one := cluster.nodes.rehearsed(pool); len(one.Order)+len(one.Skipped) > 0 {
			one.WillNotDrain = blockedIn(pool.Name, never, present)
			rehearsal.Pools[pool.Name] = one
		}
	}
	return rehearsal
}

func blockedIn(pool string, predictions ...[]drain.Prediction) []string {
	var nodes []string
	for _, one := range slices.Concat(predictions...) {
		if one.Pool == pool {
			nodes = append(nodes, one.Nodes...)
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// started returns a cluster whose update has just started, and whose pools have a configuration of the new version.
func (in Input) started(version string, now time.Time) Input {
	since := metav1.NewTime(now)
	updating := in.ClusterVersion.DeepCopy()
	updating.Spec.DesiredUpdate, updating.Status.Desired = nil, configv1.Release{Version: version}
	updating.Status.History = slices.Insert(updating.Status.History, 0, configv1.UpdateHistory{State: configv1.PartialUpdate, StartedTime: since, Version: version})
	updating.Status.Conditions = append(slices.DeleteFunc(updating.Status.Conditions, func(one configv1.ClusterOperatorStatusCondition) bool {
		return one.Type == configv1.OperatorProgressing
	}), configv1.ClusterOperatorStatusCondition{Type: configv1.OperatorProgressing, Status: configv1.ConditionTrue, LastTransitionTime: since})
	in.ClusterVersion = updating
	pools := in.MachineConfigPools
	in.MachineConfigPools, in.MachineConfigs = nil, slices.Clone(in.MachineConfigs)
	for _, pool := range pools {
		pool = pool.DeepCopy()
		pool.Spec.Configuration.Name = "rehearsed-" + pool.Name
		in.MachineConfigPools = append(in.MachineConfigPools, pool)
		in.MachineConfigs = append(in.MachineConfigs, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Name: pool.Spec.Configuration.Name, CreationTimestamp: since, Annotations: map[string]string{ReleaseVersionAnnotation: version},
		}})
	}
	return in
}

// rehearsed returns what becomes of a pool that was assessed.
func (n *Nodes) rehearsed(pool *machineconfigv1.MachineConfigPool) RehearsedPool {
	var nodes []*corev1.Node
	checked := checkedPool{MachineConfigPoolInput: MachineConfigPoolInput{Pool: pool}}
	one := RehearsedPool{IsPaused: pool.Spec.Paused}
	for _, assessed := range n.nodes {
		if assessed.membership.Pool == nil || assessed.membership.Pool.Name != pool.Name {
			continue
		}
		checked.Members = append(checked.Members, assessed.member)
		if assessed.member.IsSkipped || assessed.member.State.Degraded {
			one.Skipped = append(one.Skipped, assessed.member.Name)
		} else if assessed.member.State.IsBehind() {
			nodes = append(nodes, assessed.from.node)
		}
	}
	slices.Sort(one.Skipped)
	checked.Nodes = countMembers(checked.Members)
	one.AtATime, one.Places, one.BuildsImage = maxUnavailable(pool, checked.Nodes.Total), int32(checked.places()), checked.isImageMode()
	for _, node := range inOrder(nodes) {
		one.Order = append(one.Order, node.Name)
	}
	return one
}

// inOrder returns nodes in the order in which they are updated: by zone, those without one last, then the oldest first
// (openshift/machine-config-operator, pkg/controller/node/node_controller.go, sortNodeList).
func inOrder(nodes []*corev1.Node) []*corev1.Node {
	return slices.SortedFunc(slices.Values(nodes), func(a, b *corev1.Node) int {
		zoneA, hasA := a.Labels[corev1.LabelTopologyZone]
		zoneB, hasB := b.Labels[corev1.LabelTopologyZone]
		switch {
		case hasA && !hasB:
			return -1
		case hasB && !hasA:
			return 1
		default:
			return cmp.Or(cmp.Compare(zoneA, zoneB), a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
		}
	})
}
