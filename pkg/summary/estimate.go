package summary

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// lateShare is how much longer than estimated an update may take, as a share of its whole duration: that of the estimate of
// the control plane.
const lateShare = 0.2

// estimateOf returns when the whole update is expected to be complete: when the last of its parts is. Without an estimate for
// each of them it returns why there is none.
func estimateOf(c *cluster, updating metav1.ConditionStatus) (estimate *updatev1alpha1.SummaryEstimate, missing string) {
	if updating != metav1.ConditionTrue || c.version.StartedAt == nil {
		return nil, ""
	}
	var parts []string
	var last metav1.Time
	add := func(part string, expected *metav1.Time) {
		if expected == nil {
			parts = append(parts, part)
		} else if expected.After(last.Time) {
			last = *expected
		}
	}
	if c.version.CompletedAt == nil {
		add("the control plane", c.version.EstimatedCompletedAt)
	}
	for _, one := range c.pools {
		if one.isUnfinished() && one.insight != nil {
			add("pool "+one.name, one.insight.EstimatedCompletedAt)
		}
	}
	switch {
	case len(parts) > 0:
		return nil, shorten("none yet for " + strings.Join(parts, ", "))
	case last.IsZero():
		return nil, ""
	}
	if stalled := c.firstStalled(); stalled != nil {
		return nil, "node " + stalled.Health.Scope.Resources[0].Name + " holds up the update"
	}
	late := last.Add(time.Duration(lateShare * float64(last.Sub(c.version.StartedAt.Time))))
	return &updatev1alpha1.SummaryEstimate{Earliest: last, Latest: wholeSecond(late), Basis: updatev1alpha1.BasisObserved}, ""
}
