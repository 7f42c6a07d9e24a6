package summary

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// complete sets when everything was complete, and the version that everything runs. Only the moment at which the last node
// becomes complete is known; where that was not observed, the time stays unknown.
func complete(result *updatev1alpha1.UpdateStatusSummaryStatus, u *update.Update, in Input) {
	sameUpdate := result.StartedAt.Equal(in.Previous.StartedAt)
	result.CompletedVersion = in.Previous.CompletedVersion
	if sameUpdate && in.Previous.CompletedAt != nil && insight.IsKnown(in.Previous.CompletedAt.Time, in.Now) {
		result.CompletedAt = in.Previous.CompletedAt.DeepCopy()
	}
	if !runsTarget(result, u) {
		return
	}
	result.CompletedVersion = result.Versions.Target
	before := meta.FindStatusCondition(in.Previous.Conditions, updatev1alpha1.ConditionUpdating)
	if sameUpdate && result.CompletedAt == nil && before != nil && !update.State(before.Reason).IsOver() {
		now := wholeSecond(in.Now)
		result.CompletedAt = &now
	}
}

// runsTarget returns whether the control plane and every node run the target version. A pool of a hosted cluster can be complete with
// a version of its own, and a node that has just joined has none yet.
func runsTarget(result *updatev1alpha1.UpdateStatusSummaryStatus, u *update.Update) bool {
	if !u.AreAllUpdated() || u.ControlPlane.Version.CompletedAt == nil {
		return false
	}
	isAnother := func(node update.Node) bool { return node.Version != "" && node.Version != result.Versions.Target }
	counts := u.Counts()
	return counts.Completed == counts.Total && !slices.ContainsFunc(u.Nodes(), isAnother)
}

func wholeSecond(at time.Time) metav1.Time {
	return metav1.NewTime(at.Truncate(time.Second))
}
