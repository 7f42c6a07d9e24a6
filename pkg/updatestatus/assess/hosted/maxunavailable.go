package hosted

import (
	"cmp"
	"math"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// maxConcurrent returns how many of the nodes are updated at a time, those that are added included: by default one. A percentage of
// nodes that are added is rounded up, one of nodes that may be unavailable down. Percentages are of the nodes that there should be:
// while some are replaced there are more.
func (p *nodePool) maxConcurrent(nodes int32) int32 {
	if p.inPlace {
		return p.maxConcurrentInPlace()
	}
	nodes = cmp.Or(p.replicas, nodes)
	replace := p.Spec.Management.Replace
	if replace == nil || replace.RollingUpdate == nil {
		return 1
	}
	return max(scaled(replace.RollingUpdate.MaxSurge, nodes, true, 1)+scaled(replace.RollingUpdate.MaxUnavailable, nodes, false, 0), 1)
}

// maxConcurrentInPlace returns what the MachineSet says, or else what HyperShift will write there: a percentage is of the replicas of the
// NodePool, which it has none of with autoscaling, and so one (openshift/hypershift: hypershift-operator/controllers/nodepool/capi.go,
// getInPlaceMaxUnavailable). Only nodes whose configuration is not the desired one use it up, also if others are unavailable
// (control-plane-operator/hostedclusterconfigoperator/controllers/inplaceupgrader/inplaceupgrader.go, getCapacity).
func (p *nodePool) maxConcurrentInPlace() int32 {
	if p.maxUnavailable > 0 {
		return int32(min(p.maxUnavailable, math.MaxInt32))
	}
	one := p.Spec.Management.InPlace
	if one == nil {
		return 1
	}
	return max(scaled(one.MaxUnavailable, *cmp.Or(p.Spec.Replicas, new(int32)), false, 1), 1)
}

// scaled returns a number, or a percentage of all nodes, and the default for one that is not set or not valid.
func scaled(value *intstr.IntOrString, all int32, up bool, byDefault int32) int32 {
	if value == nil {
		return byDefault
	}
	number, err := intstr.GetScaledValueFromIntOrPercent(value, int(all), up)
	if err != nil || number < 0 {
		return byDefault
	}
	return int32(number)
}
