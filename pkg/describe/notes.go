package describe

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

// writeNotes writes which alerts and insights the controller left out of the object. It repeats no note of a part.
func writeNotes(p *page, u *update.Update) {
	if missing := messageIfFalse(u.Conditions, updatev1alpha1.ConditionAlertsComplete); missing != "" {
		p.blank()
		p.note(missing)
	}
	truncated := truncation(u.Conditions)
	if truncated != "" && !slices.Contains(truncations(u), truncated) {
		p.blank()
		p.note(truncated)
	}
}

// truncations returns the messages about what the controller left out of each part.
func truncations(u *update.Update) []string {
	parts := []string{truncation(u.ControlPlane.Conditions)}
	for _, pool := range u.Pools {
		parts = append(parts, truncation(pool.Conditions))
	}
	return slices.DeleteFunc(parts, func(message string) bool { return message == "" })
}

// notesOf returns everything that the controller left out, each once.
func notesOf(u *update.Update) []string {
	var notes []string
	missing, truncated := messageIfFalse(u.Conditions, updatev1alpha1.ConditionAlertsComplete), truncation(u.Conditions)
	for _, message := range append([]string{missing, truncated}, truncations(u)...) {
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
