package describe

import (
	"fmt"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// operatorsIn returns how far the operators are, and the names of some that are being updated where those are given.
func operatorsIn(part *updatev1alpha1.ControlPlaneSummary, updating ...string) string {
	if part == nil || part.Operators.Total == 0 {
		return ""
	}
	counts := part.Operators
	return fmt.Sprintf("%d of %d updated%s", counts.Updated, counts.Total,
		others(count{counts.Updating, "updating" + inParentheses(updating)}, count{counts.Waiting, "waiting"}, count{counts.Unhealthy, "unhealthy"}))
}

// inParentheses returns the first names in parentheses, "" if there are none.
func inParentheses(names []string) string {
	const listed = 3
	switch {
	case len(names) == 0:
		return ""
	case len(names) > listed:
		return fmt.Sprintf(" (%s and %d more)", strings.Join(names[:listed], ", "), len(names)-listed)
	default:
		return " (" + strings.Join(names, ", ") + ")"
	}
}

// nodesIn returns how far the nodes are. Those of a hosted cluster are complete at the version of their pool, which may be asked for
// another one later: they are no part of the update of the control plane.
func nodesIn(s *updatev1alpha1.UpdateStatusSummaryStatus) string {
	counts := s.Nodes
	if counts == nil {
		return ""
	}
	text := fmt.Sprintf("%d of %d updated", counts.Completed, counts.Total)
	if counts.Completed == counts.Total && updatingOf(s).Reason == updatev1alpha1.ReasonControlPlane {
		text = fmt.Sprintf("%d, none is being updated", counts.Total)
	}
	return text + others(count{counts.Updating, "updating"}, count{counts.Pending, "pending"}, count{counts.Excluded, "in paused pools"},
		count{counts.Degraded, "degraded"}, count{counts.Unavailable, "unavailable"})
}

// count is a number of things.
type count struct {
	number int32
	what   string
}

// others returns the counts that are not zero, each after a comma.
func others(counts ...count) string {
	var text strings.Builder
	for _, one := range counts {
		if one.number > 0 {
			fmt.Fprintf(&text, ", %d %s", one.number, one.what)
		}
	}
	return text.String()
}
