package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// waitingFor returns what the update waits for: the operator that is being updated for the longest time, and the node that is,
// or does not drain. It is empty when the update waits for nothing.
func waitingFor(u *update.Update, now time.Time) string {
	var parts []string
	switch {
	case u.State == update.Requested:
		return shortenWaiting("The Cluster Version Operator to accept the update to " + requestedRelease(u))
	case u.State == update.NotAccepted:
		return shortenWaiting("An administrator: " + insight.InSentence(u.ControlPlane.Updating.Message))
	case u.State == update.Paused:
		return shortenWaiting("An administrator to resume " + poolList(poolNames(u, (*update.Pool).IsPaused)))
	case !u.State.IsUpdating():
		return ""
	}
	chain := blockingChain(u, now)
	isInChain := func(name string) bool {
		return name == controlplane.MachineConfigOperator && slices.Contains(chain, name)
	}
	if reported := u.ControlPlane.Version.Reported; reported != nil {
		parts = append(parts, "ClusterVersion version: "+reported.Message)
	}
	parts = append(parts, waitedOperators(u, isInChain, now)...)
	if chain != nil {
		parts = append(parts, strings.Join(chain, " → "))
	} else if node := longest(u.Nodes(), nodeSince, nodeName); node != nil {
		parts = append(parts, fmt.Sprintf("node %s, which has been %s%s", node.Name,
			strings.ToLower(string(node.State.Phase)), lasting(*node, now)))
	}
	return shortenWaiting(strings.Join(append(parts, poolMessages(u)...), "; "))
}

// poolMessages returns what the Machine Config Operator says of pools in particular that are not complete.
func poolMessages(u *update.Update) []string {
	var messages []string
	for _, one := range u.Pools {
		if one.Insight == nil || !one.HasNodes() || !one.IsUnfinished() {
			continue
		}
		if reported := one.Insight.Reported; reported != nil {
			messages = append(messages, fmt.Sprintf("pool %s: %s", one.Name, reported.Message))
		}
	}
	return messages
}

// operatorNoun returns what an operator is: a component of a hosted control plane counts as one.
func operatorNoun(operator update.Operator) string {
	if operator.Resource.Resource == "controlplanecomponents" {
		return "component"
	}
	return "ClusterOperator"
}

// blockingChain returns why a node stalls the update, and what that holds up: from the cause to the last effect. It is nil if no
// node does.
func blockingChain(u *update.Update, now time.Time) []string {
	first := firstStalled(u)
	if first == nil {
		return nil
	}
	if insight.StalledPool(first.Insight) != "" {
		return withMachineConfig(stalledPool(first.Insight, now), u, first)
	}
	node := first.Health.Scope.Resources[0].Name
	chain, since := whyStalled(first.Insight), first.Health.StartedAt
	switch {
	case len(chain) > 0 && since != nil:
		chain = append(chain, fmt.Sprintf("node %s has been draining for %s", node, age(since.Time, now)))
	case len(chain) > 0:
		chain = append(chain, "node "+node+" does not drain")
	default:
		chain = append(chain, insight.InSentence(first.Health.Impact.Summary)+forHowLong(first.Insight, now))
	}
	if pool := poolOf(u, node); pool != "" {
		chain = append(chain, "pool "+pool)
	}
	return withMachineConfig(chain, u, first)
}

// withMachineConfig returns a chain with machine-config at its end, if that is held up.
func withMachineConfig(chain []string, u *update.Update, stalled *causes.Insight) []string {
	if holdsUpMachineConfig(u, stalled) {
		return append(chain, controlplane.MachineConfigOperator)
	}
	return chain
}

// stalledPool returns that a pool is stuck, and what it waits for.
func stalledPool(one *updatev1alpha1.Insight, now time.Time) []string {
	return []string{insight.StalledBy(one) + forHowLong(one, now)}
}

// forHowLong returns for how long a health insight has been, nothing if that is not known: of one that started before it was first
// observed, at least since then.
func forHowLong(one *updatev1alpha1.Insight, now time.Time) string {
	since := one.Health.StartedAt
	switch {
	case since == nil:
		return ""
	case !checks.Of(one.UID).StartsWhenObserved:
		return ", for " + age(since.Time, now)
	case now.Sub(since.Time) < time.Minute:
		return ""
	default:
		return ", for at least " + age(since.Time, now)
	}
}

// whyStalled returns what blocks a drain, with the name of the PodDisruptionBudget or the pod that does; nothing if that is not
// known.
func whyStalled(one *updatev1alpha1.Insight) []string {
	why := checks.Of(one.UID).Blocker(one.Health)
	if why == "" {
		return nil
	}
	return []string{why}
}

// holdsUpMachineConfig returns whether what stalls the update is why machine-config fails, or is a node that it waits for: one
// of the control plane.
func holdsUpMachineConfig(u *update.Update, stalled *causes.Insight) bool {
	isOperator := func(one causes.Insight) bool {
		resources := one.Health.Scope.Resources
		return len(resources) > 0 && resources[0].Resource == "clusteroperators" && resources[0].Name == controlplane.MachineConfigOperator &&
			slices.Contains(one.Health.CausedBy, stalled.Ref())
	}
	isUpdating := func(operator update.Operator) bool {
		return operator.Name == controlplane.MachineConfigOperator && !operatorSince(operator).IsZero()
	}
	return slices.ContainsFunc(u.Health, isOperator) ||
		isOfControlPlane(stalled.Health.Scope.Type) && slices.ContainsFunc(u.ControlPlane.Operators, isUpdating)
}

// firstStalled returns the health insight that stalls the update, nil if none does: of the first problem that does, that of the object
// which the problem names first.
func firstStalled(u *update.Update) *causes.Insight {
	return firstStalledOf(u.Problems)
}

func firstStalledOf(groups []causes.Group) *causes.Insight {
	for _, group := range groups {
		members := slices.DeleteFunc(slices.Clone(group.Members), func(one causes.Insight) bool { return insight.StalledBy(one.Insight) == "" })
		if len(members) > 0 {
			first := slices.MinFunc(members, func(a, b causes.Insight) int { return cmp.Compare(objectOf(a), objectOf(b)) })
			return &first
		}
	}
	for _, group := range groups {
		if first := firstStalledOf(group.Consequences); first != nil {
			return first
		}
	}
	return nil
}

// objectOf returns the name of what a health insight is about.
func objectOf(one causes.Insight) string {
	return one.Health.Scope.Resources[0].Name
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
func operatorSince(operator update.Operator) time.Time {
	if operator.State.Progress == insight.OperatorUpdating {
		return operator.State.Since.Time
	}
	return time.Time{}
}

func operatorName(operator update.Operator) string { return operator.Name }

// poolOf returns the name of a node's pool, empty without such a node.
func poolOf(u *update.Update, name string) string {
	for _, node := range u.Nodes() {
		if node.Name == name {
			return node.Pool
		}
	}
	return ""
}

// nodeSince returns since when a node has been in its phase, or in its update if the phase has no start. It is zero if the node is not
// being updated.
func nodeSince(node update.Node) time.Time {
	if !node.State.Updating {
		return time.Time{}
	}
	if since := node.PhaseSince(); !since.IsZero() {
		return since
	}
	return updatingSince(node.Conditions)
}

// lasting returns for how long a node has been in its phase, nothing if that is not known or no minute.
func lasting(node update.Node, now time.Time) string {
	since := nodeSince(node)
	if now.Sub(since) < time.Minute {
		return ""
	}
	atLeast := ""
	if node.State.Phase == insight.PhaseRebooting && node.RebootStartedAt != nil && node.RebootStartedAt.Time.Equal(since) {
		atLeast = "at least "
	}
	return " for " + atLeast + age(since, now)
}

func nodeName(node update.Node) string { return node.Name }

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

// requestedRelease returns what was asked for.
func requestedRelease(u *update.Update) string {
	requested := u.ControlPlane.Version.Requested
	if requested == nil {
		return "another release"
	}
	return cmp.Or(requested.Version, requested.Image)
}

func shortenWaiting(text string) string {
	return insight.Shorten(insight.OneLine(text), updatev1alpha1.WaitingForMaxLength)
}

// isOfControlPlane returns whether a problem is about the control plane, or about no pool in particular.
func isOfControlPlane(scope updatev1alpha1.ScopeType) bool {
	return scope == updatev1alpha1.ScopeControlPlane || scope == updatev1alpha1.ScopeCluster
}
