package summary

import (
	"fmt"
	"slices"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

// waitedShown is how many of the operators that an update waits for are named.
const waitedShown = 3

// waitedOperators returns the operators that the Cluster Version Operator says it waits for. Where it names none, these are an object that it
// can't apply, or the operator that has been updating for the longest time.
func waitedOperators(u *update.Update, isInChain func(update.Operator) bool, now time.Time) []string {
	started := u.ControlPlane.Version.StartedAt
	since := func(operator update.Operator) time.Time {
		if at := operatorSince(operator); started == nil || at.IsZero() || at.After(started.Time) {
			return at
		}
		return started.Time // the condition may be older than the update
	}
	var parts []string
	for _, waited := range u.ControlPlane.Version.WaitingOn {
		at := slices.IndexFunc(u.ControlPlane.Operators, func(operator update.Operator) bool { return operator.Name == waited.Name })
		if at < 0 || isInChain(u.ControlPlane.Operators[at]) {
			continue
		}
		operator := u.ControlPlane.Operators[at]
		switch {
		case len(parts) == waitedShown:
			return append(parts, fmt.Sprintf("and %d more", len(u.ControlPlane.Version.WaitingOn)-waitedShown))
		case !since(operator).IsZero():
			parts = append(parts, fmt.Sprintf("%s %s, which has been updating for %s", operatorNoun(operator), operator.Name, age(since(operator), now)))
		case waited.Since != nil:
			parts = append(parts, fmt.Sprintf("%s %s, for %s", operatorNoun(operator), operator.Name, age(waited.Since.Time, now)))
		default:
			parts = append(parts, operatorNoun(operator)+" "+operator.Name)
		}
	}
	if len(parts) > 0 {
		return parts
	}
	if failed := failedObject(u); failed != "" {
		return []string{failed}
	}
	operator := longest(slices.DeleteFunc(slices.Clone(u.ControlPlane.Operators), isInChain), since, operatorName)
	if operator == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s %s, which has been updating for %s", operatorNoun(*operator), operator.Name, age(since(*operator), now))}
}

// failedObject returns the object that the Cluster Version Operator can't apply, nothing if it names none.
func failedObject(u *update.Update) string {
	for _, one := range u.Health {
		if one.Health.Reason != insight.ReasonClusterVersionFailing {
			continue
		}
		if operators := blockingOperators(one.Health); len(operators) > 0 {
			return operatorList(operators)
		}
		for _, ref := range one.Health.Scope.Resources {
			if ref.Role == updatev1alpha1.RoleBlocker {
				return fmt.Sprintf("%s %s of the release", ref.Resource, nameOf(ref.ResourceRef))
			}
		}
	}
	return ""
}

// blockingOperators returns the cluster operators that block.
func blockingOperators(health *updatev1alpha1.HealthInsight) []string {
	var names []string
	for _, ref := range health.Scope.Resources {
		if ref.Role == updatev1alpha1.RoleBlocker && ref.Resource == "clusteroperators" {
			names = append(names, ref.Name)
		}
	}
	return names
}

// operatorList names operators: "ClusterOperators a, b, c and 2 more".
func operatorList(names []string) string {
	switch more := len(names) - waitedShown; {
	case len(names) == 1:
		return "ClusterOperator " + names[0]
	case more > 0:
		return fmt.Sprintf("ClusterOperators %s and %d more", strings.Join(names[:waitedShown], ", "), more)
	default:
		return "ClusterOperators " + strings.Join(names, ", ")
	}
}

// nameOf returns the name of an object, with its namespace if it has one.
func nameOf(ref updatev1alpha1.ResourceRef) string {
	if ref.Namespace == "" {
		return ref.Name
	}
	return ref.Namespace + "/" + ref.Name
}
