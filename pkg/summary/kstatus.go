package summary

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/causes"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

// kstatusConditions returns Reconciling and Stalled, by which tools that know kstatus tell whether to wait, to fail or to go on. They are
// never both True: such a tool goes by the first of the list. Both are always there, as kstatus takes a condition that is absent for
// False, and `kubectl wait` waits for it. While False they have no message, since idle clusters are many and their summaries are written often.
func kstatusConditions(u *update.Update) []metav1.Condition {
	reconciling := metav1.Condition{Type: updatev1alpha1.ConditionReconciling, Status: metav1.ConditionFalse, Reason: string(u.State)}
	stalled := metav1.Condition{Type: updatev1alpha1.ConditionStalled, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonAsExpected}
	switch cause := stallingCause(u.Problems); {
	case cause != nil:
		reconciling.Reason = updatev1alpha1.ReasonStalled
		stalled.Status, stalled.Message = metav1.ConditionTrue, shorten(cause.Summary())
		stalled.Reason = cmp.Or(cause.Members[0].Health.Reason, updatev1alpha1.ReasonStalled)
	case u.State.IsExpected():
		reconciling.Status, reconciling.Message = metav1.ConditionTrue, shorten(updatingMessage(u))
	}
	return []metav1.Condition{reconciling, stalled}
}

// stallingCause returns the worst cause that stalls the update, nil if there is none.
func stallingCause(problems []causes.Group) *causes.Group {
	at := slices.IndexFunc(problems, func(group causes.Group) bool {
		return group.Members[0].Health.Impact.Type == updatev1alpha1.ImpactUpdateStalled &&
			insight.LevelRank(group.Level()) >= insight.LevelRank(updatev1alpha1.LevelError)
	})
	if at < 0 {
		return nil
	}
	return &problems[at]
}
