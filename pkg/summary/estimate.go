package summary

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/estimate"
)

// estimates are when the parts of the cluster, and all of it, are expected to be complete.
type estimates struct {
	controlPlane, whole *updatev1alpha1.SummaryEstimate
	pools               map[string]*updatev1alpha1.SummaryEstimate
	// missing says why there is none for all of it. It is empty if there is nothing to wait for.
	missing string
}

// estimateAll returns the estimates while an update is in progress.
func estimateAll(c *cluster, in Input, updating metav1.ConditionStatus) estimates {
	var made estimates
	if updating != metav1.ConditionTrue || c.version.StartedAt == nil {
		return made
	}
	made.controlPlane, made.pools = estimate.Update{
		Now: in.Now, History: in.History, Version: c.version, Versions: versionsOf(c.version), Operators: c.operators, Pools: c.poolNodes,
	}.Ranges()
	made.keep(in)
	made.setWhole(c)
	made.takeStalled(c)
	return made
}

// setWhole sets what is expected of everything, from its parts.
func (e *estimates) setWhole(c *cluster) {
	var parts []string
	add := func(part string, expected *updatev1alpha1.SummaryEstimate) {
		if expected == nil {
			parts = append(parts, part)
		} else {
			e.whole = later(e.whole, expected)
		}
	}
	if c.version.CompletedAt == nil {
		add("the control plane", e.controlPlane)
	}
	for _, one := range c.pools {
		if one.isUnfinished() && one.insight != nil {
			add("pool "+one.name, e.pools[one.name])
		}
	}
	if len(parts) > 0 {
		e.whole, e.missing = nil, shorten("none yet for "+strings.Join(parts, ", "))
	}
}

// takeStalled takes away the estimates of what waits for a node that stalls the update.
func (e *estimates) takeStalled(c *cluster) {
	stalled := c.firstStalled()
	if stalled == nil {
		return
	}
	node := stalled.Health.Scope.Resources[0].Name
	if e.whole != nil {
		e.whole, e.missing = nil, "node "+node+" holds up the update"
	}
	delete(e.pools, c.poolOf[node])
	if !slices.ContainsFunc(c.pools, func(one pool) bool { return one.name == c.poolOf[node] }) {
		e.controlPlane = nil
	}
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
		steady(e.controlPlane, in.Previous.ControlPlane.Estimate, in.Now)
	}
	for at := range in.Previous.WorkerPools {
		before := &in.Previous.WorkerPools[at]
		steady(e.pools[before.Name], before.Estimate, in.Now)
	}
}

// steadyShare is by how much of the time that is left an end must move to be worth telling.
const steadyShare = 0.05

// steady keeps an estimate whose ends have both hardly moved.
func steady(now, before *updatev1alpha1.SummaryEstimate, at time.Time) {
	if now == nil || before == nil || now.Basis != before.Basis {
		return
	}
	isSteady := func(now, before metav1.Time) bool {
		tolerance := max(estimate.Tolerance, time.Duration(steadyShare*float64(now.Sub(at))))
		return now.Sub(before.Time).Abs() < tolerance
	}
	if isSteady(now.Earliest, before.Earliest) && isSteady(now.Latest, before.Latest) {
		*now = *before.DeepCopy()
	}
}
