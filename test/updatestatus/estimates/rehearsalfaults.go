package main

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/rehearsal"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// fault is one that a cluster has before its update.
type fault struct {
	name string
	// script and change make it.
	script func(*simulator.Update)
	change func(*standalone.Input)
	// to is the version of the update, empty for the usual one.
	to string
	// reasons are those of insights that name it, and object is the name of an object that they are about.
	reasons []string
	object  string
}

var faultyNode = simulator.NodeName(poolName, 2)

// faults are those that are there before an update and can be seen.
var faults = []fault{
	{name: "a paused pool", script: func(u *simulator.Update) { u.Pools[1].Paused = true }, reasons: []string{"PoolPaused"}, object: poolName},
	{
		name: "a cordoned node", script: func(u *simulator.Update) { u.Cordoned = map[string]bool{faultyNode: true} },
		reasons: []string{"PoolNotStarting", "PoolSlowed"}, object: faultyNode,
	},
	{name: "a node that is not ready", script: func(u *simulator.Update) { u.Unready = map[string]bool{faultyNode: true} }, reasons: []string{"NodeNotReady"}, object: faultyNode},
	{name: "a degraded node", change: degradeNode, reasons: []string{insight.ReasonNodeDegraded}, object: faultyNode},
	{name: "a drain that is never allowed", change: func(in *standalone.Input) { guard(in, 0, 1) }, reasons: []string{"PoolWillNotDrain"}, object: "cart"},
	{name: "a drain that is not allowed now", change: func(in *standalone.Input) { guard(in, 1, 2) }, reasons: []string{"PoolWouldNotDrainNow"}, object: "cart"},
	{
		name: "a degraded operator", change: func(in *standalone.Input) { played.FailOperator(in, start.Add(-time.Hour), start) },
		reasons: []string{"ClusterOperatorDegraded"}, object: "image-registry",
	},
	{name: "not upgradeable", change: refuse, to: "4.21.0", reasons: []string{"UpdateWouldBeRefused"}, object: "version"},
}

// isNamed rehearses the update of a shape with the fault, and returns whether it is named.
func (f fault) isNamed(shape Shape, seed uint64) bool {
	script := shape.script(seed)
	if f.script != nil {
		f.script(&script)
	}
	in, to := clusterBefore(script), target
	if f.change != nil {
		f.change(&in)
	}
	if f.to != "" {
		to = f.to
	}
	said := rehearsal.Of(rehearsal.Input{Cluster: in, To: to, Now: start})
	for _, health := range said.Health {
		for _, resource := range health.Scope.Resources {
			if slices.Contains(f.reasons, health.Reason) && resource.Name == f.object {
				return true
			}
		}
	}
	return false
}

func degradeNode(in *standalone.Input) {
	in.Nodes = slices.Clone(in.Nodes)
	for at, node := range in.Nodes {
		if node.Name == faultyNode {
			in.Nodes[at] = node.DeepCopy()
			builders.State(builders.StateDegraded)(in.Nodes[at])
		}
	}
}

// guard adds a pod with a budget that allows some pods of a number to be unavailable, of which one is.
func guard(in *standalone.Input, mayBe, pods int32) {
	most := intstr.FromInt32(mayBe)
	budget := builders.Budget("shop", "cart", map[string]string{"app": "cart"}, builders.Disruptions(0, pods-mayBe, pods-mayBe, pods))
	budget.Spec.MaxUnavailable, budget.Spec.MinAvailable = &most, nil
	in.PodDisruptionBudgets = []*policyv1.PodDisruptionBudget{budget}
	in.Pods = []*corev1.Pod{builders.Pod("shop", "cart-1", builders.OnNode(faultyNode), builders.PodLabel("app", "cart"), builders.PodReady(corev1.ConditionTrue))}
}

func refuse(in *standalone.Input) {
	in.ClusterVersion.Status.Conditions = append(in.ClusterVersion.Status.Conditions, configv1.ClusterOperatorStatusCondition{
		Type: configv1.OperatorUpgradeable, Status: configv1.ConditionFalse, Reason: "AdminAckRequired", Message: "APIs are removed in 4.21.",
	})
}
