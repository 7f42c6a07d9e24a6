package update

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// outdatedAfter is how long the ClusterVersion may be ahead of the UpdateStatus: the controller takes seconds, and clocks differ.
const outdatedAfter = 15 * time.Second

// Outdated returns why an UpdateStatus is outdated, empty if it is not: its ClusterVersion has started or completed an update
// since. That tells a controller that does not run, or is unable to write, from an idle cluster. It compares nothing with an
// UpdateStatus that has no insight about the ClusterVersion, no times that are not known (insight.IsKnown), and nothing that changed
// within fifteen seconds before now.
func Outdated(us *updatev1alpha1.UpdateStatus, version *configv1.ClusterVersion, now time.Time) string {
	shown := insight.ReadAll(&us.Status).Version
	if shown == nil || version == nil || len(version.Status.History) == 0 {
		return ""
	}
	newest := version.Status.History[0]
	if !insight.IsKnown(newest.StartedTime.Time, now) || newest.CompletionTime != nil && !insight.IsKnown(newest.CompletionTime.Time, now) {
		return ""
	}
	isOld := func(changed time.Time) bool { return now.Sub(changed) >= outdatedAfter }
	switch {
	case !shown.StartedAt.Equal(&newest.StartedTime):
		if isOld(newest.StartedTime.Time) {
			return fmt.Sprintf("ClusterVersion started the update to %s at %s", newest.Version, newest.StartedTime.UTC().Format(time.RFC3339))
		}
	case newest.CompletionTime != nil && shown.CompletedAt == nil:
		if isOld(newest.CompletionTime.Time) {
			return fmt.Sprintf("ClusterVersion completed the update to %s at %s", newest.Version, newest.CompletionTime.UTC().Format(time.RFC3339))
		}
	case newest.CompletionTime == nil && shown.CompletedAt != nil:
		return fmt.Sprintf("ClusterVersion has not completed the update to %s", newest.Version)
	}
	return ""
}

// WithSummary returns the conditions of a status and its summary together: that the status can't be written is in the summary alone, which
// may be nil.
func WithSummary(us *updatev1alpha1.UpdateStatus, summary *updatev1alpha1.UpdateStatusSummary) *updatev1alpha1.UpdateStatus {
	if summary == nil || meta.IsStatusConditionFalse(us.Status.Conditions, updatev1alpha1.ConditionAvailable) {
		return us
	}
	available := meta.FindStatusCondition(summary.Status.Conditions, updatev1alpha1.ConditionAvailable)
	if available == nil || available.Status != metav1.ConditionFalse {
		return us
	}
	together := *us
	together.Status.Conditions = []metav1.Condition{*available}
	for _, one := range us.Status.Conditions {
		if one.Type != available.Type {
			together.Status.Conditions = append(together.Status.Conditions, one)
		}
	}
	return &together
}

// How often the controller confirms a status that does not change. A management cluster may have a thousand hosted clusters, and most of them
// are idle.
const (
	heartbeat           = time.Minute
	idleHostedHeartbeat = 5 * time.Minute
)

// missedHeartbeats is how many of them must be missed until a status may be outdated.
const missedHeartbeats = 3

// Heartbeat returns how often a summary is confirmed: each minute, and every five minutes that of a hosted cluster that is not being updated.
func Heartbeat(summary *updatev1alpha1.UpdateStatusSummaryStatus, isHosted bool) time.Duration {
	updating := meta.FindStatusCondition(summary.Conditions, updatev1alpha1.ConditionUpdating)
	if !isHosted || updating == nil || !State(updating.Reason).IsComplete() {
		return heartbeat
	}
	return idleHostedHeartbeat
}

// Unconfirmed returns why an UpdateStatus may be outdated, empty if it is not: the summary beside it, which may be nil, was not
// confirmed for three heartbeats. That tells a controller that does not run from a cluster in which nothing happens.
func Unconfirmed(summary *updatev1alpha1.UpdateStatusSummary, isHosted bool, now time.Time) string {
	if summary == nil || summary.Status.ObservedAt == nil {
		return ""
	}
	confirmed := summary.Status.ObservedAt.Time
	if !insight.IsKnown(confirmed, now) || now.Sub(confirmed) < missedHeartbeats*Heartbeat(&summary.Status, isHosted) {
		return ""
	}
	return fmt.Sprintf("no controller has confirmed it since %s", confirmed.UTC().Format(time.RFC3339))
}
