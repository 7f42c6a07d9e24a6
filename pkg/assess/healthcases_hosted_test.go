package assess_test

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/hosted"
)

// hostedResult assesses the control plane of a hosted cluster after a change, which happened at the start.
func hostedResult(change func(*hostedWorld)) func(time.Time) assess.Result {
	w := newHostedWorld("surge", "Replace")
	change(w)
	return func(now time.Time) assess.Result {
		return hosted.Cluster(hosted.ClusterInput{HostedCluster: w.hc, Components: w.Components}, now)
	}
}

// hostedIs sets a condition of the HostedCluster.
func hostedIs(kind string, status metav1.ConditionStatus, reason, message string) func(*hostedWorld) {
	return func(w *hostedWorld) { w.condition(&w.hc.Status.Conditions, kind, status, reason, message) }
}

// askedAnd asks for another release, and changes more.
func askedAnd(more func(*hostedWorld)) func(*hostedWorld) {
	return func(w *hostedWorld) {
		w.hc.Spec.Release.Image = imageB
		more(w)
	}
}

func componentResult(conditions ...metav1.Condition) func(time.Time) assess.Result {
	return componentResultSince(0, conditions...)
}

// componentResultSince assesses a component whose rollout was observed for the first time some time after the start.
func componentResultSince(observed time.Duration, conditions ...metav1.Condition) func(time.Time) assess.Result {
	w := newHostedWorld("surge", "Replace")
	for _, one := range conditions {
		w.condition(&w.component("etcd").Status.Conditions, one.Type, one.Status, one.Reason, one.Message)
	}
	return func(now time.Time) assess.Result {
		return hosted.Component(hosted.ComponentInput{Component: w.component("etcd"), HostedCluster: w.hc, RolloutObserved: start.Add(observed)}, now)
	}
}

func rollout(status metav1.ConditionStatus, reason string) metav1.Condition {
	return metav1.Condition{Type: "RolloutComplete", Status: status, Reason: reason, Message: "2 of 3 replicas"}
}

// nodePoolResult assesses a pool with its nodes after a change.
func nodePoolResult(upgradeType string, change func(*hostedWorld)) func(time.Time) assess.Result {
	w := newHostedWorld("surge", upgradeType)
	change(w)
	return func(now time.Time) assess.Result {
		for _, report := range hosted.Assess(w.HostedInput, now)[1].Reports {
			if report.Subject == hosted.NodePoolSubject("surge") {
				return assess.Result{Report: report}
			}
		}
		return assess.Result{}
	}
}

// poolIs sets conditions of the NodePool that are False.
func poolIs(pairs ...string) func(*hostedWorld) {
	return func(w *hostedWorld) {
		for at := 0; at < len(pairs); at += 2 {
			w.condition(&w.np.Status.Conditions, pairs[at], "False", pairs[at+1], "it says why")
		}
	}
}

// replacing is a pool that is updated, with a Machine that was made some minutes after the start, and more that changes then.
func replacing(made int, more func(*hostedWorld)) func(*hostedWorld) {
	return func(w *hostedWorld) {
		w.poolAsks(versionB)
		poolIs("AllMachinesReady", "Provisioning")(w)
		w.now = w.now.Add(time.Duration(made) * time.Minute)
		w.addMachine("c", versionB)
		w.machine("c").CreationTimestamp = metav1.NewTime(w.now)
		more(w)
	}
}

// hostedNodeResult assesses the node a after a change.
func hostedNodeResult(change func(*hostedWorld)) func(time.Time) assess.Result {
	w := newHostedWorld("surge", "Replace")
	w.poolAsks(versionB)
	change(w)
	return func(now time.Time) assess.Result {
		in := hosted.NodeInput{
			PoolObjects: hosted.PoolObjects{NodePool: w.np, MachineDeployment: w.MachineDeployments[0]}, Node: trimmed(w.node("a")), Machine: w.machine("a"),
		}
		return hosted.Node(in, now)
	}
}

const (
	hostedDemo   = " | hostedclusters.hypershift.openshift.io/demo"
	componentRef = " | controlplanecomponents.hypershift.openshift.io/etcd"
	surgePool    = " | nodepools.hypershift.openshift.io/surge"
)

// hostedHealthCases are those of the checks that only hosted clusters have.
var hostedHealthCases = map[string][]healthCase{
	"hosted-cluster-blocked": {
		{
			name: "an image that is not valid",
			result: hostedResult(askedAnd(func(w *hostedWorld) {
				hostedIs("Progressing", "False", "Blocked", "release image is invalid")(w)
				hostedIs("ValidReleaseImage", "False", "InvalidImage", "no such image")(w)
			})),
			want: "Warning | Update Stalled | 08:00:00 | The update of hosted cluster demo is blocked | The release " + imageB +
				" is asked for. release image is invalid\nno such image" + hostedDemo,
		},
		{
			name:   "not upgradeable, without a message",
			result: hostedResult(askedAnd(hostedIs("Progressing", "False", "Blocked", ""))),
			want:   "Warning | Update Stalled | 08:00:00 | The update of hosted cluster demo is blocked | The release " + imageB + " is asked for. <no message>" + hostedDemo,
		},
		{
			name: "by a tag",
			result: hostedResult(func(w *hostedWorld) {
				w.hc.Spec.Release.Image = "quay.io/example/release:4.22.4"
				hostedIs("Progressing", "False", "Blocked", "not upgradeable")(w)
			}),
			want: "Warning | Update Stalled | 08:00:00 | The update of hosted cluster demo is blocked | The release quay.io/example/release:4.22.4 is asked for. not upgradeable" + hostedDemo,
		},
		{name: "by a tag, as it is", result: hostedResult(func(w *hostedWorld) { w.hc.Spec.Release.Image = "quay.io/example/release:4.22.3" })},
		{name: "paused until just now", at: time.Minute, result: hostedResult(askedAnd(func(w *hostedWorld) {
			w.hc.Spec.PausedUntil = ptr("2026-03-02T08:00:00Z")
			hostedIs("Progressing", "False", "Blocked", "paused")(w)
			hostedIs("ReconciliationActive", "False", "ReconciliationPaused", "")(w)
		}))},
		{name: "nothing else is asked for", result: hostedResult(hostedIs("Progressing", "False", "Blocked", ""))},
		{name: "at its version", result: hostedResult(askedAnd(hostedIs("Progressing", "False", "AsExpected", "")))},
		{name: "it goes on", result: hostedResult(askedAnd(hostedIs("Progressing", "True", "Blocked", "")))},
		{name: "unknown", result: hostedResult(askedAnd(func(w *hostedWorld) { w.hc.Status.Conditions = nil }))},
	},
	"hosted-cluster-paused": {
		{
			name: "and asked for another release",
			result: hostedResult(askedAnd(func(w *hostedWorld) {
				w.hc.Spec.PausedUntil = ptr("true")
				hostedIs("Progressing", "False", "Blocked", "paused")(w)
			})),
			want: `Warning | Update Stalled | - | Hosted cluster demo is paused and will not be updated | The HostedCluster has pausedUntil "true", which stops all changes ` +
				"to its control plane and its node pools, including updates. A payload that is being applied goes on." + hostedDemo,
		},
		{
			name: "half-way",
			result: hostedResult(func(w *hostedWorld) {
				w.hc.Spec.PausedUntil = ptr("2026-03-02T09:00:00Z")
				w.hc.Spec.Release.Image = imageB
				w.hc.Status.ControlPlaneVersion.History = append(w.hc.Status.ControlPlaneVersion.History, entry(versionA, -9, -8))
				w.begins(w.hc.Status.ControlPlaneVersion, versionB)
				w.begins(w.hc.Status.Version, versionB)
			}),
			want: `Warning | Update Stalled | - | Hosted cluster demo is paused and will not be updated | The HostedCluster has pausedUntil "2026-03-02T09:00:00Z", which stops all changes ` +
				"to its control plane and its node pools, including updates. A payload that is being applied goes on." + hostedDemo,
		},
		{name: "the payload alone, which goes on", result: hostedResult(askedAnd(func(w *hostedWorld) {
			w.hc.Spec.PausedUntil = ptr("true")
			w.begins(w.hc.Status.ControlPlaneVersion, versionB)
			w.completes(w.hc.Status.ControlPlaneVersion)
			w.begins(w.hc.Status.Version, versionB)
		}))},
		{
			name: "the payload alone, and asked for another release",
			result: hostedResult(func(w *hostedWorld) {
				w.hc.Spec.PausedUntil = ptr("true")
				w.begins(w.hc.Status.Version, versionB)
			}),
			want: `Warning | Update Stalled | - | Hosted cluster demo is paused and will not be updated | The HostedCluster has pausedUntil "true", which stops all changes ` +
				"to its control plane and its node pools, including updates. A payload that is being applied goes on." + hostedDemo,
		},
		{name: "nothing to do", result: hostedResult(func(w *hostedWorld) { w.hc.Spec.PausedUntil = ptr("true") })},
		{name: "a time that has passed", at: time.Minute, result: hostedResult(askedAnd(func(w *hostedWorld) { w.hc.Spec.PausedUntil = ptr("2026-03-02T08:00:00Z") }))},
	},
	"hosted-cluster-failing": {
		{
			name:   "failing",
			result: hostedResult(hostedIs("ClusterVersionSucceeding", "False", "ClusterOperatorsNotAvailable", "console is not available")),
			want:   "Warning | Update Stalled | 08:00:00 | Hosted cluster demo is failing to proceed with the update (ClusterOperatorsNotAvailable) | console is not available" + hostedDemo,
		},
		{name: "not known", result: hostedResult(hostedIs("ClusterVersionSucceeding", "Unknown", "StatusUnknown", ""))},
	},
	"hosted-cluster-unavailable":            hostedConditionCases("Available", "is unavailable", "API Availability"),
	"hosted-cluster-etcd-unavailable":       hostedConditionCases("EtcdAvailable", "has an unavailable etcd", "API Availability"),
	"hosted-cluster-api-server-unavailable": hostedConditionCases("KubeAPIServerAvailable", "has an unavailable API server", "API Availability"),
	"hosted-cluster-disconnected":           hostedConditionCases("DataPlaneConnectionAvailable", "has no connection to its nodes", "Update Stalled"),
	"hosted-cluster-previous-incomplete": {
		{
			name: "superseded",
			result: hostedResult(func(w *hostedWorld) {
				w.begins(w.hc.Status.Version, "4.22.5")
				w.begins(w.hc.Status.Version, versionB)
			}),
			want: "Warning | None | 08:00:00 | Previous update to 4.22.5 never completed, last complete update was 4.22.3 | " +
				"Current update to 4.22.4 was initiated while the previous update to version 4.22.5 was still in progress" + hostedDemo,
		},
		{name: "after a complete one", result: hostedResult(func(w *hostedWorld) { w.begins(w.hc.Status.Version, versionB) })},
	},
	"component-unavailable": {
		{
			name:   "for six minutes",
			at:     6 * time.Minute,
			result: componentResult(metav1.Condition{Type: "Available", Status: "False", Reason: "WaitingForAvailable", Message: "no quorum"}),
			want:   "Warning | API Availability | 08:00:00 | Control plane component etcd is unavailable (WaitingForAvailable) | no quorum" + componentRef,
		},
		{
			name:   "for long",
			at:     20 * time.Minute,
			result: componentResult(metav1.Condition{Type: "Available", Status: "False", Reason: "NotFound"}),
			want:   "Error | API Availability | 08:00:00 | Control plane component etcd is unavailable (NotFound) | <no message>" + componentRef,
		},
		{name: "for a moment", at: 5 * time.Minute, result: componentResult(metav1.Condition{Type: "Available", Status: "False", Reason: "NotFound"})},
		{name: "not known", at: time.Hour, result: componentResult(metav1.Condition{Type: "Available", Status: "Unknown", Reason: "NotFound"})},
	},
	"component-not-reconciled": {
		{
			name:   "for six minutes",
			at:     6 * time.Minute,
			result: componentResult(rollout("False", "ReconciliationError")),
			want:   "Warning | Update Stalled | 08:00:00 | Control plane component etcd can't be reconciled (ReconciliationError) | 2 of 3 replicas" + componentRef,
		},
		{
			name:   "for long",
			at:     40 * time.Minute,
			result: componentResult(rollout("False", "ReconciliationError")),
			want:   "Error | Update Stalled | 08:00:00 | Control plane component etcd can't be reconciled (ReconciliationError) | 2 of 3 replicas" + componentRef,
		},
		{name: "waits", at: time.Hour, result: componentResult(rollout("False", "WaitingForDependencies"))},
		{name: "after it has waited for others", at: 15 * time.Minute, result: componentResultSince(11*time.Minute, rollout("False", "ReconciliationError"))},
		{name: "done", at: time.Hour, result: componentResult(rollout("True", "ReconciliationError"))},
	},
	"component-slow": {
		{
			name:   "for long",
			at:     21 * time.Minute,
			result: componentResult(rollout("False", "WaitingForRolloutComplete")),
			want:   "Warning | Update Speed | 08:00:00 | Control plane component etcd is taking long to roll out (WaitingForRolloutComplete) | 2 of 3 replicas" + componentRef,
		},
		{name: "for a while", at: 20 * time.Minute, result: componentResult(rollout("False", "WaitingForRolloutComplete"))},
		{name: "after it has waited for others", at: 30 * time.Minute, result: componentResultSince(11*time.Minute, rollout("False", "WaitingForRolloutComplete"))},
		{
			name:   "for long, after it has waited for others",
			at:     32 * time.Minute,
			result: componentResultSince(11*time.Minute, rollout("False", "WaitingForRolloutComplete")),
			want:   "Warning | Update Speed | 08:11:00 | Control plane component etcd is taking long to roll out (WaitingForRolloutComplete) | 2 of 3 replicas" + componentRef,
		},
		{name: "done", at: time.Hour, result: componentResult(rollout("True", "WaitingForRolloutComplete"))},
	},
	"node-pool-refused": {
		{
			name:   "not managed: all else is outdated",
			result: nodePoolResult("Replace", poolIs("UpdateManagementEnabled", "ValidationFailed", "ValidReleaseImage", "ValidationFailed", "Ready", "TooManyUnhealthy")),
			want:   "Warning | Update Stalled | 08:00:00 | Node pool surge can't be updated (ValidationFailed) | it says why" + surgePool,
		},
		{
			name:   "a release that is not valid",
			result: nodePoolResult("Replace", poolIs("ValidReleaseImage", "ValidationFailed", "SupportedVersionSkew", "UnsupportedSkew")),
			want:   "Warning | Update Stalled | 08:00:00 | Node pool surge can't be updated (ValidationFailed) | it says why" + surgePool,
		},
		{
			name:   "a configuration that is not valid",
			result: nodePoolResult("Replace", poolIs("ValidMachineConfig", "ValidationFailed", "ValidGeneratedPayload", "Failed")),
			want:   "Warning | Update Stalled | 08:00:00 | Node pool surge can't be updated (ValidationFailed) | it says why" + surgePool,
		},
		{name: "valid", result: nodePoolResult("Replace", func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "ValidReleaseImage", "True", "AsExpected", "")
		})},
	},
	"node-pool-in-place-failed": {
		{
			name:   "failed",
			result: nodePoolResult("InPlace", poolIs("UpdatingVersion", "InplaceUpgradeFailed")),
			want:   "Error | Update Stalled | 08:00:00 | Node pool surge has failed to update a node in place (InplaceUpgradeFailed) | it says why" + surgePool,
		},
		{name: "another type", result: nodePoolResult("Replace", poolIs("UpdatingVersion", "InplaceUpgradeFailed"))},
		{name: "not updating", result: nodePoolResult("InPlace", poolIs("UpdatingVersion", "AsExpected"))},
		{name: "updating", result: nodePoolResult("InPlace", func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "UpdatingVersion", "True", "InplaceUpgradeFailed", "")
		})},
		{name: "unknown", result: nodePoolResult("InPlace", func(*hostedWorld) {})},
	},
	"node-pool-payload-invalid": {
		{
			name:   "not valid",
			result: nodePoolResult("Replace", poolIs("ValidGeneratedPayload", "InvalidConfig")),
			want:   "Warning | Update Stalled | 08:00:00 | Node pool surge has no valid configuration for new nodes (InvalidConfig) | it says why" + surgePool,
		},
		{name: "unknown", result: nodePoolResult("Replace", func(*hostedWorld) {})},
	},
	"node-pool-unsupported": {
		{
			name:   "after the control plane",
			at:     6 * time.Minute,
			result: nodePoolResult("Replace", poolIs("SupportedVersionSkew", "UnsupportedSkew")),
			want:   "Warning | Unknown | 08:00:00 | Node pool surge has a version that the control plane does not support (UnsupportedSkew) | it says why" + surgePool,
		},
		{name: "during its update", at: time.Hour, result: nodePoolResult("Replace", func(w *hostedWorld) {
			poolIs("SupportedVersionSkew", "UnsupportedSkew")(w)
			w.begins(w.hc.Status.Version, versionB)
		})},
		{
			name: "while the components are updated",
			at:   6 * time.Minute,
			result: nodePoolResult("Replace", func(w *hostedWorld) {
				poolIs("SupportedVersionSkew", "UnsupportedSkew")(w)
				w.begins(w.hc.Status.ControlPlaneVersion, versionB)
			}),
			want: "Warning | Unknown | 08:00:00 | Node pool surge has a version that the control plane does not support (UnsupportedSkew) | it says why" + surgePool,
		},
		{name: "right after its update", at: 8 * time.Minute, result: nodePoolResult("Replace", func(w *hostedWorld) {
			poolIs("SupportedVersionSkew", "UnsupportedSkew")(w)
			w.begins(w.hc.Status.Version, versionB)
			w.now = w.now.Add(5 * time.Minute)
			w.completes(w.hc.Status.Version)
		})},
		{name: "another reason", at: time.Hour, result: nodePoolResult("Replace", poolIs("SupportedVersionSkew", "Other"))},
	},
	"node-pool-unhealthy": {
		{
			name:   "too many",
			result: nodePoolResult("Replace", poolIs("Ready", "TooManyUnhealthy")),
			want:   "Warning | Cluster Capacity | 08:00:00 | Node pool surge has too many unhealthy nodes (TooManyUnhealthy) | it says why" + surgePool,
		},
		{name: "another reason", result: nodePoolResult("Replace", poolIs("Ready", "ScalingUp"))},
		{name: "paused, which leaves it as it was", result: nodePoolResult("Replace", poolIs("Ready", "TooManyUnhealthy", "ReconciliationActive", "ReconciliationPaused"))},
	},
	"node-pool-machines-not-ready": {
		{
			name:   "for long",
			at:     41 * time.Minute,
			result: nodePoolResult("Replace", poolIs("AllMachinesReady", "Provisioning")),
			want:   "Warning | Update Speed | 08:00:00 | Node pool surge has waited long for its Machines (Provisioning) | it says why" + surgePool,
		},
		{name: "for a while", at: 40 * time.Minute, result: nodePoolResult("Replace", poolIs("AllMachinesReady", "Provisioning"))},
		{name: "by a new Machine, which is not old", at: 60 * time.Minute, result: nodePoolResult("Replace", replacing(30, func(*hostedWorld) {}))},
		{
			name:   "by a new Machine, which is old",
			at:     60 * time.Minute,
			result: nodePoolResult("Replace", replacing(15, func(*hostedWorld) {})),
			want:   "Warning | Update Speed | 08:15:00 | Node pool surge has waited long for its Machines (Provisioning) | it says why" + surgePool,
		},
		{
			name:   "by a new Machine, while an old one is drained",
			at:     60 * time.Minute,
			result: nodePoolResult("Replace", replacing(15, func(w *hostedWorld) { w.leaves("a") })),
			want:   "Warning | Update Speed | 08:15:00 | Node pool surge has waited long for its Machines (Provisioning) | it says why" + surgePool,
		},
		{name: "by an old one that is drained", at: 60 * time.Minute, result: nodePoolResult("Replace", replacing(15, func(w *hostedWorld) {
			w.isGone("c")
			w.leaves("a")
		}))},
	},
	"node-pool-paused": {
		{
			name: "with outdated nodes",
			result: nodePoolResult("Replace", func(w *hostedWorld) {
				w.poolAsks(versionB)
				w.np.Spec.PausedUntil = ptr("true")
			}),
			want: "Warning | Update Stalled | - | Outdated nodes in paused node pool surge will not be updated | The NodePool or its HostedCluster has pausedUntil, which stops " +
				"all changes to the nodes of the pool, including updates. The nodes will not be updated until it has passed or is removed." + surgePool,
		},
		{name: "with updated nodes", result: nodePoolResult("Replace", func(w *hostedWorld) { w.np.Spec.PausedUntil = ptr("true") })},
		{name: "not paused", result: nodePoolResult("Replace", func(w *hostedWorld) { w.poolAsks(versionB) })},
	},
	"node-pool-on-delete": {
		{
			name:   "two nodes wait",
			result: nodePoolResult("Replace", onDelete(func(w *hostedWorld) { w.poolAsks(versionB) })),
			want: "Warning | Update Stalled | - | Nodes of node pool surge wait for the deletion of their Machines | The NodePool has the strategy OnDelete: " +
				"a node is replaced when an administrator deletes its Machine, in namespace clusters-demo of the management cluster. Waiting: 2 nodes." + surgePool,
		},
		{name: "none waits", result: nodePoolResult("Replace", onDelete(func(*hostedWorld) {}))},
		{name: "updated in place", result: nodePoolResult("InPlace", onDelete(func(w *hostedWorld) { w.poolAsks(versionB) }))},
		{name: "rolling", result: nodePoolResult("Replace", func(w *hostedWorld) {
			w.poolAsks(versionB)
			w.np.Spec.Management.Replace = &hypershiftv1beta1.ReplaceUpgrade{Strategy: "RollingUpdate"}
		})},
	},
	"hosted-node-drain-long": {
		{
			name:   "for eleven minutes",
			at:     11 * time.Minute,
			result: hostedNodeResult(func(w *hostedWorld) { w.leaves("a") }),
			want:   "Warning | Update Stalled | 08:00:00 | " + longDrain + " Drain not completed yet: pod shop/cart-0 | nodes/a",
		},
		{
			name: "for an hour, without a word",
			at:   time.Hour,
			result: hostedNodeResult(func(w *hostedWorld) {
				w.leaves("a")
				w.machine("a").Status.Conditions = nil
			}),
			want: "Error | Update Stalled | 08:00:00 | " + longDrain + " <no message> | nodes/a",
		},
		{name: "for ten minutes", at: 10 * time.Minute, result: hostedNodeResult(func(w *hostedWorld) { w.leaves("a") })},
		{name: "waits", at: time.Hour, result: hostedNodeResult(func(*hostedWorld) {})},
	},
	"machine-failed": {
		{
			name: "with a message",
			result: hostedNodeResult(func(w *hostedWorld) {
				w.machine("a").Status.Phase, w.machine("a").Status.FailureMessage = "Failed", ptr("no capacity")
			}),
			want: "Error | Update Stalled | - | Machine m-a has failed | no capacity | machines.cluster.x-k8s.io/m-a",
		},
		{
			name:   "without",
			result: hostedNodeResult(func(w *hostedWorld) { w.machine("a").Status.Phase = "Failed" }),
			want:   "Error | Update Stalled | - | Machine m-a has failed | <no message> | machines.cluster.x-k8s.io/m-a",
		},
		{name: "running", result: hostedNodeResult(func(*hostedWorld) {})},
	},
}

const longDrain = "Node a is taking long to drain, cause unknown | A drain waits for every pod that a PodDisruptionBudget protects; " +
	"without a nodeDrainTimeout in the NodePool it waits for ever."

func onDelete(more func(*hostedWorld)) func(*hostedWorld) {
	return func(w *hostedWorld) {
		w.np.Spec.Management.Replace = &hypershiftv1beta1.ReplaceUpgrade{Strategy: "OnDelete"}
		more(w)
	}
}

// hostedConditionCases are those of a condition that is a problem when it has been False for long.
func hostedConditionCases(kind, is, impact string) []healthCase {
	want := func(level string) string {
		return level + " | " + impact + " | 08:00:00 | Hosted cluster demo " + is + " (Down) | it says why" + hostedDemo
	}
	return []healthCase{
		{name: "for six minutes", at: 6 * time.Minute, result: hostedResult(hostedIs(kind, "False", "Down", "it says why")), want: want("Warning")},
		{name: "for long", at: 20 * time.Minute, result: hostedResult(hostedIs(kind, "False", "Down", "it says why")), want: want("Error")},
		{name: "for a moment", at: 5 * time.Minute, result: hostedResult(hostedIs(kind, "False", "Down", ""))},
		{name: "not known", at: time.Hour, result: hostedResult(hostedIs(kind, "Unknown", "StatusUnknown", ""))},
	}
}
