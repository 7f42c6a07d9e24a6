package summary

import (
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// complete sets when everything was complete, and the version that everything runs. Only the moment at which the last node
// becomes complete is known; where that was not observed, the time stays unknown.
func complete(made *updatev1alpha1.UpdateStatusSummaryStatus, c *cluster, in Input) {
	sameUpdate := made.StartedAt.Equal(in.Previous.StartedAt)
	made.CompletedVersion = in.Previous.CompletedVersion
	if sameUpdate && in.Previous.CompletedAt != nil && insight.IsKnown(in.Previous.CompletedAt.Time, in.Now) {
		made.CompletedAt = in.Previous.CompletedAt.DeepCopy()
	}
	if !isComplete(made, c) {
		return
	}
	made.CompletedVersion = made.Versions.Target
	before := meta.FindStatusCondition(in.Previous.Conditions, updatev1alpha1.ConditionUpdating)
	if sameUpdate && made.CompletedAt == nil && before != nil && before.Reason != updatev1alpha1.ReasonCompleted {
		now := wholeSecond(in.Now)
		made.CompletedAt = &now
	}
}

// isComplete returns whether the control plane and every node run the target version.
func isComplete(made *updatev1alpha1.UpdateStatusSummaryStatus, c *cluster) bool {
	if c.version == nil || c.version.CompletedAt == nil || !meta.IsStatusConditionFalse(made.Conditions, updatev1alpha1.ConditionUpdating) {
		return false
	}
	// A pool of a hosted cluster can be complete with a version of its own.
	others := maps.Clone(c.versions)
	delete(others, made.Versions.Target)
	return len(others) == 0 && (made.Nodes == nil || made.Nodes.Completed == made.Nodes.Total)
}

func wholeSecond(at time.Time) metav1.Time {
	return metav1.NewTime(at.Truncate(time.Second))
}
