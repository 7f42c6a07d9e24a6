package standalone_test

import (
	"time"

	policyv1 "k8s.io/api/policy/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
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
	return func(now time.Time) assess.Result {
		in.Target = standalone.Target{Known: true, Version: target}
		return standalone.MachineConfigPool(in, now)
	}
}

// aheadResult assesses a prediction, while an update is in progress or not.
func aheadResult(updating bool, prediction drain.Prediction) func(time.Time) assess.Result {
	return func(time.Time) assess.Result {
		reports := standalone.DrainsAhead(standalone.DrainsAheadInput{Predictions: []drain.Prediction{prediction}, Update: ledger.Update{Unfinished: updating}})
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

// healthCases are the cases of each check, with times after the start of the update.
var healthCases = healthcases.Cases{
	"update-not-accepted":    requestCases()["update-not-accepted"],
	"update-request-ignored": requestCases()["update-request-ignored"],
	"pool-degraded":          poolCases()["pool-degraded"],
	"pool-not-starting":      poolCases()["pool-not-starting"],
	"pool-slowed":            poolCases()["pool-slowed"],
	"node-drain-blocked":     drainCases(),
	"pool-will-not-drain": {
		{
			Name:   "one budget",
			Result: aheadResult(true, drain.Prediction{Pool: "worker", Waiting: 12, Nodes: []string{"w-1", "w-2"}, Budgets: []*policyv1.PodDisruptionBudget{builders.Budget("shop", "cart", nil)}}),
			Want: "Warning | Update Stalled | - | 2 of 12 nodes in pool 'worker' that wait will not drain: PodDisruptionBudget shop/cart never allows a disruption | " +
				"Each of these nodes has a pod that can't be evicted, by the setting of its PodDisruptionBudget and the replicas of its workload, even if all of its pods are " +
				"healthy: the update will wait for it. Run more replicas of the workload, or change the PodDisruptionBudget to allow one disruption, at least during the update. " +
				"The nodes are w-1, w-2, because of PodDisruptionBudget shop/cart. | " +
				"machineconfigpools.machineconfiguration.openshift.io/worker poddisruptionbudgets.policy/cart nodes/w-1 nodes/w-2",
		},
		{
			Name: "several budgets",
			Result: aheadResult(true, drain.Prediction{Pool: "infra", Waiting: 1, Nodes: []string{"i-1"}, Budgets: []*policyv1.PodDisruptionBudget{
				builders.Budget("shop", "cart", nil), builders.Budget("shop", "pay", nil), builders.Budget("test", "cart", nil),
			}}),
			Want: "Warning | Update Stalled | - | 1 of 1 node in pool 'infra' that wait will not drain: PodDisruptionBudget shop/cart and 2 more PodDisruptionBudgets never allow a disruption | " +
				"Each of these nodes has a pod that can't be evicted, by the setting of its PodDisruptionBudget and the replicas of its workload, even if all of its pods are " +
				"healthy: the update will wait for it. Run more replicas of the workload, or change the PodDisruptionBudget to allow one disruption, at least during the update. " +
				"The nodes are i-1, because of PodDisruptionBudget shop/cart, PodDisruptionBudget shop/pay, PodDisruptionBudget test/cart. | " +
				"machineconfigpools.machineconfiguration.openshift.io/infra poddisruptionbudgets.policy/cart poddisruptionbudgets.policy/pay poddisruptionbudgets.policy/cart nodes/i-1",
		},
		{
			Name:   "without an update",
			Result: aheadResult(false, drain.Prediction{Pool: "worker", Waiting: 1, Nodes: []string{"w-1"}, Budgets: []*policyv1.PodDisruptionBudget{builders.Budget("shop", "cart", nil)}}),
		},
	},

	"cluster-version-failing-unknown": {
		{
			Name:   "no condition",
			Result: versionResult(updating(), 1),
			At:     time.Minute,
			Want:   "Warning | Update Stalled | - | Cluster Version version has no Failing condition | The Cluster Version Operator does not report whether it can proceed with the update. | clusterversions.config.openshift.io/version",
		},
		{Name: "not failing", Result: versionResult(notFailing(), 1), At: time.Minute},
	},
	"cluster-version-failing":         failingCases,
	"cluster-version-operator-silent": silentCases,
	"cluster-version-overrides":       overridesCases,
	"cluster-version-status-frozen":   frozenCases,
	"previous-update-incomplete": {
		{
			Name:   "after a complete one",
			Result: versionResult(history(builders.Completed("4.20.0", installed, installed.Add(time.Hour)), builders.Completed(before, installed, start), builders.Partial(target, start)), 1),
			At:     time.Minute,
		},
		{
			Name:   "after an incomplete one",
			Result: versionResult(history(builders.Completed("4.20.0", installed, installed.Add(time.Hour)), builders.Partial(before, installed), builders.Partial(target, start)), 1),
			At:     time.Minute,
			Want:   "Info | None | 08:00:00 | Previous update to 4.20.1 never completed, last complete update was 4.20.0 | Current update to 4.20.2 was initiated while the previous update to version 4.20.1 was still in progress | clusterversions.config.openshift.io/version",
		},
		{
			Name:   "without a complete update",
			Result: versionResult(history(builders.Partial(before, installed), builders.Partial(target, start)), 1),
			At:     time.Minute,
			Want:   "Info | None | 08:00:00 | Previous update to 4.20.1 never completed, last complete update was unknown | Current update to 4.20.2 was initiated while the previous update to version 4.20.1 was still in progress | clusterversions.config.openshift.io/version",
		},
		{
			Name:   "all operators are updated, and the update is not complete",
			Result: versionResult(history(builders.Partial(before, installed), builders.Partial(target, start)), 4),
			At:     time.Minute,
			Want:   "Info | None | 08:00:00 | Previous update to 4.20.1 never completed, last complete update was unknown | Current update to 4.20.2 was initiated while the previous update to version 4.20.1 was still in progress | clusterversions.config.openshift.io/version",
		},
		{
			Name:   "the control plane is complete",
			Result: versionResult(history(builders.Partial(before, installed), builders.Completed(target, start, start.Add(time.Minute))), 4),
			At:     2 * time.Minute,
		},
		{
			Name:   "the update is complete, and an operator reports another version since",
			Result: versionResult(history(builders.Partial(before, installed), builders.Completed(target, start, start.Add(time.Minute))), 3),
			At:     2 * time.Minute,
		},
	},

	"kubelet-certificates-pending": certificateCases(),
	"node-in-several-pools": {
		{Name: "in one", Result: nodeResult([]string{"infra"}), At: 0},
		{
			Name:   "in two",
			Result: nodeResult([]string{"infra", "zebra"}),
			At:     0,
			Want:   "Warning | Update Stalled | - | Node node-a matches several custom pools: infra, zebra | A node can belong to one custom pool only. The Machine Config Operator does not update the node until the labels of the node or the node selectors of the pools are changed so that at most one custom pool matches. | nodes/node-a machineconfigpools.machineconfiguration.openshift.io/infra machineconfigpools.machineconfiguration.openshift.io/zebra",
		},
	},
	"pool-paused": {
		{
			Name:   "with outdated nodes",
			Result: poolResult(standalone.MachineConfigPoolInput{Pool: pool(builders.Paused()), Nodes: insight.CountNodes(nodes("cx")...)}),
			At:     0,
			Want:   "Warning | Update Stalled | - | Outdated nodes in a paused pool 'worker' will not be updated | Pool is paused, which stops all changes to the nodes in the pool, including updates. The nodes will not be updated until the pool is unpaused by the administrator. | machineconfigpools.machineconfiguration.openshift.io/worker",
		},
		{
			Name:   "with updated nodes",
			Result: poolResult(standalone.MachineConfigPoolInput{Pool: pool(builders.Paused()), Nodes: insight.CountNodes(nodes("cc")...)}),
			At:     0,
		},
		{
			Name:   "not paused",
			Result: poolResult(standalone.MachineConfigPoolInput{Pool: pool(), Nodes: insight.CountNodes(nodes("cp")...)}),
			At:     0,
		},
	},
	"pool-selector-unparsable": {
		{
			Name:   "unparsable",
			Result: poolResult(standalone.MachineConfigPoolInput{Pool: pool(), SelectorError: "no such operator"}),
			At:     0,
			Want:   "Warning | Update Stalled | - | The node selector of pool 'worker' cannot be parsed | The Machine Config Operator can't tell which nodes belong to which pool, and updates no node of any pool until the node selector is corrected: no such operator | machineconfigpools.machineconfiguration.openshift.io/worker",
		},
		{Name: "parsable", Result: poolResult(standalone.MachineConfigPoolInput{Pool: pool()}), At: 0},
	},
}
