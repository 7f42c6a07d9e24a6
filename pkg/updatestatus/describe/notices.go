package describe

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// Notices returns why an update may not be trusted, and what is missing from it. They come first in every output.
func (o Options) Notices(u *update.Update) []string {
	notices := o.ownNotices()
	if unavailable := messageIfFalse(u.Conditions, updatev1alpha1.ConditionAvailable); unavailable != "" {
		notices = append(notices, "This may be outdated: "+insight.InSentence(OneLine(unavailable))+".")
	}
	for _, missing := range leftOut(u) {
		notices = append(notices, "Incomplete: "+insight.InSentence(OneLine(missing))+".")
	}
	return notices
}

// ownNotices returns the notices that don't come from the status.
func (o Options) ownNotices() []string {
	notices := slices.Clone(o.Instead)
	if o.Outdated != "" {
		notices = append(notices, "Outdated: "+OneLine(o.Outdated)+".")
	}
	for _, missing := range o.missing() {
		notices = append(notices, "Incomplete: "+insight.InSentence(OneLine(missing))+".")
	}
	return notices
}

// leftOut returns what the controller left out of the object, each once: alerts, and insights of the whole or, from an older
// controller, of its parts.
func leftOut(u *update.Update) []string {
	all := []string{messageIfFalse(u.Conditions, updatev1alpha1.ConditionAlertsComplete), truncation(u.Conditions), notRenewed(u.Conditions)}
	if all[1] == "" {
		all = append(all, truncation(u.ControlPlane.Conditions))
		for _, pool := range u.Pools {
			all = append(all, truncation(pool.Conditions))
		}
	}
	slices.Sort(all[1:])
	return slices.DeleteFunc(slices.Compact(all), func(message string) bool { return message == "" })
}

// notRenewed returns the message about trusted UpdateInformers that are not renewed, or can't be read, "" if there is none. What anybody can
// bring about, that others are not renewed or too many, is in the condition alone.
func notRenewed(conditions []metav1.Condition) string {
	one := meta.FindStatusCondition(conditions, updatev1alpha1.ConditionInformersReporting)
	if one == nil || one.Reason == updatev1alpha1.ReasonTooManyInformers || one.Reason == updatev1alpha1.ReasonUntrustedNotRenewed {
		return ""
	}
	return messageIfFalse(conditions, updatev1alpha1.ConditionInformersReporting)
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
