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
	if truncated != "" && !slices.Contains(c.truncations(), truncated) {
		p.blank()
		p.note(truncated)
	}
}

// truncations returns the messages about what the controller left out of each part.
func (c *cluster) truncations() []string {
	parts := []string{truncation(c.controlPlane.conditions)}
	for _, pool := range c.workerPools {
		parts = append(parts, truncation(pool.conditions))
	}
	return slices.DeleteFunc(parts, func(message string) bool { return message == "" })
}

// notesOf returns everything that the controller left out, each once.
func notesOf(c *cluster) []string {
	var notes []string
	missing, truncated := messageIfFalse(c.conditions, updatev1alpha1.ConditionAlertsComplete), truncation(c.conditions)
	for _, message := range append([]string{missing, truncated}, c.truncations()...) {
		if message = OneLine(message); message != "" && !slices.Contains(notes, message) {
			notes = append(notes, message)
		}
	}
	return notes
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
