package causes

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// What passes by itself is Info: an operator whose pods wait for nodes that reboot within their usual time, machine-config that waits for pools whose
// nodes get on, and what is reported because of nothing but these. Bare metal reboots for 25 minutes, and the network operator calls a DaemonSet hung
// after ten.

var (
	// hungDaemonSet is what the network operator says of a DaemonSet of which no pod has changed for ten minutes, and daemonSetProgress what it says of
	// one while it progresses, without a name of a node (openshift/cluster-network-operator, pkg/controller/statusmanager/pod_status.go, SetFromPods).
	hungDaemonSet     = regexp.MustCompile(`^(DaemonSet "[^"]+") rollout is not making progress - last change `)
	daemonSetProgress = regexp.MustCompile(`^(?:DaemonSet|Deployment|StatefulSet) "[^"]+" (?:is not available|update is rolling out|is not yet scheduled|update is being processed) \(`)
)

// multipleErrors is the first line of several (openshift/cluster-version-operator, pkg/cvo/sync_worker.go, newMultipleError).
const multipleErrors = "Multiple errors are preventing progress:"

// setPassing finds what passes by itself.
func (f *facts) setPassing() {
	for _, p := range f.problems {
		p.passes = p.check.Name == degraded && len(p.causes) == 0 && f.isPassing(p)
	}
	for _, p := range f.problems {
		switch {
		case slices.Contains(failingUpdate.Checks, p.check.Name):
			p.passes = f.onlyNamesPassing(p)
		case slices.Contains(firingAlert.Checks, p.check.Name):
			p.passes = len(p.causes) > 0 && !slices.ContainsFunc(p.causes, func(cause *problem) bool { return !cause.passes })
		}
	}
}

// isPassing returns whether each line that an operator reports is about nodes or pools that get on.
func (f *facts) isPassing(p *problem) bool {
	message, explained := p.reported().Message, 0
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(line)
		switch hung := hungDaemonSet.FindStringSubmatch(line); {
		case line == "", daemonSetProgress.MatchString(line):
		case hung != nil && f.isAwayFor(linesWith(message, hung[1])), f.namesAway(line), f.waitsForAdvancing(p, line):
			explained++
		default:
			return false
		}
	}
	return explained > 0
}

// linesWith returns the lines of a message that start with a name.
func linesWith(message, name string) string {
	var lines strings.Builder
	for line := range strings.Lines(message) {
		if strings.HasPrefix(line, name) {
			lines.WriteString(line)
		}
	}
	return lines.String()
}

// isAwayFor returns whether a DaemonSet waits for no more nodes than are away.
func (f *facts) isAwayFor(message string) bool {
	numbers := waitedNodes(message)
	return len(numbers) > 0 && slices.Max(numbers) <= len(f.away(anyNodeInsight))
}

// namesAway returns whether a line names nodes, all of which are away, or counts the instance of the one node of the control plane that is.
func (f *facts) namesAway(line string) bool {
	if oneInstance.MatchString(line) {
		return len(f.away(f.isOfControlPlane)) == 1
	}
	named := namesIn(wordsOf(line), nodeWords, func(name string) bool { return f.nodes[name] != nil })
	return len(named) > 0 && !slices.ContainsFunc(named, func(name string) bool { return !f.isAway(f.nodes[name]) })
}

// waitsForAdvancing returns whether machine-config waits for a pool whose nodes get on.
func (f *facts) waitsForAdvancing(p *problem, line string) bool {
	pool, isTimeout := controlplane.TimedOutPool(line)
	return isTimeout && p.object.Name == controlplane.MachineConfigOperator && f.advancing[pool.Name]
}

// onlyNamesPassing returns whether the Cluster Version Operator names nothing but operators that pass.
func (f *facts) onlyNamesPassing(version *problem) bool {
	message := version.reported().Message
	for line := range strings.Lines(message) {
		if line = strings.TrimSpace(line); line != multipleErrors && len(controlplane.FailedOperators(line)) == 0 {
			return false
		}
	}
	if len(behindOperatorNamedByVersion(f, version)) > 0 {
		return false // what harms an operator that has no insight yet does not pass
	}
	named := f.operatorsNamed(version)
	return len(named) > 0 && !slices.ContainsFunc(named, func(operator *updatev1alpha1.ClusterOperatorInsight) bool { return !f.hasPassed(operator) })
}

// hasPassed returns whether an operator recovers by itself, or has: the Cluster Version Operator reports a failure until its next attempt is over. One that
// is unavailable or degraded for so short a time that it has no health insight yet may: it is told by that, if it does not.
func (f *facts) hasPassed(operator *updatev1alpha1.ClusterOperatorInsight) bool {
	reported := f.about(operator.Resource, badOperator.Checks...)
	if len(reported) == 0 {
		return insight.OperatorStateOf(operator).Progress == insight.OperatorUpdated && meta.IsStatusConditionTrue(operator.Conditions, updatev1alpha1.ConditionHealthy) ||
			meta.IsStatusConditionFalse(operator.Conditions, updatev1alpha1.ConditionHealthy)
	}
	return !slices.ContainsFunc(reported, func(p *problem) bool { return !p.passes })
}

// away returns the nodes that reboot within their usual time, for which a function holds.
func (f *facts) away(holds func(*updatev1alpha1.NodeInsight) bool) []*updatev1alpha1.NodeInsight {
	var found []*updatev1alpha1.NodeInsight
	for _, node := range f.nodes {
		if f.isAway(node) && holds(node) {
			found = append(found, node)
		}
	}
	return found
}

func anyNodeInsight(*updatev1alpha1.NodeInsight) bool { return true }

// isAway returns whether a node reboots, or has a few minutes ago, and has no problem of its own: one that takes longer than usual has.
func (f *facts) isAway(node *updatev1alpha1.NodeInsight) bool {
	state := insight.StateOf(node)
	isRebooting := state.Updating && state.Phase == insight.PhaseRebooting
	return (isRebooting || f.returned[node.Resource]) && len(f.about(node.Resource, anyNode.Checks...)) == 0
}

// isOfControlPlane returns whether a node belongs to the control plane.
func (f *facts) isOfControlPlane(node *updatev1alpha1.NodeInsight) bool {
	return f.controlPlane[node.Resource]
}
