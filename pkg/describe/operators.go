package describe

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// reasonWidth bounds the reasons in the table of operators, which would push the messages out otherwise.
const reasonWidth = 20

// writeOperators writes what the updating operators say of themselves.
func writeOperators(p *page, cp *controlPlane) {
	if cp.complete() || !p.Details.include(DetailsOperators) || len(cp.updatingOperators()) == 0 {
		return
	}
	operators := newTable("NAME", "SINCE", "REASON", "MESSAGE")
	for _, operator := range cp.operators {
		updating := meta.FindStatusCondition(operator.Conditions, updatev1alpha1.ConditionUpdating)
		if updating == nil || updating.Status != metav1.ConditionTrue {
			continue
		}
		operators.add(operator.Name, since(&updating.LastTransitionTime, p.Now), reasonOf(operator), orDash(updating.Message))
	}
	p.blank()
	p.line("Updating Cluster Operators")
	p.table(operators, whole)
}

// reasonOf is the operator's own reason, which a condition of our own could not carry.
func reasonOf(operator *updatev1alpha1.ClusterOperatorInsight) string {
	reason := []rune(oneLine(operator.Reason))
	if len(reason) > reasonWidth {
		return string(reason[:reasonWidth-3]) + "..."
	}
	return orDash(string(reason))
}

// progressOf counts the operators by how far they are. Operators of which nothing can be said are counted only if there
// are any, since there hardly ever are.
func progressOf(operators []*updatev1alpha1.ClusterOperatorInsight) string {
	updated, updating, waiting, unknown := 0, 0, 0, 0
	for _, operator := range operators {
		condition := meta.FindStatusCondition(operator.Conditions, updatev1alpha1.ConditionUpdating)
		switch {
		case condition == nil || condition.Status == metav1.ConditionUnknown:
			unknown++
		case condition.Status == metav1.ConditionTrue:
			updating++
		case condition.Reason == updatev1alpha1.ReasonUpdated:
			updated++
		default:
			waiting++
		}
	}
	progress := fmt.Sprintf("%d operators updated, %d updating, %d waiting", updated, updating, waiting)
	if unknown > 0 {
		progress += fmt.Sprintf(", %d unknown", unknown)
	}
	return progress
}

// healthOf counts the operators by their health. An operator that does not say whether it is available is not taken as
// healthy.
func healthOf(operators []*updatev1alpha1.ClusterOperatorInsight) string {
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
