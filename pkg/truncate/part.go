package truncate

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// part is a part of a status: the status itself, the control plane or a worker pool.
type part struct {
	// One of these is set.
	status       *updatev1alpha1.UpdateStatusStatus
	controlPlane *updatev1alpha1.ControlPlane
	pool         *updatev1alpha1.WorkerPool

	conditions *[]metav1.Condition
	informers  []updatev1alpha1.Informer
	// insights are those of each informer, in their order.
	insights [][]*placement
	// rejected are why the API server rejects insights of the part, which are left out.
	rejected []string
	// whole is the pool as a whole, nil for what is never left out.
	whole *placement
	// reserved are bytes for the condition InsightsComplete.
	reserved int
}

// placement is an insight in a part, or a worker pool as a whole.
type placement struct {
	// Item is that of the insight, nil for a pool.
	*Item

	part     *part
	priority insight.Priority
	hash     uint64
	// stored is whether the object before has it.
	stored bool
	// in is whether it stays.
	in bool
}

// size returns how many bytes it takes, with its texts cut to a limit.
func (p *placement) size(limit int) int {
	if p.Item == nil {
		return p.part.size(limit)
	}
	return len(p.at(limit).json) + len(",")
}

// stays is whether an insight, and its pool, stays.
func (p *placement) stays() bool {
	return p.in && (p.part.whole == nil || p.part.whole.in)
}

// staying returns those of the insights of an informer that stay.
func staying(insights []*placement) []*placement {
	if !slices.ContainsFunc(insights, func(one *placement) bool { return !one.in }) {
		return insights
	}
	return slices.DeleteFunc(slices.Clone(insights), func(one *placement) bool { return !one.in })
}

// partsOf returns the parts of a status. The first is the status itself.
func partsOf(status *updatev1alpha1.UpdateStatusStatus) []*part {
	parts := []*part{{status: status, conditions: &status.Conditions}}
	if status.ControlPlane != nil {
		parts = append(parts, &part{
			controlPlane: status.ControlPlane, conditions: &status.ControlPlane.Conditions, informers: status.ControlPlane.Informers,
		})
	}
	for at := range status.WorkerPools {
		pool := &status.WorkerPools[at]
		parts = append(parts, &part{pool: pool, conditions: &pool.Conditions, informers: pool.Informers})
	}
	return parts
}

// name returns the name of the pool, and a name that no pool has for the two others.
func (p *part) name() string {
	switch {
	case p.pool != nil:
		return p.pool.Name
	case p.controlPlane != nil:
		return "/"
	default:
		return ""
	}
}

// bare returns the part without its informers and parts.
func (p *part) bare(conditions []metav1.Condition) any {
	switch {
	case p.pool != nil:
		bare := *p.pool
		bare.Informers, bare.Conditions = nil, conditions
		return bare
	case p.controlPlane != nil:
		bare := *p.controlPlane
		bare.Informers, bare.Conditions = nil, conditions
		return bare
	default:
		return updatev1alpha1.UpdateStatusStatus{Conditions: conditions}
	}
}

// What managedFields take for each part, which grows with their number: a name for each item of a map, and a member for each
// field. Insights are atomic, and take nothing.
const (
	managedPart      = len(`"k:{\"name\":\"\"}":{".":{},"f:conditions":{".":{}},"f:informers":{".":{}},"f:name":{},"f:resource":{".":{},"f:group":{},"f:name":{},"f:resource":{}}},`)
	managedInformer  = len(`"k:{\"name\":\"\"}":{".":{},"f:insights":{},"f:name":{}},`)
	managedCondition = len(`"k:{\"type\":\"InsightsComplete\"}":{".":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},`)
	// listBytes is what a list takes beside its items.
	listBytes = len(`,"informers":[],`)
)

// size returns how many bytes the part takes without what may be left out of it, managedFields included, with its texts cut
// to a limit.
func (p *part) size(limit int) int {
	conditions := shortenConditions(*p.conditions, textLimits[limit])
	total := len(encode(p.bare(conditions))) + len(conditions)*managedCondition + managedPart + len(p.name()) + listBytes + p.reserved
	for at, informer := range p.informers {
		total += len(encode(updatev1alpha1.Informer{Name: informer.Name})) + managedInformer + len(informer.Name) + listBytes
		for _, one := range p.insights[at] {
			if one.kind.Priority == nil {
				total += one.size(limit)
			}
		}
	}
	return total
}

// priority returns that of the pool: the one that every cluster has, degraded ones, those that are not complete, complete ones.
func (p *part) priority() insight.Priority {
	for _, informer := range p.informers {
		for _, one := range informer.Insights {
			pool := one.MachineConfigPool
			switch {
			case pool == nil:
			case pool.Name == insight.DefaultWorkerPool:
				return insight.Priority{Class: 3}
			case pool.Assessment == updatev1alpha1.AssessmentDegraded:
				return insight.Priority{Class: 2}
			case pool.Assessment != updatev1alpha1.AssessmentCompleted:
				return insight.Priority{Class: 1}
			}
		}
	}
	return insight.Priority{}
}
