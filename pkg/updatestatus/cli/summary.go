package cli

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
)

// This file selects the summary of the update: the one that the controller wrote, or one that is made from the status.

// head returns the summary of the whole update.
func (observed *observation) head(now time.Time) *updatev1alpha1.UpdateStatusSummaryStatus {
	made := describe.Head(observed.update, now)
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
	if is == nil || is.Status != should.Status || is.Reason != should.Reason || written.Versions != made.Versions || !written.StartedAt.Equal(made.StartedAt) {
		return false
	}
	states := partStates(written)
	for part, state := range partStates(made) {
		// A summary does not list all of many pools.
		if writtenState, isListed := states[part]; isListed && writtenState != state {
			return false
		}
	}
	return true
}

// partStates returns the states of the parts in a summary that have one of their own, by their names in --for.
func partStates(s *updatev1alpha1.UpdateStatusSummaryStatus) map[string]string {
	states := map[string]string{}
	if cp := s.ControlPlane; cp != nil {
		for part, track := range map[string]*updatev1alpha1.ControlPlaneTrack{forManagement: cp.Management, forDataPlane: cp.DataPlane} {
			if track != nil {
				states[part] = string(track.State)
			}
		}
	}
	for _, pool := range s.WorkerPools {
		states[forPool+pool.Name] = string(pool.Assessment)
	}
	return states
}

// hasLateSummary returns whether the summary that the controller writes is not about the status so far. A summary without conditions was
// never written to.
func (observed *observation) hasLateSummary(now time.Time) bool {
	return observed.summary != nil && len(observed.summary.Status.Conditions) > 0 && observed.head(now) != &observed.summary.Status
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
