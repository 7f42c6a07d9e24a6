package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// messageLength bounds the messages of conditions, in characters.
const messageLength = 512

// updatingCondition says what is being updated.
func updatingCondition(u *update.Update) metav1.Condition {
	condition := metav1.Condition{Type: updatev1alpha1.ConditionUpdating, Status: u.State.Status(), Reason: string(u.State)}
	condition.Message = shorten(updatingMessage(u))
	return condition
}

func updatingMessage(u *update.Update) string {
	if u.State == update.Unknown {
		if updating := u.ControlPlane.Updating; updating != nil && updating.Message != "" {
			return updating.Message
		}
		return "The version of the cluster is not known"
	}
	target := cmp.Or(versionsOf(u.ControlPlane.Version).Target, "a release of unknown version")
	updating := poolNames(u, func(one *update.Pool) bool { return one.Counts.Updating > 0 })
	lagging := poolNames(u, (*update.Pool).IsLagging)
	switch u.State {
	case update.UpdatingBoth:
		if len(lagging) > 0 {
			return fmt.Sprintf("%s being updated to %s; %s still being updated to an earlier version",
				parts(without(updating, lagging)), target, areOf(lagging))
		}
		return fmt.Sprintf("%s being updated to %s", parts(updating), target)
	case update.UpdatingControlPlane:
		return "The control plane is being updated to " + target
	case update.UpdatingWorkers:
		return fmt.Sprintf("The control plane is updated to %s; %s still updating", target, areOf(poolNames(u, (*update.Pool).IsUnfinished)))
	case update.Paused:
		return fmt.Sprintf("Paused before reaching %s: %s", target, poolList(poolNames(u, (*update.Pool).IsPaused)))
	case update.Requested, update.NotAccepted:
		return u.ControlPlane.Updating.Message
	case update.NotUpdating:
		return "The cluster has not been updated since its installation"
	default:
		return "The update to " + target + " is complete"
	}
}

// poolNames returns the names of the pools with nodes for which a function holds, in alphabetical order.
func poolNames(u *update.Update, holds func(*update.Pool) bool) []string {
	var names []string
	for _, one := range u.Pools {
		if one.HasNodes() && holds(one) {
			names = append(names, one.Name)
		}
	}
	slices.Sort(names)
	return names
}

// parts names the control plane and pools, with the verb.
func parts(pools []string) string {
	if len(pools) == 0 {
		return "The control plane is"
	}
	return "The control plane and " + poolList(pools) + " are"
}

// areOf names pools, with the verb.
func areOf(pools []string) string {
	if len(pools) == 1 {
		return poolList(pools) + " is"
	}
	return poolList(pools) + " are"
}

func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}

// poolList names pools: "pool worker", "pools a, b and 3 more".
func poolList(names []string) string {
	const named = 5
	switch {
	case len(names) == 1:
		return "pool " + names[0]
	case len(names) <= named:
		return "pools " + strings.Join(names, ", ")
	default:
		return fmt.Sprintf("pools %s and %d more", strings.Join(names[:named], ", "), len(names)-named)
	}
}

// upToDate returns whether nothing is left to update. Its message is empty: the reason is that of Updating, whose message says more.
func upToDate(result *updatev1alpha1.UpdateStatusSummaryStatus, u *update.Update) metav1.Condition {
	condition := metav1.Condition{Type: updatev1alpha1.ConditionUpToDate, Status: metav1.ConditionFalse, Reason: string(u.State)}
	switch {
	case u.State == update.Unknown:
		condition.Status = metav1.ConditionUnknown
	case !u.State.IsComplete():
	case runsTarget(result, u):
		condition.Status = metav1.ConditionTrue
	default:
		condition.Reason = updatev1alpha1.ReasonNodesDiffer
	}
	return condition
}

// attentionCondition is NeedsAttention: True while there is a health insight of level Warning or higher that no other one causes.
func attentionCondition(groups []causes.Group) metav1.Condition {
	condition := metav1.Condition{
		Type: updatev1alpha1.ConditionNeedsAttention, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonAsExpected,
	}
	if len(groups) == 0 {
		return condition
	}
	condition.Status, condition.Reason, condition.Message = metav1.ConditionTrue, string(groups[0].Level()), groups[0].Summary()
	if others := len(groups) - 1; others > 0 {
		condition.Message += fmt.Sprintf(", and %d more", others)
	}
	return condition
}

// available is the condition of the UpdateStatus: the controller itself.
func available(u *update.Update) metav1.Condition {
	if found := meta.FindStatusCondition(u.Conditions, updatev1alpha1.ConditionAvailable); found != nil {
		return *found
	}
	return metav1.Condition{
		Type: updatev1alpha1.ConditionAvailable, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonWaitingForInformers,
	}
}

// keepTimes gives conditions the time at which their status changed.
func keepTimes(conditions []metav1.Condition, in Input) []metav1.Condition {
	for at := range conditions {
		one := &conditions[at]
		if !one.LastTransitionTime.IsZero() {
			continue
		}
		one.LastTransitionTime = wholeSecond(in.Now)
		if before := meta.FindStatusCondition(in.Previous.Conditions, one.Type); before != nil && before.Status == one.Status && insight.IsKnown(before.LastTransitionTime.Time, in.Now) {
			one.LastTransitionTime = before.LastTransitionTime
		}
	}
	return conditions
}

func shorten(text string) string {
	return insight.Shorten(insight.OneLine(text), messageLength)
}
