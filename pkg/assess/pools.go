package assess

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// The pools that every cluster may have. All others are custom pools.
const (
	masterPool  = "master"
	arbiterPool = "arbiter"
	workerPool  = "worker"
)

// windows nodes are not the Machine Config Operator's.
const windows = "windows"

// Pools are a cluster's MachineConfigPools, ready to tell which of them a node belongs to.
type Pools struct {
	pools []selectingPool
	// Unparsable are the names of the pools whose node selector can't be parsed, and why. They match no node.
	Unparsable map[string]string
}

type selectingPool struct {
	pool     *machineconfigv1.MachineConfigPool
	selector labels.Selector
}

// NewPools parses the node selectors of pools. The order of the pools does not matter.
func NewPools(pools []*machineconfigv1.MachineConfigPool) Pools {
	var made Pools
	for _, pool := range pools {
		selector, err := metav1.LabelSelectorAsSelector(pool.Spec.NodeSelector)
		if err != nil {
			if made.Unparsable == nil {
				made.Unparsable = map[string]string{}
			}
			made.Unparsable[pool.Name] = err.Error()
			selector = labels.Nothing()
		}
		made.pools = append(made.pools, selectingPool{pool: pool, selector: selector})
	}
	slices.SortFunc(made.pools, func(a, b selectingPool) int { return strings.Compare(a.pool.Name, b.pool.Name) })
	return made
}

// Membership is the answer to which pool a node belongs to.
type Membership struct {
	// Pool is the pool, nil if the node belongs to none.
	Pool *machineconfigv1.MachineConfigPool
	// Custom are the names of the custom pools that match the node, sorted. More than one is a configuration error: the
	// Machine Config Operator refuses such a node.
	Custom []string
}

// Of returns the pool that a node belongs to, as the Machine Config Operator decides it: master and arbiter win over all
// others, a custom pool wins over worker. Of several custom pools the first by name is taken.
func (p Pools) Of(node *corev1.Node) Membership {
	var membership Membership
	if node.Labels[corev1.LabelOSStable] == windows {
		return membership
	}
	var controlPlane, custom, worker *machineconfigv1.MachineConfigPool
	for _, candidate := range p.pools {
		// A selector that selects nothing in particular matches nothing, and not everything.
		if candidate.selector.Empty() || !candidate.selector.Matches(labels.Set(node.Labels)) {
			continue
		}
		switch candidate.pool.Name {
		case masterPool:
			controlPlane = candidate.pool
		case arbiterPool:
			if controlPlane == nil {
				controlPlane = candidate.pool
			}
		case workerPool:
			worker = candidate.pool
		default:
			membership.Custom = append(membership.Custom, candidate.pool.Name)
			if custom == nil {
				custom = candidate.pool
			}
		}
	}
	for _, pool := range []*machineconfigv1.MachineConfigPool{controlPlane, custom, worker} {
		if pool != nil {
			membership.Pool = pool
			break
		}
	}
	return membership
}

// PartOf returns the part of the cluster that a pool's nodes belong to.
func PartOf(pool string) insight.Part {
	if pool == masterPool || pool == arbiterPool {
		return insight.ControlPlane
	}
	return insight.Part{WorkerPool: pool}
}
