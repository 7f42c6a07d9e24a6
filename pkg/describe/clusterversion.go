package describe

import (
	"fmt"
	"io"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
)

// summaryConditions are the conditions of a ClusterVersion that tell of an update, in the order in which they are shown.
var summaryConditions = []configv1.ClusterStatusConditionType{
	configv1.OperatorProgressing, "Failing", configv1.OperatorAvailable,
}

// WriteClusterVersion writes what a ClusterVersion itself says of an update: all that there is in a cluster without an
// UpdateStatus.
func WriteClusterVersion(w io.Writer, version *configv1.ClusterVersion) error {
	page := &page{}
	page.line("= Cluster Version =")
	page.field("Desired Version", orUnknown(version.Status.Desired.Version))
	if history := version.Status.History; len(history) > 0 {
		page.field("Update", updateOf(history[0]))
	}
	for _, kind := range summaryConditions {
		page.field(string(kind), saidOf(version.Status.Conditions, kind))
	}
	if _, err := io.WriteString(w, page.text.String()); err != nil {
		return fmt.Errorf("writing what the ClusterVersion says: %w", err)
	}
	return nil
}

func updateOf(update configv1.UpdateHistory) string {
	if update.CompletionTime == nil {
		return fmt.Sprintf("to %s, %s since %s", update.Version, update.State, timeOf(update.StartedTime))
	}
	return fmt.Sprintf("to %s, %s at %s", update.Version, update.State, timeOf(*update.CompletionTime))
}

func saidOf(conditions []configv1.ClusterOperatorStatusCondition, kind configv1.ClusterStatusConditionType) string {
	at := slices.IndexFunc(conditions, func(one configv1.ClusterOperatorStatusCondition) bool { return one.Type == kind })
	if at < 0 {
		return "Unknown"
	}
	said := fmt.Sprintf("%s since %s", conditions[at].Status, timeOf(conditions[at].LastTransitionTime))
	if message := conditions[at].Message; message != "" {
		said += ": " + message
	}
	return said
}

func timeOf(moment metav1.Time) string {
	if moment.IsZero() {
		return "an unknown time"
	}
	return moment.UTC().Format(time.RFC3339)
}
