// Package reader reads sentences in all ways that are found, and in some that are none.
package reader

import (
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

var plural = regexp.MustCompile(" is ")

func isStuck(condition metav1.Condition) bool {
	return strings.HasPrefix(condition.Message, "Stuck") // found
}

func why(health *updatev1alpha1.HealthInsight) string {
	_, why, _ := strings.Cut(health.Impact.Summary, ": ") // found
	return why
}

func isAre(health *updatev1alpha1.HealthInsight) string {
	return plural.ReplaceAllString(health.Impact.Description, " are ") // found
}

func isSlow(summary updatev1alpha1.UpdateStatusSummaryStatus) bool {
	waiting := strings.ToLower(summary.WaitingFor)
	return strings.Contains(waiting, "slow") // found
}

func isShort(condition *metav1.Condition) bool {
	message, isTrue := condition.Message, condition.Status == metav1.ConditionTrue
	return isTrue && strings.TrimSuffix(message, ".") == "" // found
}

func reportsDrain(health *updatev1alpha1.HealthInsight) bool {
	return strings.Contains(health.Reported.Message, "drain")
}

func isKnown(condition metav1.Condition) bool {
	return strings.HasPrefix(condition.Reason, "Known") && condition.Message != ""
}

func isOther(err struct{ Message string }) bool {
	return strings.HasPrefix(err.Message, "other")
}
