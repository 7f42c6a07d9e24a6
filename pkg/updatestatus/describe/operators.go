package describe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// reasonWidth is the maximum width of a reason in the table, so that the messages stay visible.
const reasonWidth = 20

// writeOperators writes the reasons and messages of the operators that are updating.
func writeOperators(p *page, cp *update.ControlPlane) {
	if cp.HasCompleted() || !p.Details.include(DetailsOperators) || len(updatingOperators(cp)) == 0 {
		return
	}
	updating := slices.DeleteFunc(slices.Clone(cp.Operators), func(one update.Operator) bool { return one.State.Progress != insight.OperatorUpdating })
	p.blank()
	p.line("Updating Cluster Operators")
	p.table(tableOf(p, operatorColumns, inText, "", updating), p.widthToWrap())
}

// reasonOf returns the operator's own reason, which may be no valid reason for a condition of an insight.
func reasonOf(operator update.Operator) string {
	reason := []rune(OneLine(operator.Reason))
	if len(reason) > reasonWidth {
		return string(reason[:reasonWidth-3]) + "..."
	}
	return cmp.Or(string(reason), "-")
}

// progressOf returns the counts of operators by progress. Unknown operators, which are rare, are left out if there are none.
func progressOf(operators []update.Operator) string {
	counts := map[insight.OperatorProgress]int{}
	for _, operator := range operators {
		counts[operator.State.Progress]++
	}
	progress := fmt.Sprintf("%d operators updated, %d updating, %d waiting",
		counts[insight.OperatorUpdated], counts[insight.OperatorUpdating], counts[insight.OperatorWaiting])
	if unknown := counts[insight.OperatorUnknown]; unknown > 0 {
		progress += fmt.Sprintf(", %d unknown", unknown)
	}
	return progress
}

// healthOf returns the counts of operators by health. An operator without a condition counts as unavailable.
func healthOf(operators []update.Operator) string {
	healthy, unavailable, degraded := 0, 0, 0
	for _, operator := range operators {
		condition := meta.FindStatusCondition(operator.Conditions, updatev1alpha1.ConditionHealthy)
		switch {
		case condition != nil && condition.Status == metav1.ConditionTrue:
			healthy++
		case condition != nil && condition.Reason == updatev1alpha1.ReasonDegraded:
			degraded++
		default:
			unavailable++
		}
	}
	counts := []string{fmt.Sprintf("%d Healthy", healthy)}
	if unavailable > 0 {
		counts = append(counts, fmt.Sprintf("%d Unavailable", unavailable))
	}
	if degraded > 0 {
		counts = append(counts, fmt.Sprintf("%d Available but degraded", degraded))
	}
	return strings.Join(counts, ", ")
}
