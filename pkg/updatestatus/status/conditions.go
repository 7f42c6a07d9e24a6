package status

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

// messageMaxLength bounds the messages of sources, in characters: the answer of a server can be of any length.
const messageMaxLength = 4096

// available returns the condition Available. A source that could not read the cluster comes before one that has not reported
// yet.
func available(view ledger.View) metav1.Condition {
	var reason string
	var messages, waiting, notes []string
	noted := updatev1alpha1.ReasonAsExpected
	for _, source := range insight.Watching() {
		state := view[source].State
		switch {
		case state == nil:
			waiting = append(waiting, string(source))
		case !state.Complete:
			if reason == "" {
				reason = state.Reason
			}
			messages = append(messages, string(source)+": "+state.Message)
		case state.Reason != "":
			noted = state.Reason
			notes = append(notes, state.Message)
		}
	}
	if len(waiting) > 0 {
		if reason == "" {
			reason = updatev1alpha1.ReasonWaitingForInformers
		}
		messages = append(messages, "Waiting for the first report of "+strings.Join(waiting, " and "))
	}
	if reason != "" {
		return condition(updatev1alpha1.ConditionAvailable, metav1.ConditionFalse, reason, insight.Shorten(strings.Join(messages, "; "), messageMaxLength))
	}
	return condition(updatev1alpha1.ConditionAvailable, metav1.ConditionTrue, noted, insight.Shorten(strings.Join(notes, "; "), messageMaxLength))
}

// incomplete returns the conditions about sources that add to the update: each is False while one lacks something.
// Until a source has reported, its condition is that of the previous status.
func incomplete(view ledger.View, before []metav1.Condition) []metav1.Condition {
	var conditions []metav1.Condition
	for _, one := range []struct {
		source    insight.Source
		condition string
	}{
		{insight.AlertInformer, updatev1alpha1.ConditionAlertsComplete},
		{insight.UpdateInformers, updatev1alpha1.ConditionInformersReporting},
	} {
		state := view[one.source].State
		if state == nil {
			if last := meta.FindStatusCondition(before, one.condition); last != nil {
				conditions = append(conditions, *last)
			}
			continue
		}
		now := condition(one.condition, metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected, "")
		if state.Reason != "" {
			now = condition(one.condition, metav1.ConditionFalse, state.Reason, insight.Shorten(state.Message, messageMaxLength))
		}
		conditions = append(conditions, now)
	}
	return conditions
}

// controlPlaneUpdating returns the condition Updating of the control plane: that of the ClusterVersion, with the number of health
// insights.
func controlPlaneUpdating(informers []updatev1alpha1.Informer) metav1.Condition {
	return withHealth(clusterVersionUpdating(informers), informers)
}

func clusterVersionUpdating(informers []updatev1alpha1.Informer) metav1.Condition {
	if version := versionIn(informers); version != nil {
		return updatingOf(version.Conditions, updatev1alpha1.ReasonCannotDetermineUpdating)
	}
	return condition(updatev1alpha1.ConditionUpdating, metav1.ConditionUnknown,
		updatev1alpha1.ReasonCannotDetermineUpdating, "The version of the cluster is unknown")
}

// poolUpdating returns the condition Updating of a pool: that of its insight, with the number of health insights.
func poolUpdating(informers []updatev1alpha1.Informer) metav1.Condition {
	return withHealth(machineConfigPoolUpdating(informers), informers)
}

func machineConfigPoolUpdating(informers []updatev1alpha1.Informer) metav1.Condition {
	for _, pool := range poolsIn(informers) {
		return updatingOf(pool.Conditions, updatev1alpha1.ReasonCannotDetermine)
	}
	return condition(updatev1alpha1.ConditionUpdating, metav1.ConditionUnknown,
		updatev1alpha1.ReasonCannotDetermine, "The state of the pool is unknown")
}

// withHealth adds the number of health insights and the worst level to the message of a condition: no path of a printer column
// can express that.
func withHealth(summary metav1.Condition, informers []updatev1alpha1.Informer) metav1.Condition {
	count, worst := 0, updatev1alpha1.HealthLevel("")
	for _, informer := range informers {
		for _, one := range informer.Insights {
			if one.Health != nil {
				count++
				if level := one.Health.Impact.Level; count == 1 || insight.LevelRank(level) > insight.LevelRank(worst) {
					worst = level
				}
			}
		}
	}
	if count == 0 {
		return summary
	}
	health := fmt.Sprintf("Health insights: %d, the worst of level %s", count, worst)
	if summary.Message != "" {
		health = summary.Message + ". " + health
	}
	summary.Message = health
	return summary
}

func updatingOf(conditions []metav1.Condition, unknown string) metav1.Condition {
	if updating := meta.FindStatusCondition(conditions, updatev1alpha1.ConditionUpdating); updating != nil {
		return *updating
	}
	return condition(updatev1alpha1.ConditionUpdating, metav1.ConditionUnknown, unknown, "")
}

// versionIn returns what the informers of the control plane say about its version, nil if there is nothing.
func versionIn(informers []updatev1alpha1.Informer) *updatev1alpha1.ClusterVersionInsight {
	for _, informer := range informers {
		for at := range informer.Insights {
			if version := insight.VersionOf(&informer.Insights[at]); version != nil {
				return version
			}
		}
	}
	return nil
}

func poolsIn(informers []updatev1alpha1.Informer) []*updatev1alpha1.MachineConfigPoolInsight {
	var pools []*updatev1alpha1.MachineConfigPoolInsight
	for _, informer := range informers {
		for at := range informer.Insights {
			if pool := insight.PoolOf(&informer.Insights[at]); pool != nil {
				pools = append(pools, pool)
			}
		}
	}
	return pools
}

func condition(kind string, status metav1.ConditionStatus, reason, message string) metav1.Condition {
	return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: message}
}
