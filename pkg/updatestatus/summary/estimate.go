package summary

import (
	"cmp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// estimates are when the parts of the cluster, and all of it, are expected to be complete.
type estimates struct {
	controlPlane, whole *updatev1alpha1.SummaryEstimate
	pools               map[string]*updatev1alpha1.SummaryEstimate
	// missing says why there is none for all of it. It is nil if there is nothing to wait for.
	missing *updatev1alpha1.MissingEstimate
	// uncertain says why it may take longer than that of others, empty if it may not.
	uncertain string
}

// estimateAll returns the estimates while an update is in progress.
func estimateAll(u *update.Update, in Input) estimates {
	var result estimates
	version := u.ControlPlane.Version
	if !u.State.IsUpdating() || version.StartedAt == nil {
		return result
	}
	result.controlPlane, result.pools = EstimateOf(u, in.History, in.Now).Ranges()
	result.widen(u, in.Now)
	result.keep(in)
	result.setWhole(u)
	result.clearStalled(u)
	return result
}

// EstimateOf returns what an update in progress is estimated from.
func EstimateOf(u *update.Update, history estimate.History, now time.Time) estimate.Update {
	version := u.ControlPlane.Version
	of := estimate.Update{Now: now, History: history, Version: version, Versions: versionsOf(version)}
	for _, one := range u.ControlPlane.Operators {
		of.Operators = append(of.Operators, one.ClusterOperatorInsight)
	}
	of.Pools = append(of.Pools, nodesInPool(u.ControlPlane.Pool, u.ControlPlane.Nodes)...)
	for _, one := range u.Pools {
		of.Pools = append(of.Pools, nodesInPool(one.Insight, one.Nodes)...)
	}
	return of
}

// nodesInPool returns a pool with its nodes, nothing if it has none.
func nodesInPool(pool *updatev1alpha1.MachineConfigPoolInsight, nodes []update.Node) []estimate.PoolNodes {
	if pool == nil || len(nodes) == 0 {
		return nil
	}
	of := estimate.PoolNodes{Insight: pool}
	for _, node := range nodes {
		if node.Pool == pool.Name {
			of.Nodes = append(of.Nodes, node.NodeInsight)
		}
	}
	return []estimate.PoolNodes{of}
}

// setWhole sets what is expected of everything, from its parts.
func (e *estimates) setWhole(u *update.Update) {
	var parts []string
	add := func(part string, expected *updatev1alpha1.SummaryEstimate) {
		if expected == nil {
			parts = append(parts, part)
		} else {
			e.whole = later(e.whole, expected)
		}
	}
	if u.ControlPlane.Version.CompletedAt == nil {
		add("the control plane", e.controlPlane)
	}
	for _, one := range u.Pools {
		// Of a status from which nodes are left out no pool is known well enough.
		if one.IsUnfinished() && one.Insight != nil && (len(one.Nodes) > 0 || one.Counts.Total == 0) {
			add("pool "+one.Name, e.pools[one.Name])
		}
	}
	if len(parts) > 0 {
		e.whole, e.missing = nil, estimate.Missing(updatev1alpha1.NoEstimateNotYet, strings.Join(parts, ", ")+haveNoEstimate(len(parts)))
	}
}

func haveNoEstimate(parts int) string {
	if parts == 1 {
		return " has no estimate yet"
	}
	return " have no estimate yet"
}

// clearStalled takes away the estimates of what is stalled.
func (e *estimates) clearStalled(u *update.Update) {
	stalled, _ := u.Stalling(updatev1alpha1.LevelInfo)
	if stalled == nil {
		return
	}
	if e.whole != nil || e.missing != nil {
		e.whole, e.missing = nil, estimate.Missing(updatev1alpha1.NoEstimateStalled, u.StalledBy(stalled.Insight))
	}
	if insight.StalledBy(stalled.Insight) == "" {
		e.controlPlane = nil
	}
	for pool := range u.StalledPools() {
		delete(e.pools, pool)
		if !u.IsWorkerPool(pool) {
			e.controlPlane = nil
		}
	}
	for _, one := range u.Health {
		if slices.Contains(holding, one.Health.Reason) && insight.StalledBy(one.Insight) != "" {
			e.controlPlane = nil
		}
	}
}

// holding are the reasons of the health insights with which a pool of workers is degraded: machine-config waits until none is
// (openshift/machine-config-operator, pkg/operator/sync.go, syncRequiredMachineConfigPools).
var holding = []string{insight.ReasonNodeDegraded, insight.ReasonPoolDegraded}

// uncertain are the reasons of the health insights with which an update may take longer than others did. They are warnings: with an error
// there is no estimate.
var uncertain = []string{
	insight.ReasonClusterVersionFailing, insight.ReasonOperatorSlow, insight.ReasonControlPlaneNoProgress, insight.ReasonClusterVersionOperatorSilent,
	insight.ReasonClusterVersionStatusFrozen, insight.ReasonClusterOperatorUnknown,
	insight.ReasonNodeNotReturned, insight.ReasonNodeNotBegun, insight.ReasonNodeUpdateSlow, insight.ReasonPoolNotStarting, insight.ReasonPoolSlowed,
	insight.ReasonHostedClusterFailing, insight.ReasonHostedNodeNotBegun, insight.ReasonNodePoolMachinesNotReady, insight.ReasonNodePoolNotStarting,
}

// uncertainLength bounds why an end is uncertain, in characters: the problem itself is told in full.
const uncertainLength = 100

// widen doubles the time until the latest end of what may take longer, and says why.
func (e *estimates) widen(u *update.Update, now time.Time) {
	pools, widened := u.PoolOfNode(), map[string]bool{}
	for _, group := range u.NeedAttention() {
		for _, one := range withConsequences(group) {
			if resources := one.Health.Scope.Resources; slices.Contains(uncertain, one.Health.Reason) && len(resources) > 0 {
				widened[cmp.Or(pools[resources[0].Name], resources[0].Name)] = true
				e.uncertain = cmp.Or(e.uncertain, insight.Shorten(group.Summary(), uncertainLength))
			}
		}
	}
	later := func(expected *updatev1alpha1.SummaryEstimate) {
		if expected != nil && expected.Latest.After(now) {
			expected.Latest = metav1.NewTime(expected.Latest.Add(expected.Latest.Sub(now)).Truncate(time.Second))
		}
	}
	for pool := range widened {
		if u.IsWorkerPool(pool) {
			later(e.pools[pool])
		} else {
			later(e.controlPlane)
		}
	}
}

// withConsequences returns the members of a cause, and what they cause.
func withConsequences(group causes.Group) []causes.Insight {
	all := slices.Clone(group.Members)
	for _, below := range group.Consequences {
		all = append(all, withConsequences(below)...)
	}
	return all
}

// later returns what is expected of two parts together: the end of the later one.
func later(a, b *updatev1alpha1.SummaryEstimate) *updatev1alpha1.SummaryEstimate {
	if a == nil {
		return b.DeepCopy()
	}
	last := a.DeepCopy()
	if b.Latest.After(a.Latest.Time) {
		last.Latest, last.Basis = b.Latest, b.Basis
	}
	if b.Earliest.After(a.Earliest.Time) {
		last.Earliest = b.Earliest
	}
	return last
}

// keep replaces estimates by those before that they hardly differ from.
func (e *estimates) keep(in Input) {
	if in.Previous.ControlPlane != nil {
		keepIfClose(e.controlPlane, in.Previous.ControlPlane.Estimate, in.Now)
	}
	for at := range in.Previous.WorkerPools {
		before := &in.Previous.WorkerPools[at]
		keepIfClose(e.pools[before.Name], before.Estimate, in.Now)
	}
}

// closeShare is by how much of the time that is left an end must move to be worth telling.
const closeShare = 0.05

// keepIfClose keeps an estimate whose ends have both hardly moved.
func keepIfClose(now, before *updatev1alpha1.SummaryEstimate, at time.Time) {
	if now == nil || before == nil || now.Basis != before.Basis {
		return
	}
	isClose := func(now, before metav1.Time) bool {
		tolerance := max(estimate.Tolerance, time.Duration(closeShare*float64(now.Sub(at))))
		return now.Sub(before.Time).Abs() < tolerance
	}
	if isClose(now.Earliest, before.Earliest) && isClose(now.Latest, before.Latest) {
		*now = *before.DeepCopy()
	}
}
