package assess_test

import (
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// notFailing is an update in which the ClusterVersion reports that it can proceed.
func notFailing(options ...builders.ClusterVersionOption) *configv1.ClusterVersion {
	return updating(append([]builders.ClusterVersionOption{builders.VersionCondition(
		builders.Condition("Failing", configv1.ConditionFalse, installed, "", ""))}, options...)...)
}

func failing(status configv1.ConditionStatus, reason, message string) *configv1.ClusterVersion {
	return notFailing(builders.VersionCondition(builders.Condition("Failing", status, start, reason, message)))
}

func versionResult(version *configv1.ClusterVersion, updated int) func(time.Time) assess.Result {
	return func(now time.Time) assess.Result {
		return standalone.ClusterVersion(standalone.ClusterVersionInput{ClusterVersion: trimmed(version), ClusterOperators: allTrimmed(fleet(4, updated))}, now)
	}
}

func operatorResult(options ...builders.ClusterOperatorOption) func(time.Time) assess.Result {
	operator := builders.ClusterOperator("etcd", append([]builders.ClusterOperatorOption{builders.Healthy(installed)}, options...)...)
	return func(now time.Time) assess.Result {
		return controlplane.Operator(controlplane.OperatorInput{Operator: trimmed(operator), ClusterVersion: updating()}, now)
	}
}

func nodeResult(custom []string, options ...builders.NodeOption) func(time.Time) assess.Result {
	node := builders.Node("node-a", append([]builders.NodeOption{builders.Configs("rendered-worker-old", "rendered-worker-old")}, options...)...)
	return func(now time.Time) assess.Result {
		return standalone.Node(standalone.NodeInput{
			Node: trimmed(node), Pool: trimmed(pool()), Custom: custom, Target: standalone.Target{Known: true, Version: target},
			VersionOf: func(name string) string { return versions[name] },
		}, now)
	}
}

func poolResult(in standalone.MachineConfigPoolInput) func(time.Time) assess.Result {
	in.Pool = trimmed(in.Pool)
	return func(time.Time) assess.Result {
		in.Target = standalone.Target{Known: true, Version: target}
		return standalone.MachineConfigPool(in)
	}
}

// aheadResult assesses a prediction, while an update is in progress or not.
func aheadResult(updating bool, prediction drain.Prediction) func(time.Time) assess.Result {
	return func(time.Time) assess.Result {
		reports := standalone.DrainsAhead(standalone.DrainsAheadInput{Predictions: []drain.Prediction{prediction}, Update: ledger.Update{Updating: updating}})
		if len(reports) == 0 {
			return assess.Result{}
		}
		return assess.Result{Report: reports[0]}
	}
}

// alert is a firing alert that started some time after the update. Annotations are names and values.
func alert(name, severity string, since time.Duration, annotations ...string) assess.Alert {
	firing := assess.Alert{
		Labels: map[string]string{"alertname": name, "severity": severity, "namespace": "openshift-etcd"}, Annotations: map[string]string{},
		State: "firing", ActiveAt: start.Add(since),
	}
	for at := 0; at+1 < len(annotations); at += 2 {
		firing.Annotations[annotations[at]] = annotations[at+1]
	}
	return firing
}

// alertResult returns the report of an alert as a result.
func alertResult(one assess.Alert) func(time.Time) assess.Result {
	return func(time.Time) assess.Result {
		reports := assess.Alerts(assess.AlertsInput{Alerts: []assess.Alert{one}, Update: ledger.Update{Updating: true, Started: start}, Now: start.Add(time.Hour)})
		if len(reports) == 0 {
			return assess.Result{}
		}
		return assess.Result{Report: reports[0]}
	}
}

// history is an update in progress with its history, the oldest item first.
func history(items ...builders.ClusterVersionOption) *configv1.ClusterVersion {
	return builders.ClusterVersion(append(items, progressing(configv1.ConditionTrue),
		builders.VersionCondition(builders.Condition("Failing", configv1.ConditionFalse, installed, "", "")))...)
}

type healthCase struct {
	name   string
	result func(time.Time) assess.Result
	at     time.Duration
	want   string
}

// healthCases are the cases of each check: the expected health insight at a time after the start of the update, as
// "LEVEL | IMPACT | since | summary | description | resources", or none.
var healthCases = withCases(hostedHealthCases, map[string][]healthCase{
	"node-drain-blocked": drainCases(),
	"pool-will-not-drain": {
		{
			name:   "one budget",
			result: aheadResult(true, drain.Prediction{Pool: "worker", Waiting: 12, Nodes: []string{"w-1", "w-2"}, Budgets: []*policyv1.PodDisruptionBudget{builders.Budget("shop", "cart", nil)}}),
			want: "Warning | Update Stalled | - | 2 of 12 nodes in pool 'worker' that wait will not drain: PodDisruptionBudget shop/cart never allows a disruption | " +
				"Each of these nodes has a pod that can't be evicted, by the setting of its PodDisruptionBudget and the replicas of its workload, even if all of its pods are " +
				"healthy: the update will wait for it. Run more replicas of the workload, or change the PodDisruptionBudget to allow one disruption, at least during the update. " +
				"The nodes are w-1, w-2, because of PodDisruptionBudget shop/cart. | " +
				"machineconfigpools.machineconfiguration.openshift.io/worker poddisruptionbudgets.policy/cart nodes/w-1 nodes/w-2",
		},
		{
			name: "several budgets",
			result: aheadResult(true, drain.Prediction{Pool: "infra", Waiting: 1, Nodes: []string{"i-1"}, Budgets: []*policyv1.PodDisruptionBudget{
				builders.Budget("shop", "cart", nil), builders.Budget("shop", "pay", nil), builders.Budget("test", "cart", nil),
			}}),
			want: "Warning | Update Stalled | - | 1 of 1 node in pool 'infra' that wait will not drain: PodDisruptionBudget shop/cart and 2 more PodDisruptionBudgets never allow a disruption | " +
				"Each of these nodes has a pod that can't be evicted, by the setting of its PodDisruptionBudget and the replicas of its workload, even if all of its pods are " +
				"healthy: the update will wait for it. Run more replicas of the workload, or change the PodDisruptionBudget to allow one disruption, at least during the update. " +
				"The nodes are i-1, because of PodDisruptionBudget shop/cart, PodDisruptionBudget shop/pay, PodDisruptionBudget test/cart. | " +
				"machineconfigpools.machineconfiguration.openshift.io/infra poddisruptionbudgets.policy/cart poddisruptionbudgets.policy/pay poddisruptionbudgets.policy/cart nodes/i-1",
		},
		{
			name:   "without an update",
			result: aheadResult(false, drain.Prediction{Pool: "worker", Waiting: 1, Nodes: []string{"w-1"}, Budgets: []*policyv1.PodDisruptionBudget{builders.Budget("shop", "cart", nil)}}),
		},
	},
	"alert-firing": {
		{
			name:   "during the update",
			result: alertResult(alert("KubePodNotReady", "warning", time.Minute, "summary", "A pod is not ready.", "description", "Pod a", "message", "is not ready", "runbook_url", "https://example.com/runbook")),
			at:     2 * time.Minute,
			want:   "Warning | Unknown | 08:01:00 | Alert is firing: A pod is not ready. | Alert started firing during the update. The alert description is: Pod a | is not ready | alerts.config.openshift.io/KubePodNotReady",
		},
		{
			name:   "critical, without a description",
			result: alertResult(alert("KubeAPIDown", "critical", time.Minute)),
			at:     2 * time.Minute,
			want:   "Critical | Unknown | 08:01:00 | Alert is firing: KubeAPIDown | Alert started firing during the update. The alert has no description. | alerts.config.openshift.io/KubeAPIDown",
		},
		{
			name:   "before the update",
			result: alertResult(alert("KubePodNotReady", "warning", -time.Minute)),
			at:     time.Minute,
		},
		{
			name:   "in the second in which the update started",
			result: alertResult(alert("KubePodNotReady", "warning", 0)),
			at:     time.Minute,
		},
		{
			name:   "before the update, known to affect updates",
			result: alertResult(alert("PodDisruptionBudgetAtLimit", "warning", -time.Hour)),
			at:     time.Minute,
			want:   "Warning | Unknown | 07:00:00 | Alert is firing: PodDisruptionBudgetAtLimit | Alert known to affect updates has been firing since before the update started. The alert has no description. | alerts.config.openshift.io/PodDisruptionBudgetAtLimit",
		},
		{
			name:   "during the update, known to affect updates",
			result: alertResult(alert("PodDisruptionBudgetLimit", "critical", time.Minute)),
			at:     2 * time.Minute,
			want:   "Critical | Unknown | 08:01:00 | Alert is firing: PodDisruptionBudgetLimit | Alert known to affect updates started firing during the update. The alert has no description. | alerts.config.openshift.io/PodDisruptionBudgetLimit",
		},
		{
			name:   "severity info",
			result: alertResult(alert("UpdateAvailable", "info", time.Minute)),
			at:     time.Minute,
		},
		{
			name: "of the controller itself",
			result: alertResult(func() assess.Alert {
				one := alert("ClusterUpdateStalled", "warning", time.Minute)
				one.Labels["namespace"] = "openshift-update-status-controller"
				return one
			}()),
			at: 2 * time.Minute,
		},
		{
			name: "pending",
			result: alertResult(func() assess.Alert {
				one := alert("KubePodNotReady", "warning", time.Minute)
				one.State = "pending"
				return one
			}()),
			at: 2 * time.Minute,
		},
	},
	"cluster-version-failing-unknown": {
		{
			name:   "no condition",
			result: versionResult(updating(), 1),
			at:     time.Minute,
			want:   "Warning | Update Stalled | - | Cluster Version version has no Failing condition | The Cluster Version Operator does not report whether it can proceed with the update. | clusterversions.config.openshift.io/version",
		},
		{name: "not failing", result: versionResult(notFailing(), 1), at: time.Minute},
	},
	"cluster-version-failing": {
		{
			name:   "failing",
			result: versionResult(failing(configv1.ConditionTrue, "ClusterOperatorDegraded", "etcd is bad"), 1),
			at:     time.Minute,
			want:   "Warning | Update Stalled | 08:00:00 | Cluster Version version is failing to proceed with the update (ClusterOperatorDegraded) | etcd is bad | clusterversions.config.openshift.io/version",
		},
		{
			name:   "unknown, without a message",
			result: versionResult(failing(configv1.ConditionUnknown, "", ""), 1),
			at:     time.Minute,
			want:   "Warning | Update Stalled | 08:00:00 | Cluster Version version may be failing to proceed with the update | <no message> | clusterversions.config.openshift.io/version",
		},
	},
	"previous-update-incomplete": {
		{
			name:   "after a complete one",
			result: versionResult(history(builders.Completed("4.20.0", installed, installed.Add(time.Hour)), builders.Completed(before, installed, start), builders.Partial(target, start)), 1),
			at:     time.Minute,
		},
		{
			name:   "after an incomplete one",
			result: versionResult(history(builders.Completed("4.20.0", installed, installed.Add(time.Hour)), builders.Partial(before, installed), builders.Partial(target, start)), 1),
			at:     time.Minute,
			want:   "Warning | None | 08:00:00 | Previous update to 4.20.1 never completed, last complete update was 4.20.0 | Current update to 4.20.2 was initiated while the previous update to version 4.20.1 was still in progress | clusterversions.config.openshift.io/version",
		},
		{
			name:   "without a complete update",
			result: versionResult(history(builders.Partial(before, installed), builders.Partial(target, start)), 1),
			at:     time.Minute,
			want:   "Warning | None | 08:00:00 | Previous update to 4.20.1 never completed, last complete update was unknown | Current update to 4.20.2 was initiated while the previous update to version 4.20.1 was still in progress | clusterversions.config.openshift.io/version",
		},
		{
			name:   "all operators are updated, and the update is not complete",
			result: versionResult(history(builders.Partial(before, installed), builders.Partial(target, start)), 4),
			at:     time.Minute,
			want:   "Warning | None | 08:00:00 | Previous update to 4.20.1 never completed, last complete update was unknown | Current update to 4.20.2 was initiated while the previous update to version 4.20.1 was still in progress | clusterversions.config.openshift.io/version",
		},
		{
			name:   "the control plane is complete",
			result: versionResult(history(builders.Partial(before, installed), builders.Completed(target, start, start.Add(time.Minute))), 4),
			at:     2 * time.Minute,
		},
		{
			name:   "the update is complete, and an operator reports another version since",
			result: versionResult(history(builders.Partial(before, installed), builders.Completed(target, start, start.Add(time.Minute))), 3),
			at:     2 * time.Minute,
		},
	},
	"cluster-operator-unavailable": {
		{
			name:   "at 5 minutes",
			result: operatorResult(is(configv1.OperatorAvailable, configv1.ConditionFalse, "Down", "etcd is down")),
			at:     12 * time.Minute,
		},
		{
			name:   "after 5 minutes",
			result: operatorResult(is(configv1.OperatorAvailable, configv1.ConditionFalse, "Down", "etcd is down")),
			at:     12*time.Minute + time.Second,
			want:   "Warning | API Availability | 08:07:00 | Cluster Operator etcd is unavailable (Down) | etcd is down | clusteroperators.config.openshift.io/etcd",
		},
		{
			name:   "before 20 minutes",
			result: operatorResult(is(configv1.OperatorAvailable, configv1.ConditionFalse, "", "")),
			at:     27*time.Minute - time.Second,
			want:   "Warning | API Availability | 08:07:00 | Cluster Operator etcd is unavailable | <no message> | clusteroperators.config.openshift.io/etcd",
		},
		{
			name:   "at 20 minutes",
			result: operatorResult(is(configv1.OperatorAvailable, configv1.ConditionFalse, "", "")),
			at:     27 * time.Minute,
			want:   "Error | API Availability | 08:07:00 | Cluster Operator etcd is unavailable | <no message> | clusteroperators.config.openshift.io/etcd",
		},
		{
			name:   "third-party operator",
			result: operatorResult(builders.ThirdParty(), is(configv1.OperatorAvailable, configv1.ConditionFalse, "", "")),
			at:     time.Hour,
		},
	},
	"cluster-operator-degraded": {
		{
			name:   "at 5 minutes",
			result: operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "etcd is bad")),
			at:     12 * time.Minute,
		},
		{
			name:   "after 5 minutes",
			result: operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "etcd is bad")),
			at:     12*time.Minute + time.Second,
			want:   "Warning | API Availability | 08:07:00 | Cluster Operator etcd is degraded (Bad) | etcd is bad | clusteroperators.config.openshift.io/etcd",
		},
		{
			name:   "before 40 minutes",
			result: operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "")),
			at:     47*time.Minute - time.Second,
			want:   "Warning | API Availability | 08:07:00 | Cluster Operator etcd is degraded (Bad) | <no message> | clusteroperators.config.openshift.io/etcd",
		},
		{
			name:   "at 40 minutes",
			result: operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "")),
			at:     47 * time.Minute,
			want:   "Error | API Availability | 08:07:00 | Cluster Operator etcd is degraded (Bad) | <no message> | clusteroperators.config.openshift.io/etcd",
		},
	},
	"node-not-ready": {
		{name: "at 5 minutes", result: nodeResult(nil, builders.NotReady(changed)), at: 12 * time.Minute},
		{
			name:   "after 5 minutes",
			result: nodeResult(nil, kubelet(corev1.NodeReady, corev1.ConditionUnknown)),
			at:     12*time.Minute + time.Second,
			want:   `Warning | Update Speed | 08:07:00 | Node node-a is not ready | Node has a Ready!=True condition with Reason "Not ready" and message "kubelet reported it" | nodes/node-a`,
		},
		{
			name:   "while updating",
			result: nodeResult(nil, builders.Configs("rendered-worker-old", "rendered-worker-new"), builders.State("Rebooting"), builders.NotReady(changed)),
			at:     time.Hour,
		},
		{name: "cordoned only", result: nodeResult(nil, builders.Unschedulable()), at: time.Hour},
	},
	"node-disk-pressure": {
		{
			name:   "at a minute",
			result: nodeResult(nil, kubelet(corev1.NodeDiskPressure, corev1.ConditionTrue)),
			at:     8 * time.Minute,
		},
		{
			name:   "after a minute",
			result: nodeResult(nil, kubelet(corev1.NodeDiskPressure, corev1.ConditionTrue)),
			at:     8*time.Minute + time.Second,
			want:   `Warning | Update Speed | 08:07:00 | Node node-a has disk pressure | Node has a DiskPressure!=False condition with Reason "Disk pressure" and message "kubelet reported it" | nodes/node-a`,
		},
		{
			name:   "unreachable",
			result: nodeResult(nil, kubelet(corev1.NodeDiskPressure, corev1.ConditionUnknown), kubelet(corev1.NodeReady, corev1.ConditionUnknown)),
			at:     10 * time.Minute,
		},
	},
	"node-network-unavailable": {
		{
			name:   "at a minute",
			result: nodeResult(nil, kubelet(corev1.NodeNetworkUnavailable, corev1.ConditionTrue)),
			at:     8 * time.Minute,
		},
		{
			name:   "after a minute",
			result: nodeResult(nil, kubelet(corev1.NodeNetworkUnavailable, corev1.ConditionTrue)),
			at:     8*time.Minute + time.Second,
			want:   `Warning | Update Speed | 08:07:00 | Node node-a has unavailable network | Node has a NetworkUnavailable!=False condition with Reason "Network unavailable" and message "kubelet reported it" | nodes/node-a`,
		},
	},
	"node-degraded": {
		{
			name:   "degraded",
			result: nodeResult(nil, builders.DegradedBecause("disk\nis full")),
			at:     0,
			want:   "Error | Update Stalled | - | Node node-a is degraded | disk\nis full | nodes/node-a",
		},
		{
			name:   "without a message",
			result: nodeResult(nil, builders.State("Unreconcilable")),
			at:     0,
			want:   "Error | Update Stalled | - | Node node-a is degraded | <no message> | nodes/node-a",
		},
		{name: "done", result: nodeResult(nil), at: 0},
	},
	"node-in-several-pools": {
		{name: "in one", result: nodeResult([]string{"infra"}), at: 0},
		{
			name:   "in two",
			result: nodeResult([]string{"infra", "zebra"}),
			at:     0,
			want:   "Warning | Update Stalled | - | Node node-a matches several custom pools: infra, zebra | A node can belong to one custom pool only. The Machine Config Operator does not update the node until the labels of the node or the node selectors of the pools are changed so that at most one custom pool matches. | nodes/node-a machineconfigpools.machineconfiguration.openshift.io/infra machineconfigpools.machineconfiguration.openshift.io/zebra",
		},
	},
	"pool-paused": {
		{
			name:   "with outdated nodes",
			result: poolResult(standalone.MachineConfigPoolInput{Pool: pool(builders.Paused()), Nodes: nodestate.Count(nodes("cx")...)}),
			at:     0,
			want:   "Warning | Update Stalled | - | Outdated nodes in a paused pool 'worker' will not be updated | Pool is paused, which stops all changes to the nodes in the pool, including updates. The nodes will not be updated until the pool is unpaused by the administrator. | machineconfigpools.machineconfiguration.openshift.io/worker",
		},
		{
			name:   "with updated nodes",
			result: poolResult(standalone.MachineConfigPoolInput{Pool: pool(builders.Paused()), Nodes: nodestate.Count(nodes("cc")...)}),
			at:     0,
		},
		{
			name:   "not paused",
			result: poolResult(standalone.MachineConfigPoolInput{Pool: pool(), Nodes: nodestate.Count(nodes("cp")...)}),
			at:     0,
		},
	},
	"pool-selector-unparsable": {
		{
			name:   "unparsable",
			result: poolResult(standalone.MachineConfigPoolInput{Pool: pool(), SelectorError: "no such operator"}),
			at:     0,
			want:   "Warning | Update Stalled | - | The node selector of pool 'worker' cannot be parsed | The pool has no nodes until its node selector is corrected: no such operator | machineconfigpools.machineconfiguration.openshift.io/worker",
		},
		{name: "parsable", result: poolResult(standalone.MachineConfigPoolInput{Pool: pool()}), at: 0},
	},
})

func withCases(a, b map[string][]healthCase) map[string][]healthCase {
	maps.Copy(b, a)
	return b
}

func kubelet(kind corev1.NodeConditionType, status corev1.ConditionStatus) builders.NodeOption {
	return builders.NodeCondition(kind, status, changed, "Reported", "kubelet reported it")
}
