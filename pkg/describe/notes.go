package describe

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// writeNotes writes which alerts and insights the controller left out of the object. It repeats no note of a part.
func writeNotes(p *page, c *cluster) {
	if missing := messageIfFalse(c.conditions, updatev1alpha1.ConditionAlertsComplete); missing != "" {
		p.blank()
		p.note(missing)
	}
	truncated := truncation(c.conditions)
	isNoteOfPool := func(pool *workerPool) bool { return truncation(pool.conditions) == truncated }
	if truncated != "" && truncation(c.controlPlane.conditions) != truncated && !slices.ContainsFunc(c.workerPools, isNoteOfPool) {
		p.blank()
		p.note(truncated)
	}
}

// truncation returns the message about the insights that the controller left out of a part, "" if it left out none.
func truncation(conditions []metav1.Condition) string {
	return messageIfFalse(conditions, updatev1alpha1.ConditionInsightsComplete)
}

// messageIfFalse returns the message of a condition that is False, else "".
func messageIfFalse(conditions []metav1.Condition, conditionType string) string {
	condition := meta.FindStatusCondition(conditions, conditionType)
	if condition == nil || condition.Status != metav1.ConditionFalse {
		return ""
	}
	return messageOf(condition)
}

// messageOf returns the message of a condition, or its reason if it has none.
func messageOf(condition *metav1.Condition) string {
	if condition == nil {
		return "the controller has not reported it"
	}
	return cmp.Or(condition.Message, condition.Reason, "no reason given")
}
