package causes

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Insight is an insight with what is known about it beside the API.
type Insight struct {
	*updatev1alpha1.Insight

	// Informer is the name of the informer that has it.
	Informer string
	// Labels are, for an alert, the objects that its labels name, and for what a trusted UpdateInformer reports, those that it names.
	Labels []updatev1alpha1.ResourceRef
	// Kept are causes that were found before, and hold although their evidence can't be read at present.
	Kept []updatev1alpha1.HealthCause
	// InControlPlane is whether it is about a node of the control plane, and Advances whether it is about a pool whose nodes get on, or a node whose
	// update ended a few minutes ago.
	InControlPlane, Advances bool
}

// Ref returns what names the insight as a cause.
func (i Insight) Ref() updatev1alpha1.HealthCause {
	return updatev1alpha1.HealthCause{Informer: i.Informer, UID: i.UID}
}

// problem is a health insight.
type problem struct {
	Insight

	check assess.HealthCheck
	// object is what it is about, and objects are that and the PodDisruptionBudgets that it names.
	object  updatev1alpha1.ResourceRef
	objects []updatev1alpha1.ResourceRef
	// causes are those that are found, and passes is whether it passes by itself.
	causes []*problem
	passes bool
}

func newProblem(one Insight) *problem {
	p := &problem{Insight: one, check: checks.Of(one.UID)}
	if resources := one.Health.Scope.Resources; len(resources) > 0 {
		p.object = resources[0].ResourceRef
		p.objects = append([]updatev1alpha1.ResourceRef{p.object}, insight.BudgetsOf(one.Insight)...)
	}
	return p
}

// reported returns what a component reports of it, empty if none does.
func (p *problem) reported() updatev1alpha1.ComponentReport {
	if p.Health.Reported == nil {
		return updatev1alpha1.ComponentReport{}
	}
	return *p.Health.Reported
}

func (p *problem) level() int {
	return insight.LevelRank(p.Health.Impact.Level)
}

// isCausedBy returns whether another problem causes this one, directly or not, or is this one.
func (p *problem) isCausedBy(other *problem) bool {
	return p == other || slices.ContainsFunc(p.causes, func(cause *problem) bool { return cause.isCausedBy(other) })
}

// compareProblems orders by level, the worst first, then by start, unknown ones last.
func compareProblems(a, b *problem) int {
	return cmp.Or(-cmp.Compare(a.level(), b.level()), insight.CompareStarts(a.Health.StartedAt, b.Health.StartedAt),
		cmp.Compare(a.Informer, b.Informer), cmp.Compare(a.UID, b.UID))
}

// facts are what all insights say, by object.
type facts struct {
	problems []*problem
	// byObject are the problems by what they are about, and by the PodDisruptionBudgets that they name.
	byObject map[updatev1alpha1.ResourceRef][]*problem
	// explained are what trusted UpdateInformers report, by the objects that they name.
	explained map[updatev1alpha1.ResourceRef][]*problem
	operators map[string]*updatev1alpha1.ClusterOperatorInsight
	// waitingOn are the operators that the update waits for.
	waitingOn []string
	// components are those of a hosted control plane, which may be named like operators.
	components map[string]*updatev1alpha1.ClusterOperatorInsight
	pools      map[string]*updatev1alpha1.MachineConfigPoolInsight
	nodes      map[string]*updatev1alpha1.NodeInsight
	// poolOf is the name of the pool of each node.
	poolOf map[updatev1alpha1.ResourceRef]string
	// isInPlace is whether the nodes of a node pool are updated in place.
	isInPlace map[updatev1alpha1.ResourceRef]bool
	// controlPlane are the nodes of the control plane, and advancing the pools whose nodes get on.
	controlPlane map[updatev1alpha1.ResourceRef]bool
	advancing    map[string]bool
	// returned are the nodes whose update ended a few minutes ago.
	returned map[updatev1alpha1.ResourceRef]bool
}

func newFacts(all []Insight) *facts {
	f := &facts{
		byObject:   map[updatev1alpha1.ResourceRef][]*problem{},
		explained:  map[updatev1alpha1.ResourceRef][]*problem{},
		operators:  map[string]*updatev1alpha1.ClusterOperatorInsight{},
		components: map[string]*updatev1alpha1.ClusterOperatorInsight{},
		pools:      map[string]*updatev1alpha1.MachineConfigPoolInsight{},
		nodes:      map[string]*updatev1alpha1.NodeInsight{},
		poolOf:     map[updatev1alpha1.ResourceRef]string{},
		isInPlace:  map[updatev1alpha1.ResourceRef]bool{},

		controlPlane: map[updatev1alpha1.ResourceRef]bool{},
		advancing:    map[string]bool{},
		returned:     map[updatev1alpha1.ResourceRef]bool{},
	}
	for _, one := range all {
		switch pool := insight.PoolOf(one.Insight); {
		case one.ClusterVersion != nil:
			for _, waited := range one.ClusterVersion.WaitingOn {
				f.waitingOn = append(f.waitingOn, waited.Name)
			}
		case one.ClusterOperator != nil:
			f.operators[one.ClusterOperator.Name] = one.ClusterOperator
		case one.ControlPlaneComponent != nil:
			f.components[one.ControlPlaneComponent.Name] = one.ControlPlaneComponent
		case pool != nil:
			f.pools[pool.Name], f.advancing[pool.Name] = pool, one.Advances
			f.isInPlace[pool.Resource] = one.NodePool != nil && one.NodePool.UpgradeType == updatev1alpha1.UpgradeInPlace
		case one.Node != nil:
			f.nodes[one.Node.Name] = one.Node
			f.poolOf[one.Node.Resource] = one.Node.Pool
			f.controlPlane[one.Node.Resource], f.returned[one.Node.Resource] = one.InControlPlane, one.Advances
		case one.Health != nil:
			f.problems = append(f.problems, newProblem(one))
		}
	}
	// What is found must not depend on the order of arrival.
	slices.SortFunc(f.problems, compareProblems)
	for _, p := range f.problems {
		for _, object := range p.objects {
			f.byObject[object] = append(f.byObject[object], p)
		}
		if slices.Contains(informerReport.Checks, p.check.Name) {
			for _, object := range p.Labels {
				f.explained[object] = append(f.explained[object], p)
			}
		}
	}
	return f
}

// about returns the problems of some checks that are about an object.
func (f *facts) about(object updatev1alpha1.ResourceRef, checks ...string) []*problem {
	return slices.DeleteFunc(slices.Clone(f.byObject[object]), func(p *problem) bool {
		return p.object != object || !slices.Contains(checks, p.check.Name)
	})
}

// matching returns the problems of some checks whose object matches.
func (f *facts) matching(checks []string, matches func(object updatev1alpha1.ResourceRef) bool) []*problem {
	return slices.DeleteFunc(slices.Clone(f.problems), func(p *problem) bool {
		return !slices.Contains(checks, p.check.Name) || !matches(p.object)
	})
}

// isUnhealthy returns whether an operator is unavailable or degraded, if only since a moment ago, and what it says.
func isUnhealthy(operator *updatev1alpha1.ClusterOperatorInsight) (message string, unhealthy bool) {
	healthy := meta.FindStatusCondition(operator.Conditions, updatev1alpha1.ConditionHealthy)
	if healthy == nil || healthy.Status != metav1.ConditionFalse {
		return "", false
	}
	return healthy.Message, true
}

// isBehind returns whether a pool is behind: its own counts show that nodes are degraded, unavailable, drain or are paused, or it is
// degraded or stuck itself, which holds up the Machine Config Operator even if it has no nodes.
func (f *facts) isBehind(pool *updatev1alpha1.MachineConfigPoolInsight) bool {
	if len(f.about(pool.Resource, slices.Concat(degradedPool.Checks, notStartingPool.Checks)...)) > 0 {
		return true
	}
	counts := map[updatev1alpha1.NodeSummaryType]int32{}
	for _, one := range pool.Summaries {
		counts[one.Type] = one.Count
	}
	return counts[updatev1alpha1.NodesDegraded]+counts[updatev1alpha1.NodesDraining]+counts[updatev1alpha1.NodesExcluded] > 0 ||
		counts[updatev1alpha1.NodesAvailable] < counts[updatev1alpha1.NodesTotal]
}
