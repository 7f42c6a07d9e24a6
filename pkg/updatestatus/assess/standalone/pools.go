package standalone

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// The pools that every cluster may have. All others are custom pools.
const (
	masterPool  = "master"
	arbiterPool = "arbiter"
	workerPool  = "worker"
)

// windows nodes are not managed by the Machine Config Operator.
const windows = "windows"

// Pools are the MachineConfigPools of a cluster with parsed node selectors.
type Pools struct {
	pools []selectingPool
	// Unparsable are the errors of the pools whose node selector cannot be parsed, by name. They match no node.
	Unparsable map[string]string
}

type selectingPool struct {
	pool     *machineconfigv1.MachineConfigPool
	selector labels.Selector
}

// NewPools parses the node selectors of pools. The order of the pools does not matter.
func NewPools(pools []*machineconfigv1.MachineConfigPool) Pools {
	var parsed Pools
	for _, pool := range pools {
		selector, err := metav1.LabelSelectorAsSelector(pool.Spec.NodeSelector)
		if err != nil {
			if parsed.Unparsable == nil {
				parsed.Unparsable = map[string]string{}
			}
			parsed.Unparsable[pool.Name] = err.Error()
			selector = labels.Nothing()
		}
		parsed.pools = append(parsed.pools, selectingPool{pool: pool, selector: selector})
	}
	slices.SortFunc(parsed.pools, func(a, b selectingPool) int { return strings.Compare(a.pool.Name, b.pool.Name) })
	return parsed
}

// with returns the same Pools if pools have the same names and node selectors, and new ones otherwise: parsing and matching the
// selectors of hundreds of pools takes long. The objects in the same Pools may be outdated in everything else.
func (p *Pools) with(pools []*machineconfigv1.MachineConfigPool) *Pools {
	byName := slices.SortedFunc(slices.Values(pools), func(a, b *machineconfigv1.MachineConfigPool) int { return strings.Compare(a.Name, b.Name) })
	isSame := func(parsed selectingPool, pool *machineconfigv1.MachineConfigPool) bool {
		return parsed.pool.Name == pool.Name && reflect.DeepEqual(parsed.pool.Spec.NodeSelector, pool.Spec.NodeSelector)
	}
	if slices.EqualFunc(p.pools, byName, isSame) {
		return p
	}
	parsed := NewPools(pools)
	return &parsed
}

// Membership is the pool that a node belongs to.
type Membership struct {
	// Pool is the pool, nil if the node belongs to none.
	Pool *machineconfigv1.MachineConfigPool
	// Custom are the names of the custom pools that match the node, sorted. More than one is a configuration error: the
	// Machine Config Operator refuses such a node.
	Custom []string
}

// Of returns the pool that a node belongs to by the rules of the Machine Config Operator: master takes precedence over all others, a custom
// pool over worker, and arbiter is like a custom pool (openshift/machine-config-operator, pkg/helpers/helpers.go, GetPoolsForNode). Of several
// custom pools the first by name is used.
func (p Pools) Of(node *corev1.Node) Membership {
	var membership Membership
	if node.Labels[corev1.LabelOSStable] == windows {
		return membership
	}
	var controlPlane, custom, worker *machineconfigv1.MachineConfigPool
	for _, candidate := range p.pools {
		// An empty selector matches no node, and not every node.
		if candidate.selector.Empty() || !candidate.selector.Matches(labels.Set(node.Labels)) {
			continue
		}
		switch candidate.pool.Name {
		case masterPool:
			controlPlane = candidate.pool
		case workerPool:
			worker = candidate.pool
		default:
			membership.Custom = append(membership.Custom, candidate.pool.Name)
			custom = cmp.Or(custom, candidate.pool)
		}
	}
	membership.Pool = cmp.Or(controlPlane, custom, worker)
	return membership
}

// PartOf returns the part of the cluster that a pool's nodes belong to.
func PartOf(pool string) insight.Part {
	if pool == masterPool || pool == arbiterPool {
		return insight.ControlPlane
	}
	return insight.Part{WorkerPool: pool}
}
