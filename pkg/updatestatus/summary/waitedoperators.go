package summary

import (
	"fmt"
	"slices"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// waitedShown is how many of the operators that an update waits for are named.
const waitedShown = 3

// waitedOperators returns the operators that the Cluster Version Operator says it waits for. Where it names none, these are an object that it
// can't apply, or the operator that has been updating for the longest time.
func waitedOperators(u *update.Update, isInChain func(name string) bool, now time.Time) []string {
	version := u.ControlPlane.Version
	if u.ControlPlane.HasCompleted() {
		return nil
	}
	isHidden := func(operator update.Operator) bool { return isInChain(operator.Name) }
	operators := slices.DeleteFunc(slices.Clone(u.ControlPlane.Operators), isHidden)
	var parts []string
	for _, waited := range version.WaitingOn {
		at := slices.IndexFunc(operators, func(operator update.Operator) bool { return operator.Name == waited.Name })
		switch {
		case at < 0:
			continue
		case len(parts) == waitedShown:
			return append(parts, fmt.Sprintf("and %d more", len(version.WaitingOn)-waitedShown))
		}
		parts = append(parts, waitedOperator(u, operators[at], now))
	}
	if len(parts) > 0 {
		return parts
	}
	if failed := failedObject(u, isInChain); failed != "" {
		return []string{failed}
	}
	since := func(operator update.Operator) time.Time {
		if operatorSince(operator).IsZero() {
			return time.Time{}
		}
		return waitedSince(u, operator)
	}
	if operator := longest(operators, since, operatorName); operator != nil {
		return []string{waitedOperator(u, *operator, now)}
	}
	return nil
}

// waitedOperator returns an operator that an update waits for, since when, and the node that it waits for itself.
func waitedOperator(u *update.Update, operator update.Operator, now time.Time) string {
	text := nodeBehind(u, operator) + operatorNoun(operator) + " " + operator.Name
	switch since := waitedSince(u, operator); {
	case since.IsZero():
		return text
	case operatorSince(operator).IsZero():
		return fmt.Sprintf("%s, for %s", text, age(since, now))
	default:
		return fmt.Sprintf("%s, which has been updating for %s%s", text, age(since, now), whyWaiting(operator))
	}
}

// whyWaiting returns what an operator waits for itself, which only machine-config reports.
func whyWaiting(operator update.Operator) string {
	if operator.Reported == nil {
		return ""
	}
	if why := assess.Quote(operator.Reported.Message); why != "" {
		return ": " + why
	}
	return ""
}

func waitedSince(u *update.Update, operator update.Operator) time.Time {
	since, _ := controlplane.WaitedSince(u.ControlPlane.Version, operator.ClusterOperatorInsight)
	return since
}

// nodeBehind returns the problem of a node that is the cause of what is reported of an operator, as the start of a chain; nothing if there is none.
func nodeBehind(u *update.Update, operator update.Operator) string {
	for _, group := range u.Problems {
		if resources := group.Members[0].Health.Scope.Resources; len(resources) == 0 || resources[0].Resource != "nodes" {
			continue
		}
		if slices.ContainsFunc(withConsequences(group), func(one causes.Insight) bool {
			about := one.Health.Scope.Resources
			return len(about) > 0 && about[0].ResourceRef == operator.Resource
		}) {
			return insight.InSentence(group.Summary()) + " → "
		}
	}
	return ""
}

// failedObject returns the object that the Cluster Version Operator can't apply, nothing if it names none.
func failedObject(u *update.Update, isInChain func(name string) bool) string {
	for _, one := range u.Health {
		if one.Health.Reason != insight.ReasonClusterVersionFailing {
			continue
		}
		if operators := blockingOperators(one.Health); len(operators) > 0 {
			return operatorList(slices.DeleteFunc(operators, isInChain))
		}
		for _, ref := range one.Health.Scope.Resources {
			if ref.Role == updatev1alpha1.RoleBlocker {
				return fmt.Sprintf("%s %s of the release", singular(ref.Resource), nameOf(ref.ResourceRef))
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
	case len(names) == 0:
		return ""
	case len(names) == 1:
		return "ClusterOperator " + names[0]
	case more > 0:
		return fmt.Sprintf("ClusterOperators %s and %d more", strings.Join(names[:waitedShown], ", "), more)
	default:
		return "ClusterOperators " + strings.Join(names, ", ")
	}
}

// singular returns the noun of one object of a resource.
func singular(resource string) string {
	if one, isPlural := strings.CutSuffix(resource, "ies"); isPlural {
		return one + "y"
	}
	if one, isPlural := strings.CutSuffix(resource, "ses"); isPlural {
		return one + "s"
	}
	return strings.TrimSuffix(resource, "s")
}

// nameOf returns the name of an object, with its namespace if it has one.
func nameOf(ref updatev1alpha1.ResourceRef) string {
	if ref.Namespace == "" {
		return ref.Name
	}
	return ref.Namespace + "/" + ref.Name
}
