package nodestate_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/healthcases"
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

var healthCases = healthcases.Cases{
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
			Want:   "Error | Update Stalled | - | Node node-a is degraded | disk\nis full | nodes/node-a",
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

func TestHealth(t *testing.T) {
	healthCases.Run(t, assess.RowsOf(nodestate.Checks), start)
}

func TestInsightsPage(t *testing.T) {
	healthCases.ComparePage(t, assess.RowsOf(nodestate.Checks), start)
}
