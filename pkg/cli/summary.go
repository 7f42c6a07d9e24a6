package cli

import (
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
)

// This file selects the summary of the update: the one that the controller wrote, or one that is made from the status.

// head returns the summary of the whole update.
func (observed *observation) head(now time.Time) *updatev1alpha1.UpdateStatusSummaryStatus {
	made := describe.Head(observed.updateStatus, now)
	if observed.isSummaryOf(made) {
		return &observed.summary.Status
	}
	return made
}

// isSummaryOf returns whether the controller wrote a summary that is about the same update, in the same state, as the one that is made from
// the status: it writes the summary after the status, and files may have them from different moments. Only the one that it wrote has estimates
// from earlier updates.
func (observed *observation) isSummaryOf(made *updatev1alpha1.UpdateStatusSummaryStatus) bool {
	if observed.summary == nil {
		return false
	}
	written := &observed.summary.Status
	is := meta.FindStatusCondition(written.Conditions, updatev1alpha1.ConditionUpdating)
	should := meta.FindStatusCondition(made.Conditions, updatev1alpha1.ConditionUpdating)
	return is != nil && is.Status == should.Status && is.Reason == should.Reason &&
		written.Versions == made.Versions && written.StartedAt.Equal(made.StartedAt)
}

// summaryObject returns the object with the summary that head returns.
func (observed *observation) summaryObject(now time.Time) runtime.Object {
	kind := observed.target.summaryKind()
	head := observed.head(now)
	if observed.wholeSummary != nil && head == &observed.summary.Status {
		// An element of a list in a file may have no kind.
		whole := observed.wholeSummary.DeepCopy()
		whole.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind(kind))
		return whole
	}
	// The types of the two kinds are alike.
	return &updatev1alpha1.UpdateStatusSummary{
		TypeMeta:   typeOf(kind),
		ObjectMeta: metav1.ObjectMeta{Namespace: observed.target.hosted.Namespace, Name: observed.target.name()},
		Status:     *head,
	}
}

// hasNewSummary returns whether two observations have summaries that differ in more than when the controller confirmed them.
func hasNewSummary(before, after *observation) bool {
	if before.summary == nil || after.summary == nil {
		return before.summary != after.summary
	}
	was, is := before.summary.Status, after.summary.Status
	was.ObservedAt, is.ObservedAt = nil, nil
	return !equality.Semantic.DeepEqual(was, is)
}
