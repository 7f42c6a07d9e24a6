package nodestate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

var (
	start   = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	changed = start.Add(7 * time.Minute)
)

func resultOf(isUpdating bool, options []builders.NodeOption) func(time.Time) assess.Result {
	node := nodestate.Trim(builders.Node("node-a", append([]builders.NodeOption{builders.Configs("rendered-worker-old", "rendered-worker-old")}, options...)...))
	return func(now time.Time) assess.Result {
		state := insight.NodeState{Updating: isUpdating, Degraded: nodestate.Degraded(node).Status == metav1.ConditionTrue}
		insights, nextCheck := assess.CheckHealth(nodestate.Checks, nodestate.Checked{NodeState: state, Node: node}, assess.Subject{Resource: assess.NodeRef(node.Name)}, now)
		return assess.Result{Report: insight.Report{Insights: insights}, NextCheck: nextCheck}
	}
}

func nodeResult(options ...builders.NodeOption) func(time.Time) assess.Result {
	return resultOf(false, options)
}

func updatingResult(options ...builders.NodeOption) func(time.Time) assess.Result {
	return resultOf(true, options)
}

func kubelet(kind corev1.NodeConditionType, status corev1.ConditionStatus) builders.NodeOption {
	return builders.NodeCondition(kind, status, changed, "Reported", "kubelet reported it")
}

// lateResult assesses a node in a phase since the start, with what is known of others.
func lateResult(phase insight.NodePhase, changes ...func(*nodestate.Late)) func(time.Time) assess.Result {
	return func(now time.Time) assess.Result {
		late := nodestate.Late{
			Node: &updatev1alpha1.NodeInsight{Name: "node-a", Conditions: []metav1.Condition{
				{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue, Reason: string(phase), Message: "Upgrade requires a reboot"},
				nodestate.Available([]nodestate.Unavailability{{Reason: updatev1alpha1.ReasonNotReady, Message: "Not ready"}, {Reason: updatev1alpha1.ReasonUnschedulable, Message: "cordoned"}}),
			}},
			State: insight.NodeState{Phase: phase, Updating: true}, Since: start, NotReady: true, Now: now,
		}
		for _, change := range changes {
			change(&late)
		}
		insights, nextCheck := assess.CheckHealth(nodestate.LateChecks, late, assess.Subject{Resource: assess.NodeRef("node-a")}, now)
		return assess.Result{Report: insight.Report{Insights: insights}, NextCheck: nextCheck}
	}
}

func isBack(late *nodestate.Late) {
	late.Node.Conditions[1], late.NotReady = nodestate.Available(nil), false
}

func usual(median, long time.Duration) func(*nodestate.Late) {
	return func(late *nodestate.Late) { late.Usual = nodestate.Usual{Median: median, Long: long} }
}

func isLeaving(late *nodestate.Late) { late.IsLeaving = true }

func isAtLeast(late *nodestate.Late) { late.IsAtLeast = true }

func notBefore(at time.Duration) func(*nodestate.Late) {
	return func(late *nodestate.Late) { late.NotBefore = start.Add(at) }
}

func hasNotBegun(late *nodestate.Late) { late.NotBegun, late.NotReady = true, false }

func isNotReady(late *nodestate.Late) { late.NotReady = true }

func isDegraded(late *nodestate.Late) { late.State.Degraded = true }

func isUnknown(late *nodestate.Late) { late.Since = time.Time{} }

func lateCase(name string, at time.Duration, result func(time.Time) assess.Result, want string) healthcases.Case {
	return healthcases.Case{Name: name, At: at, Result: result, Want: want}
}

const (
	lost     = " | 08:00:00 | Node node-a has not returned from its reboot | The node is rebooting, and its kubelet is not ready."
	lostStep = " The Machine Config Operator reports: Upgrade requires a reboot | nodes/node-a"
	slow     = " | 08:00:00 | Node node-a is slow to update | The node is being updated."
	notDone  = " | 08:00:00 | Node node-a is slow to update | The node has rebooted, and its update is incomplete."
	idle     = " | 08:00:00 | Node node-a has not begun to update | The node is assigned its configuration, and its Machine Config Daemon does nothing about it: its pod may not run, or not reach the API server. | nodes/node-a"
	others   = " From this phase on, half of the nodes of the pool took less than 3m, and nine of ten less than 5m."
	slower   = " From this phase on, half of the nodes of the pool took less than 20m, and nine of ten less than 25m."
)

var healthCases = healthcases.Cases{
	"node-not-returned": {
		lateCase("a while", 30*time.Minute, lateResult(insight.PhaseRebooting), ""),
		lateCase("long", 30*time.Minute+assess.Tick, lateResult(insight.PhaseRebooting), "Warning | Update Speed"+lost+lostStep),
		lateCase("longer", time.Hour, lateResult(insight.PhaseRebooting), "Error | Update Stalled"+lost+lostStep),
		lateCase("at least", time.Hour, lateResult(insight.PhaseRebooting, isAtLeast), "Error | Update Stalled"+lost+" It may have been in this state earlier."+lostStep),
		lateCase("others are fast, a while", 15*time.Minute, lateResult(insight.PhaseRebooting, usual(3*time.Minute, 5*time.Minute)), ""),
		lateCase("others are fast", 15*time.Minute+assess.Tick, lateResult(insight.PhaseRebooting, usual(3*time.Minute, 5*time.Minute)), "Warning | Update Speed"+lost+others+lostStep),
		lateCase("others are fast, for longer", 40*time.Minute, lateResult(insight.PhaseRebooting, usual(3*time.Minute, 5*time.Minute)), "Error | Update Stalled"+lost+others+lostStep),
		lateCase("others are slow", 50*time.Minute, lateResult(insight.PhaseRebooting, usual(20*time.Minute, 25*time.Minute)), ""),
		lateCase("others are slow, for longer", 100*time.Minute, lateResult(insight.PhaseRebooting, usual(20*time.Minute, 25*time.Minute)), "Error | Update Stalled"+lost+slower+lostStep),
		lateCase("unknown since when", time.Hour, lateResult(insight.PhaseRebooting, isUnknown), ""),
		lateCase("being deleted", time.Hour, lateResult(insight.PhaseRebooting, isLeaving), ""),
		lateCase("the controller has just started", time.Hour, lateResult(insight.PhaseRebooting, notBefore(time.Hour+time.Second)), ""),
		lateCase("draining", time.Hour, lateResult(insight.PhaseDraining), ""),
	},
	"node-not-begun": {
		lateCase("a while", 10*time.Minute, lateResult(insight.PhaseUpdating, hasNotBegun), ""),
		lateCase("long", 10*time.Minute+assess.Tick, lateResult(insight.PhaseUpdating, hasNotBegun), "Warning | Update Stalled"+idle),
		lateCase("longer", time.Hour, lateResult(insight.PhaseUpdating, hasNotBegun), "Error | Update Stalled"+idle),
		lateCase("not ready", time.Hour, lateResult(insight.PhaseUpdating, hasNotBegun, isNotReady), ""),
		lateCase("being deleted", time.Hour, lateResult(insight.PhaseUpdating, hasNotBegun, isLeaving), ""),
		lateCase("unknown since when", time.Hour, lateResult(insight.PhaseUpdating, hasNotBegun, isUnknown), ""),
		lateCase("begun", 30*time.Minute, lateResult(insight.PhaseUpdating), ""),
	},
	"node-update-slow": {
		lateCase("a while", 45*time.Minute, lateResult(insight.PhaseUpdating), ""),
		lateCase("long", 45*time.Minute+assess.Tick, lateResult(insight.PhaseUpdating), "Warning | Update Speed"+slow+lostStep),
		lateCase("longer", 2*time.Hour, lateResult(insight.PhaseUpdating), "Error | Update Stalled"+slow+lostStep),
		lateCase("others are fast, a while", 30*time.Minute, lateResult(insight.PhaseUpdating, usual(3*time.Minute, 5*time.Minute)), ""),
		lateCase("others are fast", 30*time.Minute+assess.Tick, lateResult(insight.PhaseUpdating, usual(3*time.Minute, 5*time.Minute)), "Warning | Update Speed"+slow+others+lostStep),
		lateCase("others are slow", time.Hour, lateResult(insight.PhaseUpdating, usual(20*time.Minute, 25*time.Minute)), ""),
		lateCase("others are slow, for longer", 2*time.Hour-time.Second, lateResult(insight.PhaseUpdating, usual(20*time.Minute, 25*time.Minute)), "Warning | Update Speed"+slow+slower+lostStep),
		lateCase("back, a while", 45*time.Minute, lateResult(insight.PhaseRebooting, isBack), ""),
		lateCase("back, for longer", 90*time.Minute, lateResult(insight.PhaseRebooting, isBack), "Error | Update Stalled"+notDone+lostStep),
		lateCase("degraded", time.Hour, lateResult(insight.PhaseUpdating, isDegraded), ""),
		lateCase("being deleted", time.Hour, lateResult(insight.PhaseUpdating, isLeaving), ""),
		lateCase("unknown since when", time.Hour, lateResult(insight.PhaseUpdating, isUnknown), ""),
		lateCase("draining", time.Hour, lateResult(insight.PhaseDraining), ""),
	},
	"node-not-ready": {
		{Name: "at 5 minutes", Result: nodeResult(builders.NotReady(changed)), At: 12 * time.Minute},
		{
			Name:   "after 5 minutes",
			Result: nodeResult(kubelet(corev1.NodeReady, corev1.ConditionUnknown)),
			At:     12*time.Minute + time.Second,
			Want:   `Warning | Update Speed | 08:07:00 | Node node-a is not ready | Node has a Ready!=True condition with Reason "Not ready" and message "kubelet reported it" | nodes/node-a`,
		},
		{
			Name:   "while updating",
			Result: updatingResult(builders.NotReady(changed)),
			At:     time.Hour,
		},
		{Name: "cordoned only", Result: nodeResult(builders.Unschedulable()), At: time.Hour},
	}, "node-disk-pressure": {
		{
			Name:   "at a minute",
			Result: nodeResult(kubelet(corev1.NodeDiskPressure, corev1.ConditionTrue)),
			At:     8 * time.Minute,
		},
		{
			Name:   "after a minute",
			Result: nodeResult(kubelet(corev1.NodeDiskPressure, corev1.ConditionTrue)),
			At:     8*time.Minute + time.Second,
			Want:   `Warning | Update Speed | 08:07:00 | Node node-a has disk pressure | Node has a DiskPressure!=False condition with Reason "Disk pressure" and message "kubelet reported it" | nodes/node-a`,
		},
		{Name: "while updating, a while", Result: updatingResult(kubelet(corev1.NodeDiskPressure, corev1.ConditionTrue)), At: 12 * time.Minute},
		{
			Name:   "while updating",
			Result: updatingResult(kubelet(corev1.NodeDiskPressure, corev1.ConditionTrue)),
			At:     12*time.Minute + time.Second,
			Want:   `Warning | Update Speed | 08:07:00 | Node node-a has disk pressure | Node has a DiskPressure!=False condition with Reason "Disk pressure" and message "kubelet reported it" | nodes/node-a`,
		},
		{
			Name:   "while rebooting",
			Result: updatingResult(kubelet(corev1.NodeDiskPressure, corev1.ConditionTrue), builders.NotReady(changed)),
			At:     time.Hour,
		},
		{
			Name:   "unreachable",
			Result: nodeResult(kubelet(corev1.NodeDiskPressure, corev1.ConditionUnknown), kubelet(corev1.NodeReady, corev1.ConditionUnknown)),
			At:     10 * time.Minute,
		},
	}, "node-network-unavailable": {
		{
			Name:   "at a minute",
			Result: nodeResult(kubelet(corev1.NodeNetworkUnavailable, corev1.ConditionTrue)),
			At:     8 * time.Minute,
		},
		{
			Name:   "after a minute",
			Result: nodeResult(kubelet(corev1.NodeNetworkUnavailable, corev1.ConditionTrue)),
			At:     8*time.Minute + time.Second,
			Want:   `Warning | Update Speed | 08:07:00 | Node node-a has unavailable network | Node has a NetworkUnavailable!=False condition with Reason "Network unavailable" and message "kubelet reported it" | nodes/node-a`,
		},
	}, "node-degraded": {
		{
			Name:   "degraded",
			Result: nodeResult(builders.DegradedBecause("disk\nis full")),
			At:     0,
			Want:   "Error | Update Stalled | - | Node node-a is degraded: disk is full | disk\nis full | nodes/node-a",
		},
		{
			Name:   "without a message",
			Result: nodeResult(builders.State("Unreconcilable")),
			At:     0,
			Want:   "Error | Update Stalled | - | Node node-a is degraded | <no message> | nodes/node-a",
		},
		{Name: "done", Result: nodeResult(), At: 0},
	},
}

// ownChecks are those of this package.
func ownChecks() []assess.HealthCheck {
	return slices.Concat(assess.RowsOf(nodestate.Checks), assess.RowsOf(nodestate.LateChecks))
}

func TestHealth(t *testing.T) {
	healthCases.Run(t, ownChecks(), start)
}

func TestInsightsPage(t *testing.T) {
	healthCases.ComparePage(t, ownChecks(), start)
}

// TestCommandsOfADegradedNode: what a degraded node needs depends on what its daemon says.
func TestCommandsOfADegradedNode(t *testing.T) {
	for reason, want := range map[string]string{
		"failed to drain node: node-a after 1 hour": "machine-config-controller",
		"No space left on device":                   "machine-config-daemon",
	} {
		commands := healthcases.Health(nodeResult(builders.DegradedBecause(reason))(changed))[0].Health.Remediation.Commands
		if text := fmt.Sprint(commands); !strings.Contains(text, want) {
			t.Errorf("%s: %s", reason, text)
		}
	}
}
