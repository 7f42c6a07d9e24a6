package source

import (
	"context"
	"fmt"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// drainsPatience is how long the first report waits for the blockers of long drains to be read: their insights in the object would be
// withdrawn otherwise, and reported again a moment later.
const drainsPatience = 15 * time.Second

// PreviouslyObserved returns what was observed according to the object that was in the cluster when the controller started.
type PreviouslyObserved func(context.Context) (assess.Observed, error)

// Nodes are the caches that the nodes and pools are assessed from. Their objects may be trimmed (standalone.Trim).
type Nodes struct {
	ClusterVersions    cache.SharedIndexInformer
	MachineConfigPools cache.SharedIndexInformer
	// MachineConfigs has metadata only (metav1.PartialObjectMetadata): a MachineConfig has hundreds of KiB.
	MachineConfigs cache.SharedIndexInformer
	Nodes          cache.SharedIndexInformer
	// MachineConfigNodes are those of the Nodes. A cluster may not have them, or not let them be read.
	MachineConfigNodes cache.SharedIndexInformer
	// ClusterOperators has machine-config, which updates the nodes.
	ClusterOperators cache.SharedIndexInformer
	// Drains requests to read what blocks the drains of nodes, and returns what was last read of each, nil before the first read, and
	// when to call it again.
	Drains             func(nodes []string, now time.Time) (map[string]*drain.Blockers, time.Time)
	PreviouslyObserved PreviouslyObserved

	assessed *standalone.Nodes
	// blockers are what Drains returned last.
	blockers map[string]*drain.Blockers
	// firstAt is when everything was first assessed, and hasReported whether that was reported.
	firstAt     time.Time
	hasReported bool
}

// Assess is an Assess.
func (n *Nodes) Assess(ctx context.Context, now time.Time) (insight.Message, time.Time, error) {
	if n.assessed == nil {
		observed, err := n.PreviouslyObserved(ctx)
		if err != nil {
			return insight.Message{}, time.Time{}, fmt.Errorf("reading since when nodes drain: %w", err)
		}
		n.assessed, n.firstAt = standalone.NewNodes(observed), now
	}
	in := n.input()
	result := n.assessed.Assess(in, now)
	blockers, again := n.Drains(result.LongDrains, now)
	if !maps.Equal(blockers, n.blockers) {
		n.blockers, in.Blockers = blockers, blockers
		result = n.assessed.Assess(in, now)
	}
	if patienceEnds := n.firstAt.Add(drainsPatience); !n.hasReported && n.awaitsDrains() && now.Before(patienceEnds) {
		return insight.Message{}, patienceEnds, nil
	}
	n.hasReported = true
	return result.Message, earliest(result.NextCheck, again), nil
}

func (n *Nodes) input() standalone.NodesInput {
	return standalone.NodesInput{
		ClusterVersion:     get[*configv1.ClusterVersion](n.ClusterVersions, standalone.ClusterVersionName),
		MachineConfigPools: list[*machineconfigv1.MachineConfigPool](n.MachineConfigPools),
		MachineConfigs:     list[*metav1.PartialObjectMetadata](n.MachineConfigs),
		Nodes:              list[*corev1.Node](n.Nodes),
		MachineConfigNodes: list[*machineconfigv1.MachineConfigNode](n.MachineConfigNodes),
		Blockers:           n.blockers,

		MachineConfigOperator: get[*configv1.ClusterOperator](n.ClusterOperators, controlplane.MachineConfigOperator),
	}
}

// awaitsDrains returns whether the blockers of a long drain have not been read yet.
func (n *Nodes) awaitsDrains() bool {
	for _, read := range n.blockers {
		if read == nil {
			return true
		}
	}
	return false
}

// earliest returns the earlier one of two times, of which each may be zero.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
