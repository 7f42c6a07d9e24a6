package summary

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// kstatusConditions returns Reconciling and Stalled, by which tools that know kstatus tell whether to wait, to fail or to go on. They are
// never both True: such a tool goes by the first of the list. Both are always there, as kstatus takes a condition that is absent for
// False, and `kubectl wait` waits for it. While False they have no message, since idle clusters are many and their summaries are written often.
func kstatusConditions(u *update.Update) []metav1.Condition {
	reconciling := metav1.Condition{Type: updatev1alpha1.ConditionReconciling, Status: metav1.ConditionFalse, Reason: string(u.State)}
	stalled := metav1.Condition{Type: updatev1alpha1.ConditionStalled, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonAsExpected}
	switch by, cause := u.Stalling(updatev1alpha1.LevelError); {
	case by != nil:
		reconciling.Reason = updatev1alpha1.ReasonStalled
		stalled.Status, stalled.Message = metav1.ConditionTrue, shorten(cause.Summary())
		stalled.Reason = cmp.Or(cause.Members[0].Health.Reason, updatev1alpha1.ReasonStalled)
		if since := by.Health.StartedAt; since != nil {
			stalled.LastTransitionTime = *since
		}
	case u.State.IsExpected():
		reconciling.Status, reconciling.Message = metav1.ConditionTrue, shorten(updatingMessage(u))
	}
	return []metav1.Condition{reconciling, stalled}
}
