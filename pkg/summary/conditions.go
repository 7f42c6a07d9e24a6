package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/causes"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// messageLength bounds the messages of conditions, in characters.
const messageLength = 512

// updatingCondition returns whether the control plane or a worker pool is being updated. The update of the cluster goes on
// until every worker pool that has nodes is complete.
func updatingCondition(c *cluster) metav1.Condition {
	condition := metav1.Condition{Type: updatev1alpha1.ConditionUpdating}
	if c.updating == nil || c.version == nil || c.updating.Status == metav1.ConditionUnknown {
		condition.Status, condition.Reason = metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine
		condition.Message = "The version of the cluster is not known"
		if c.updating != nil && c.updating.Message != "" {
			condition.Message = shorten(c.updating.Message)
		}
		return condition
	}
	target := cmp.Or(versionsOf(c.version).Target, "a release of unknown version")
	controlPlane := c.updating.Status == metav1.ConditionTrue || c.masters.behind > 0
	underway := c.poolNames(func(one pool) bool { return one.nodes.Updating > 0 })
	lagging := c.poolNames(c.isLagging)
	waiting := c.poolNames(pool.isUnfinished)
	paused := c.poolNames(pool.isPaused)
	switch {
	case controlPlane && len(lagging) > 0:
		condition.Status, condition.Reason = metav1.ConditionTrue, updatev1alpha1.ReasonControlPlaneAndWorkers
		condition.Message = fmt.Sprintf("%s being updated to %s; %s still being updated to an earlier version",
			parts(without(underway, lagging)), target, areOf(lagging))
	case controlPlane && len(underway) > 0:
		condition.Status, condition.Reason = metav1.ConditionTrue, updatev1alpha1.ReasonControlPlaneAndWorkers
		condition.Message = fmt.Sprintf("%s being updated to %s", parts(underway), target)
	case controlPlane:
		condition.Status, condition.Reason = metav1.ConditionTrue, updatev1alpha1.ReasonControlPlane
		condition.Message = fmt.Sprintf("The control plane is being updated to %s", target)
	case len(waiting) > 0:
		condition.Status, condition.Reason = metav1.ConditionTrue, updatev1alpha1.ReasonWorkers
		condition.Message = fmt.Sprintf("The control plane runs %s, %s will", target, poolList(waiting))
	case len(paused) > 0:
		condition.Status, condition.Reason = metav1.ConditionFalse, updatev1alpha1.ReasonPaused
		condition.Message = fmt.Sprintf("Paused, and not updated to %s: %s", target, poolList(paused))
	case c.version.Versions.Previous == nil:
		condition.Status, condition.Reason = metav1.ConditionFalse, updatev1alpha1.ReasonNotUpdating
		condition.Message = "The cluster has not been updated since its installation"
	default:
		condition.Status, condition.Reason = metav1.ConditionFalse, updatev1alpha1.ReasonCompleted
		condition.Message = "The update to " + target + " is complete"
	}
	condition.Message = shorten(condition.Message)
	return condition
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

// needsAttention is True while there is a health insight of level Warning or higher that no other one causes.
func needsAttention(groups []causes.Group) metav1.Condition {
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
func available(status *updatev1alpha1.UpdateStatusStatus) metav1.Condition {
	if found := meta.FindStatusCondition(status.Conditions, updatev1alpha1.ConditionAvailable); found != nil {
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
