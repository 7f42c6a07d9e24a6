package update

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Update is a status, read and counted.
type Update struct {
	// Conditions are those of the controller.
	Conditions []metav1.Condition
	// IsHosted is whether it is a hosted cluster.
	IsHosted     bool
	State        State
	ControlPlane ControlPlane
	// Pools are the worker pools.
	Pools []*Pool
	// PoolInsights are the insights about all pools, that of the control plane included.
	PoolInsights []*updatev1alpha1.MachineConfigPoolInsight
	// Health are all health insights, and Problems the same with what they cause below them, the worst first.
	Health   []causes.Insight
	Problems []causes.Group
}

// ControlPlane is what is updated first.
type ControlPlane struct {
	Conditions []metav1.Condition
	// Updating is the condition of the control plane, or else of the insight about its version, nil if neither has it.
	Updating *metav1.Condition
	// Version is nil if there is no insight about it.
	Version *updatev1alpha1.ClusterVersionInsight
	// Management and DataPlane are its two tracks in a hosted cluster, nil if they are not known.
	Management, DataPlane *updatev1alpha1.ControlPlaneTrack

	Operators []Operator
	// Pool is nil if there is no insight about it.
	Pool   *updatev1alpha1.MachineConfigPoolInsight
	Nodes  []Node
	Counts insight.NodeCounts
}

// Operator is an operator of the control plane.
type Operator struct {
	*updatev1alpha1.ClusterOperatorInsight

	State insight.OperatorState
}

// Read reads a status. Nodes that are listed by name are nodes as all others, without times.
func Read(status *updatev1alpha1.UpdateStatusStatus) *Update {
	status = insight.StatusWithListedNodes(status)
	u := &Update{Conditions: status.Conditions}
	if status.ControlPlane != nil {
		u.IsHosted = status.ControlPlane.Resource.Resource == "hostedclusters"
		u.readControlPlane(status.ControlPlane)
	}
	for at := range status.WorkerPools {
		u.readPool(&status.WorkerPools[at])
	}
	u.setTargets()
	u.Problems = causes.Tree(u.Health)
	u.setStalled()
	u.State = u.state()
	return u
}

// ReadAt reads a status without the times that can't be true at a moment, as it is shown to people.
func ReadAt(status *updatev1alpha1.UpdateStatusStatus, now time.Time) *Update {
	status = status.DeepCopy()
	insight.Renew(status)
	insight.DropUnknownTimes(status, now, metav1.Time{})
	return Read(status)
}

// stalledPool are the reasons of the health insights about a pool that makes no progress.
var stalledPool = []string{
	insight.ReasonPoolDegraded, insight.ReasonPoolNotStarting, insight.ReasonNodePoolRefused, insight.ReasonNodePoolNotStarting,
}

// setStalled tells pools why they make no progress.
func (u *Update) setStalled() {
	for _, one := range u.Health {
		resources := one.Health.Scope.Resources
		if len(resources) == 0 || !slices.Contains(stalledPool, one.Health.Reason) {
			continue
		}
		for _, pool := range u.Pools {
			if pool.Insight != nil && pool.Insight.Resource == resources[0].ResourceRef {
				pool.Stalled = cmp.Or(pool.Stalled, one.Insight)
			}
		}
	}
}

// StalledPools returns the names of the pools whose update is stalled by a health insight about the pool or one of its nodes, see
// insight.StalledBy.
func (u *Update) StalledPools() sets.Set[string] {
	pools := u.PoolOfNode()
	stalled := sets.New[string]()
	for _, one := range u.Health {
		if insight.StalledBy(one.Insight) == "" {
			continue
		}
		if pool := cmp.Or(insight.StalledPool(one.Insight), pools[insight.StalledNode(one.Insight)]); pool != "" {
			stalled.Insert(pool)
		}
	}
	return stalled
}

// Stalling returns the health insight of a level or worse that stalls the update, and the cause with which it is told, nil if none does: the
// first by the order of the causes. It is what Stalled means everywhere: at any level there is no estimate, from Error on the summary is
// Stalled.
func (u *Update) Stalling(level updatev1alpha1.HealthLevel) (by *causes.Insight, cause *causes.Group) {
	for at := range u.Problems {
		if first := u.stallingIn(u.Problems[at:at+1], level); first != nil {
			return first, &u.Problems[at]
		}
	}
	return nil, nil
}

// stallingIn returns the first health insight of causes and their consequences that stalls the update, of one cause that of the object
// which it names first.
func (u *Update) stallingIn(groups []causes.Group, level updatev1alpha1.HealthLevel) *causes.Insight {
	for _, group := range groups {
		for _, one := range group.Members {
			if insight.LevelRank(one.Health.Impact.Level) >= insight.LevelRank(level) && u.StalledBy(one.Insight) != "" {
				return &one
			}
		}
	}
	for _, group := range groups {
		if found := u.stallingIn(group.Consequences, level); found != nil {
			return found
		}
	}
	return nil
}

// StalledBy returns why a health insight stalls the update, as the end of a sentence, empty if it does not. What stalls the control plane
// counts until that is complete; another update that is refused besides stalls nothing.
func (u *Update) StalledBy(one *updatev1alpha1.Insight) string {
	if why := insight.StalledBy(one); why != "" {
		return why
	}
	isError := insight.IsError(one.Health.Impact.Level)
	isBeside := one.Health.Reason == insight.ReasonUpdateNotAccepted && u.State.IsUpdating()
	switch {
	case isError && one.Health.Impact.Type == updatev1alpha1.ImpactUpdateStalled && !isBeside:
		return cmp.Or(insight.StalledControlPlane(one), insight.InSentence(one.Health.Impact.Summary))
	case u.ControlPlane.HasCompleted():
		return ""
	default:
		return insight.StalledControlPlane(one)
	}
}

// IsWorkerPool returns whether a worker pool has a name.
func (u *Update) IsWorkerPool(name string) bool {
	return slices.ContainsFunc(u.Pools, func(pool *Pool) bool { return pool.Name == name })
}

// PoolOfNode returns the names of the pools by the names of their nodes.
func (u *Update) PoolOfNode() map[string]string {
	pools := map[string]string{}
	for _, node := range u.Nodes() {
		pools[node.Name] = node.Pool
	}
	return pools
}

func (u *Update) readControlPlane(part *updatev1alpha1.ControlPlane) {
	read := insight.Read(part.Informers)
	cp := ControlPlane{
		Conditions: part.Conditions, Version: read.Version, Management: read.Management, DataPlane: read.DataPlane,
		Pool: firstOf(read.Pools), Nodes: nodesOf(read.Nodes),
	}
	cp.Counts = countsOf(cp.Pool, cp.Nodes)
	cp.Updating = meta.FindStatusCondition(part.Conditions, updatev1alpha1.ConditionUpdating)
	if cp.Updating == nil && cp.Version != nil {
		cp.Updating = meta.FindStatusCondition(cp.Version.Conditions, updatev1alpha1.ConditionUpdating)
	}
	for _, one := range read.Operators {
		cp.Operators = append(cp.Operators, Operator{one, insight.OperatorStateOf(one)})
	}
	u.ControlPlane = cp
	u.add(read)
}

func (u *Update) readPool(part *updatev1alpha1.WorkerPool) {
	read := insight.Read(part.Informers)
	pool := &Pool{Name: part.Name, Conditions: part.Conditions, Insight: firstOf(read.Pools), Nodes: nodesOf(read.Nodes), target: read.PoolTarget}
	pool.Counts = countsOf(pool.Insight, pool.Nodes)
	u.Pools = append(u.Pools, pool)
	u.add(read)
}

func (u *Update) add(read insight.Contents) {
	u.PoolInsights = append(u.PoolInsights, read.Pools...)
	for _, one := range read.Health {
		u.Health = append(u.Health, causes.Insight{Insight: one.Insight, Informer: one.Informer})
	}
}

func firstOf(pools []*updatev1alpha1.MachineConfigPoolInsight) *updatev1alpha1.MachineConfigPoolInsight {
	if len(pools) == 0 {
		return nil
	}
	return pools[0]
}

// NeedAttention returns the problems that need an administrator, the worst first.
func (u *Update) NeedAttention() []causes.Group {
	return slices.DeleteFunc(slices.Clone(u.Problems), func(group causes.Group) bool { return !group.NeedsAttention() })
}

// Sorted returns everything in the order in which people want to see it: operators by name, nodes and health insights with the worst
// first, and the pool that every cluster has before the others.
func (u *Update) Sorted() *Update {
	sorted := *u
	cp := &sorted.ControlPlane
	cp.Operators = slices.SortedStableFunc(slices.Values(cp.Operators), func(a, b Operator) int { return cmp.Compare(a.Name, b.Name) })
	cp.Nodes = slices.SortedStableFunc(slices.Values(cp.Nodes), compareNodes)
	sorted.Pools = slices.SortedStableFunc(slices.Values(u.Pools), comparePools)
	for at, pool := range sorted.Pools {
		one := *pool
		one.Nodes = slices.SortedStableFunc(slices.Values(one.Nodes), compareNodes)
		sorted.Pools[at] = &one
	}
	sorted.Health = slices.SortedStableFunc(slices.Values(u.Health), compareHealth)
	return &sorted
}

// compareHealth orders health insights by level, the worst first, then by age, the newest first and those of unknown age last, then
// by summary.
func compareHealth(a, b causes.Insight) int {
	return cmp.Or(
		-cmp.Compare(insight.LevelRank(a.Health.Impact.Level), insight.LevelRank(b.Health.Impact.Level)),
		compareAge(a.Health.StartedAt, b.Health.StartedAt),
		strings.Compare(a.Health.Impact.Summary, b.Health.Impact.Summary),
	)
}

func compareAge(a, b *metav1.Time) int {
	switch {
	case a.IsZero() && b.IsZero():
		return 0
	case a.IsZero():
		return 1
	case b.IsZero():
		return -1
	default:
		return b.Compare(a.Time)
	}
}
