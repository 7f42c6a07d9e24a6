package describe

import (
	"cmp"
	"fmt"
	"io"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
)

// summaryConditions are the conditions of a ClusterVersion about an update, in the order of the text.
var summaryConditions = []configv1.ClusterStatusConditionType{
	configv1.OperatorProgressing, "Failing", configv1.OperatorAvailable,
}

// WriteClusterVersion writes what a ClusterVersion reports about an update, for a cluster without an UpdateStatus.
func WriteClusterVersion(w io.Writer, version *configv1.ClusterVersion) error {
	page := &page{}
	page.line("= Cluster Version =")
	page.field("Desired Version", cmp.Or(version.Status.Desired.Version, unknownCell))
	if history := version.Status.History; len(history) > 0 {
		page.field("Update", updateOf(history[0]))
	}
	for _, kind := range summaryConditions {
		page.field(string(kind), conditionOf(version.Status.Conditions, kind))
	}
	return page.flush(w)
}

func updateOf(update configv1.UpdateHistory) string {
	if update.CompletionTime == nil {
		return fmt.Sprintf("to %s, %s since %s", update.Version, update.State, timeOf(update.StartedTime))
	}
	return fmt.Sprintf("to %s, %s at %s", update.Version, update.State, timeOf(*update.CompletionTime))
}

func conditionOf(conditions []configv1.ClusterOperatorStatusCondition, kind configv1.ClusterStatusConditionType) string {
	for _, condition := range conditions {
		if condition.Type != kind {
			continue
		}
		text := fmt.Sprintf("%s since %s", condition.Status, timeOf(condition.LastTransitionTime))
		if condition.Message != "" {
			text += ": " + condition.Message
		}
		return text
	}
	return "Unknown"
}

func timeOf(t metav1.Time) string {
	if t.IsZero() {
		return "an unknown time"
	}
	return t.UTC().Format(time.RFC3339)
}
