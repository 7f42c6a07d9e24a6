package summary

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// waitingFor returns what the update waits for: the operator that is being updated for the longest time, and the node that is,
// or does not drain. It is empty when the update waits for nothing.
func waitingFor(c *cluster, updating metav1.Condition, now time.Time) string {
	var parts []string
	switch {
	case updating.Reason == updatev1alpha1.ReasonPaused:
		return shortenWaiting("An administrator to resume " + poolList(c.poolNames(pool.isPaused)))
	case updating.Status != metav1.ConditionTrue:
		return ""
	}
	if operator := longest(c.operators, operatorSince, operatorName); operator != nil {
		parts = append(parts, fmt.Sprintf("ClusterOperator %s, which has been updating for %s", (*operator).Name, age(operatorSince(*operator), now)))
	}
	if node := waitingForNode(c, now); node != "" {
		parts = append(parts, node)
	}
	return shortenWaiting(strings.Join(parts, "; "))
}

// waitingForNode returns the node that is in the way: one with a problem that stalls the update, or else the one that is being
// updated for the longest time.
func waitingForNode(c *cluster, now time.Time) string {
	if first := c.firstStalled(); first != nil {
		text := strings.Replace(first.Health.Impact.Summary, "Node ", "node ", 1)
		var budgets []string
		for _, budget := range insight.BudgetsOf(first) {
			budgets = append(budgets, budget.Namespace+"/"+budget.Name)
		}
		if len(budgets) > 0 {
			text += " (" + strings.Join(budgets, ", ") + ")"
		}
		if first.Health.StartedAt != nil {
			text += ", for " + age(first.Health.StartedAt.Time, now)
		}
		return text
	}
	node := longest(c.updatingNodes, nodeSince, nodeName)
	if node == nil {
		return ""
	}
	return fmt.Sprintf("node %s, which has been %s for %s", (*node).Name,
		strings.ToLower(string(insight.StateOf(*node).Phase)), age(nodeSince(*node), now))
}

// firstStalled returns the health insight about a node that stalls the update for the longest time, nil if none does.
func (c *cluster) firstStalled() *updatev1alpha1.Insight {
	var first *updatev1alpha1.Insight
	for _, one := range c.health {
		resources := one.Health.Scope.Resources
		if one.Health.Impact.Type != updatev1alpha1.ImpactUpdateStalled || len(resources) == 0 || resources[0].Resource != "nodes" {
			continue
		}
		if first == nil || cmp.Or(compareStarts(one.Health.StartedAt, first.Health.StartedAt), cmp.Compare(one.UID, first.UID)) < 0 {
			first = one
		}
	}
	return first
}

// longest returns the item with the earliest time, of the same time the first by name, nil if none has a time.
func longest[T any](items []T, since func(T) time.Time, name func(T) string) *T {
	var found *T
	for at := range items {
		if since(items[at]).IsZero() {
			continue
		}
		if found == nil || cmp.Or(since(items[at]).Compare(since(*found)), cmp.Compare(name(items[at]), name(*found))) < 0 {
			found = &items[at]
		}
	}
	return found
}

// operatorSince returns since when an operator has been updating, zero if it is not.
func operatorSince(operator *updatev1alpha1.ClusterOperatorInsight) time.Time {
	return updatingSince(operator.Conditions)
}

func operatorName(operator *updatev1alpha1.ClusterOperatorInsight) string { return operator.Name }

// nodeSince returns since when a node has been in its phase, or in its update if the phase has no start.
func nodeSince(node *updatev1alpha1.NodeInsight) time.Time {
	phase := updatev1alpha1.NodeUpdatePhase(insight.StateOf(node).Phase)
	for _, one := range node.Phases {
		if one.Phase == phase {
			return one.StartedAt.Time
		}
	}
	return updatingSince(node.Conditions)
}

func nodeName(node *updatev1alpha1.NodeInsight) string { return node.Name }

func updatingSince(conditions []metav1.Condition) time.Time {
	updating := meta.FindStatusCondition(conditions, updatev1alpha1.ConditionUpdating)
	if updating == nil || updating.Status != metav1.ConditionTrue {
		return time.Time{}
	}
	return updating.LastTransitionTime.Time
}

// age returns for how long something has lasted, in minutes.
func age(since, now time.Time) string {
	lasted := now.Sub(since).Truncate(time.Minute)
	if lasted <= 0 {
		return "less than a minute"
	}
	return strings.TrimSuffix(lasted.String(), "0s")
}

func shortenWaiting(text string) string {
	return insight.Shorten(insight.OneLine(text), updatev1alpha1.WaitingForMaxLength)
}
