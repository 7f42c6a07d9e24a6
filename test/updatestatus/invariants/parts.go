package invariants

import (
	"fmt"
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// checkParts returns which nodes and operators went back from a version to the next one:
//
//   - A node that is being updated is so until it runs another version, also when the next update starts meanwhile: it keeps what it
//     was assigned (openshift/machine-config-operator, pkg/controller/node/node_controller.go). It may then be pending for the next one.
//   - A node that runs the target stays so until there is another update, and so does an operator that is updated: while an update goes on,
//     as operators may have been updated before the ClusterVersion was observed to be. While sources lag, the target may be that of the
//     update before.
//
// Operators may be progressing for a moment before they are updated, for reasons of their own.
func checkParts(before, after *updatev1alpha1.UpdateStatus, sourcesLag bool) []string {
	target, was := targetOf(after), allByUID(before)
	found := factsOf(before)
	isSameUpdate := !sourcesLag && target != "" && target == found.targetVersion() && found.isVersionUpdating()
	if sourcesLag {
		target = ""
	}
	var problems []string
	for uid, is := range allByUID(after) {
		previous := was[uid]
		switch {
		case previous == nil:
		case is.Node != nil && previous.Node != nil:
			if problem := nodeStepsBack(previous.Node, is.Node, target); problem != "" {
				problems = append(problems, problem)
			}
		case isSameUpdate && isUpdatedOperator(previous) && !isUpdatedOperator(is):
			problems = append(problems, uid+" was updated, and is not any more")
		}
	}
	slices.Sort(problems)
	return problems
}

func targetOf(us *updatev1alpha1.UpdateStatus) string {
	found := factsOf(us)
	return found.targetVersion()
}

func isUpdatedOperator(one *updatev1alpha1.Insight) bool {
	operator := insight.OperatorOf(one)
	return operator != nil && insight.OperatorStateOf(operator).Progress == insight.OperatorUpdated
}

// allByUID returns the insights of a status with those of the nodes that it lists by name.
func allByUID(us *updatev1alpha1.UpdateStatus) map[string]*updatev1alpha1.Insight {
	return byUID(&updatev1alpha1.UpdateStatus{Status: *insight.StatusWithListedNodes(&us.Status)})
}

// nodeStepsBack returns how a node went back in the update to a version, which may be unknown; empty if it did not.
func nodeStepsBack(before, after *updatev1alpha1.NodeInsight, target string) string {
	was, is := insight.StateOf(before), insight.StateOf(after)
	isWaiting := is.Phase == insight.PhasePending || is.Phase == insight.PhasePaused
	switch {
	case was.Updating && isWaiting && after.Version == before.Version:
		return fmt.Sprintf("node %s was %s, and is %s without having been updated from %s", after.Name, was.Phase, is.Phase, after.Version)
	case was.Phase == insight.PhaseCompleted && is.Phase != was.Phase && target != "" && after.Version == target:
		return fmt.Sprintf("node %s was updated to %s, and is %s", after.Name, target, is.Phase)
	default:
		return ""
	}
}
