package record

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// isUpdate returns whether the newest change of the cluster's version is an update, and known: an installation is none.
func isUpdate(u *update.Update) bool {
	version := u.ControlPlane.Version
	return version != nil && version.StartedAt != nil && version.Versions.Target != nil && version.Versions.Previous != nil
}

// isComplete returns whether the control plane and every node run the target version. A node that has just joined does not count.
func isComplete(u *update.Update) bool {
	return u.State.IsOver() && u.AreAllUpdated() && u.ControlPlane.HasCompleted()
}

// isObserved returns whether a status is what the sources report now, and not what was left of one that they reported before.
func isObserved(u *update.Update) bool {
	available := meta.FindStatusCondition(u.Conditions, updatev1alpha1.ConditionAvailable)
	return available == nil || available.Status == metav1.ConditionTrue ||
		available.Reason == updatev1alpha1.ReasonRejected || available.Reason == updatev1alpha1.ReasonNotWritten
}
