package builders

import (
	"bytes"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
)

// The releases of the update that every fleet is in the middle of.
const (
	Before = "4.20.1"
	Target = "4.20.2"
)

// Fleet is the shape of a cluster.
type Fleet struct {
	// Operators is the number of ClusterOperators. Every second one is updating, the others are updated.
	Operators int
	// Pools is the number of worker pools; with any node there is at least one. Every third one is paused.
	Pools int
	// Name begins the names of nodes.
	Name string
	// Nodes is how each worker is, in turns over the pools: c completed, p pending, d draining, u updating, r rebooting,
	// D degraded, ! not ready for long.
	Nodes []byte
	// Message is what an updating operator and a degraded or unready node say.
	Message string
}

// Large is a cluster as large as they come, in the middle of an update: 5,000 nodes. The benchmarks are about it.
func Large() *Fleet {
	return &Fleet{
		Operators: 33, Pools: 4, Name: "ip-10-0-128-7.ec2.internal", Message: "failed to drain node: a pod can't be evicted",
		Nodes: bytes.Repeat([]byte("ccccppppppppppppppdurD!pp"), 200),
	}
}

// Cluster returns the objects of the fleet.
func (f *Fleet) Cluster(now time.Time) standalone.Input {
	hourAgo := now.Add(-time.Hour)
	in := standalone.Input{
		ClusterVersion: ClusterVersion(Completed(Before, now.Add(-72*time.Hour), now.Add(-71*time.Hour)), Partial(Target, hourAgo)),
	}
	for at := range f.Operators {
		name := fmt.Sprintf("operator-%d", at)
		operator := ClusterOperator(name, Healthy(hourAgo), OperatorVersion(Target))
		if at%2 == 0 {
			operator = ClusterOperator(name, Healthy(hourAgo), OperatorVersion(Before),
				Progressing(hourAgo, "Syncing", f.Message))
		}
		in.ClusterOperators = append(in.ClusterOperators, operator)
	}
	for at := range f.pools() {
		options := []MachineConfigPoolOption{Configuration(config(poolName(at), Target))}
		if at%3 == 2 {
			options = append(options, Paused())
		}
		in.MachineConfigPools = append(in.MachineConfigPools, MachineConfigPool(poolName(at), options...))
		for _, version := range []string{Before, Target} {
			made := MachineConfig(config(poolName(at), version), version)
			in.MachineConfigs = append(in.MachineConfigs, &metav1.PartialObjectMetadata{ObjectMeta: made.ObjectMeta})
		}
	}
	for at := range f.Nodes {
		in.Nodes = append(in.Nodes, f.Node(at, now))
	}
	return in
}

// Node returns one of the nodes, as it is in Cluster.
func (f *Fleet) Node(at int, now time.Time) *corev1.Node {
	pool := poolName(at % f.pools())
	before, target := config(pool, Before), config(pool, Target)
	options := []NodeOption{Role("worker"), Role(pool)}
	switch f.Nodes[at] {
	case 'c':
		options = append(options, Configs(target, target))
	case 'd':
		options = append(options, Configs(before, target), Unschedulable(), Drain("drain-"+target, "uncordon-"+before))
	case 'u':
		options = append(options, Configs(before, target), State(StateWorking))
	case 'r':
		options = append(options, Configs(before, target), State(StateRebooting))
	case 'D':
		options = append(options, Configs(before, target), DegradedBecause(f.Message))
	case '!':
		options = append(options, Configs(before, before),
			NodeCondition(corev1.NodeReady, corev1.ConditionFalse, now.Add(-time.Hour), "KubeletNotReady", f.Message))
	default:
		options = append(options, Configs(before, before))
	}
	return Node(fmt.Sprintf("%s-%04d", f.Name, at), options...)
}

func (f *Fleet) pools() int {
	if len(f.Nodes) > 0 {
		return max(f.Pools, 1)
	}
	return f.Pools
}

func poolName(at int) string {
	if at == 0 {
		return "worker"
	}
	return fmt.Sprintf("pool-%03d", at)
}

func config(pool, version string) string {
	return "rendered-" + pool + "-" + version
}
