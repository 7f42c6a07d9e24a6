package describe

import (
	"cmp"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// took returns how long something took, "-" if that is not known.
func (c clock) took(duration *metav1.Duration) string {
	if duration == nil {
		return "-"
	}
	return c.rounded(duration.Duration)
}

// RecordTitle returns what a record is about, and how the update went, in one line or two.
func RecordTitle(record *updatev1alpha1.UpdateRecordStatus, now time.Time) []string {
	c := clock{now: now, days: true}
	title := fmt.Sprintf("Update %sto %s: %s", from(record.Versions.Previous), cmp.Or(record.Versions.Target, "an unknown version"), resultOf(record.Result))
	if record.StartedAt == nil {
		return []string{OneLine(title)}
	}
	line := "Started at " + record.StartedAt.UTC().Format(time.RFC3339)
	if record.Result == updatev1alpha1.ResultInProgress {
		line += fmt.Sprintf(", %s ago", c.since(record.StartedAt))
	}
	if record.Took.ControlPlane != nil {
		line += ", the control plane took " + c.took(record.Took.ControlPlane)
	}
	switch {
	case record.Took.Total != nil:
		line += ", the whole cluster " + c.took(record.Took.Total)
	case record.CompletedBy != nil:
		line += fmt.Sprintf(", the whole cluster at most %s", c.rounded(record.CompletedBy.Sub(record.StartedAt.Time)))
	case record.CompletedAt != nil:
		line += ", the next update started at " + record.CompletedAt.UTC().Format(time.RFC3339)
	}
	return []string{OneLine(title), line + "."}
}

// resultOf returns how an update ended, in words.
func resultOf(result updatev1alpha1.UpdateResult) string {
	switch result {
	case updatev1alpha1.ResultInProgress:
		return "in progress"
	case updatev1alpha1.ResultCompleted:
		return "completed"
	case updatev1alpha1.ResultPartial:
		return "completed in the control plane only"
	case updatev1alpha1.ResultSuperseded:
		return "superseded by the next update"
	default:
		return string(result)
	}
}
