package hosted_test

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/healthcases"
)

// hostedResult assesses the control plane of a hosted cluster after a change, which happened at the start.
func hostedResult(change func(*hostedWorld)) func(time.Time) assess.Result {
	w := newHostedWorld("surge", "Replace")
	change(w)
	return func(now time.Time) assess.Result {
		return hosted.Cluster(hosted.ClusterInput{HostedCluster: w.hc, Components: w.Components}, now)
	}
}

// hostedWorldResult is hostedResult with the nodes of the hosted cluster.
func hostedWorldResult(change func(*hostedWorld)) func(time.Time) assess.Result {
	w := newHostedWorld("surge", "Replace")
	change(w)
	return func(now time.Time) assess.Result {
		message, nextCheck := hosted.ControlPlane(w.Input, now)
		return assess.Result{Report: message.Reports[0], NextCheck: nextCheck}
	}
}

// hostedIs sets a condition of the HostedCluster.
func hostedIs(kind string, status metav1.ConditionStatus, reason, message string) func(*hostedWorld) {
	return func(w *hostedWorld) { w.condition(&w.hc.Status.Conditions, kind, status, reason, message) }
}

// hostedFails makes conditions of the HostedCluster False.
func hostedFails(kinds ...string) func(*hostedWorld) {
	return func(w *hostedWorld) {
		for _, kind := range kinds {
			hostedIs(kind, "False", "Down", "it says why")(w)
		}
	}
}

// blocked is a refusal, or another reason for which HyperShift does not update the cluster.
func blocked(message string) func(*hostedWorld) {
	return hostedIs("Progressing", "False", "Blocked", message)
}

const notUpgradeable = "ClusterVersionUpgradeable condition is false: cluster version is not upgradeable"

// isBlocked is what is reported of a refusal.
func isBlocked(level, image, message string) string {
	why, _, _ := strings.Cut(message, " ")
	return level + " | Update Stalled | 08:00:00 | The update of hosted cluster demo is blocked (" + why + ") | The release " + image + " is requested. " + message + hostedDemo
}

// askedSince asks for another release, which is observed since the start, and changes more.
func askedSince(more func(*hostedWorld)) func(*hostedWorld) {
	return askedAnd(func(w *hostedWorld) {
		w.Observed = map[string]time.Time{hosted.RequestKey: start}
		more(w)
	})
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
		for _, report := range hosted.Assess(w.Input, now)[1].Reports {
			if report.Subject == (insight.Subject{Kind: "NodePool", Name: "surge"}) {
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
			PoolObjects: hosted.PoolObjects{NodePool: w.np, MachineDeployment: w.MachineDeployments[0]}, Node: nodestate.Trim(w.node("a")), Machine: w.machine("a"),
		}
		return hosted.Node(in, now)
	}
}

const (
	hostedDemo   = " | hostedclusters.hypershift.openshift.io/demo"
	componentRef = " | controlplanecomponents.hypershift.openshift.io/etcd"
	surgePool    = " | nodepools.hypershift.openshift.io/surge"
)

// pausedRest is the rest of the description of a paused HostedCluster.
const pausedRest = "of its control plane, and of node pools whose nodes are replaced. A payload that is being applied continues, " +
	"and so do node pools that are updated in place."

// hostedHealthCases are those of the checks that only hosted clusters have.
var healthCases = healthcases.Cases{
	"hosted-cluster-blocked": {
		{
			Name: "an image that is not valid",
			Result: hostedWorldResult(askedSince(func(w *hostedWorld) {
				blocked("ValidReleaseImage condition is false: no such image")(w)
				hostedIs("ValidReleaseImage", "False", "InvalidImage", "no such image")(w)
			})),
			Want: isBlocked("Warning", imageB, "ValidReleaseImage condition is false: no such image"),
		},
		{
			Name: "an image that is not valid, for long",
			At:   20 * time.Minute,
			Result: hostedWorldResult(askedSince(func(w *hostedWorld) {
				blocked("ValidReleaseImage condition is false: no such image")(w)
				hostedIs("ValidReleaseImage", "False", "InvalidImage", "no such image")(w)
			})),
			Want: isBlocked("Error", imageB, "ValidReleaseImage condition is false: no such image"),
		},
		{
			Name:   "not upgradeable",
			Result: hostedWorldResult(askedSince(blocked(notUpgradeable))),
			Want:   isBlocked("Error", imageB, notUpgradeable),
		},
		{
			Name:   "a configuration that is not valid",
			Result: hostedWorldResult(askedSince(blocked("ValidHostedClusterConfiguration condition is false: no route"))),
			Want:   isBlocked("Error", imageB, "ValidHostedClusterConfiguration condition is false: no route"),
		},
		{
			Name:   "a cluster that is not supported",
			Result: hostedWorldResult(askedSince(blocked("SupportedHostedCluster condition is false: wrong region"))),
			Want:   isBlocked("Error", imageB, "SupportedHostedCluster condition is false: wrong region"),
		},
		{
			Name: "by a tag",
			Result: hostedWorldResult(askedSince(func(w *hostedWorld) {
				w.hc.Spec.Release.Image = "quay.io/example/release:4.22.4"
				blocked(notUpgradeable)(w)
			})),
			Want: isBlocked("Error", "quay.io/example/release:4.22.4", notUpgradeable),
		},
		{
			Name: "with an error that says the same",
			At:   time.Hour,
			Result: hostedWorldResult(askedSince(func(w *hostedWorld) {
				blocked(notUpgradeable)(w)
				hostedFails("ReconciliationSucceeded")(w)
			})),
			Want: isBlocked("Error", imageB, notUpgradeable),
		},
		{Name: "an image of which nothing else is said", Result: hostedWorldResult(askedSince(blocked("ValidReleaseImage condition is false: no such image")))},
		{Name: "a digest that can't be looked up", Result: hostedWorldResult(askedSince(blocked("failed to get the digest: connection refused")))},
		{Name: "by a tag, as it is, with a configuration that is not valid", Result: hostedResult(func(w *hostedWorld) {
			w.hc.Spec.Release.Image = "quay.io/example/release:4.22.3"
			blocked("ValidHostedClusterConfiguration condition is false: no route")(w)
		})},
		{Name: "by a tag, as it is", Result: hostedResult(func(w *hostedWorld) { w.hc.Spec.Release.Image = "quay.io/example/release:4.22.3" })},
		{Name: "paused until just now", At: time.Minute, Result: hostedWorldResult(askedSince(func(w *hostedWorld) {
			w.hc.Spec.PausedUntil = ptr("2026-03-02T08:00:00Z")
			blocked("ReconciliationActive condition is false: Reconciliation paused until: 2026-03-02T08:00:00Z")(w)
		}))},
		{Name: "nothing else is asked for", Result: hostedResult(blocked(notUpgradeable))},
		{Name: "at its version", Result: hostedWorldResult(askedSince(hostedIs("Progressing", "False", "AsExpected", notUpgradeable)))},
		{Name: "it goes on", Result: hostedWorldResult(askedSince(hostedIs("Progressing", "True", "Blocked", notUpgradeable)))},
		{Name: "unknown", Result: hostedWorldResult(askedSince(func(w *hostedWorld) { w.hc.Status.Conditions = nil }))},
	},
	"hosted-cluster-request-ignored": {
		{
			Name: "for eleven minutes", At: 11 * time.Minute, Result: hostedWorldResult(askedSince(func(*hostedWorld) {})),
			Want: "Warning | Update Stalled | 08:00:00 | The requested update of hosted cluster demo is ignored | The release " + imageB +
				" is requested, and HyperShift neither starts the update nor reports why." + hostedDemo,
		},
		{Name: "for ten minutes", At: 10 * time.Minute, Result: hostedWorldResult(askedSince(func(*hostedWorld) {}))},
		{Name: "not known since when", At: time.Hour, Result: hostedWorldResult(askedSince(func(w *hostedWorld) { w.Observed = nil }))},
		{Name: "it was taken back", At: time.Hour, Result: hostedWorldResult(askedSince(func(w *hostedWorld) { w.hc.Spec.Release.Image = imageA }))},
		{Name: "it goes on", At: time.Minute, Result: hostedWorldResult(askedSince(hostedIs("Progressing", "True", "Progressing", "")))},
	},
	"hosted-cluster-paused": {
		{
			Name: "and asked for another release",
			Result: hostedResult(askedAnd(func(w *hostedWorld) {
				w.hc.Spec.PausedUntil = ptr("true")
				blocked("ReconciliationActive condition is false: Reconciliation paused until field removed")(w)
			})),
			Want: `Warning | Update Stalled | - | Hosted cluster demo is paused and will not be updated | The HostedCluster has pausedUntil "true", which stops updates ` +
				pausedRest + hostedDemo,
		},
		{
			Name: "half-way",
			Result: hostedResult(func(w *hostedWorld) {
				w.hc.Spec.PausedUntil = ptr("2026-03-02T09:00:00Z")
				w.hc.Spec.Release.Image = imageB
				w.hc.Status.ControlPlaneVersion.History = append(w.hc.Status.ControlPlaneVersion.History, entry(versionA, -9, -8))
				w.begins(w.hc.Status.ControlPlaneVersion, versionB)
				w.begins(w.hc.Status.Version, versionB)
			}),
			Want: `Warning | Update Stalled | - | Hosted cluster demo is paused and will not be updated | The HostedCluster has pausedUntil "2026-03-02T09:00:00Z", which stops updates ` +
				pausedRest + hostedDemo,
		},
		{Name: "the payload alone, which goes on", Result: hostedResult(askedAnd(func(w *hostedWorld) {
			w.hc.Spec.PausedUntil = ptr("true")
			w.begins(w.hc.Status.ControlPlaneVersion, versionB)
			w.completes(w.hc.Status.ControlPlaneVersion)
			w.begins(w.hc.Status.Version, versionB)
		}))},
		{
			Name: "the payload alone, and asked for another release",
			Result: hostedResult(func(w *hostedWorld) {
				w.hc.Spec.PausedUntil = ptr("true")
				w.begins(w.hc.Status.Version, versionB)
			}),
			Want: `Warning | Update Stalled | - | Hosted cluster demo is paused and will not be updated | The HostedCluster has pausedUntil "true", which stops updates ` +
				pausedRest + hostedDemo,
		},
		{Name: "nothing to do", Result: hostedResult(func(w *hostedWorld) { w.hc.Spec.PausedUntil = ptr("true") })},
		{Name: "not paused, in a word", Result: hostedResult(askedAnd(func(w *hostedWorld) { w.hc.Spec.PausedUntil = ptr("f") }))},
		{Name: "a time that has passed", At: time.Minute, Result: hostedResult(askedAnd(func(w *hostedWorld) { w.hc.Spec.PausedUntil = ptr("2026-03-02T08:00:00Z") }))},
	},
	"hosted-cluster-stopped": {
		{
			Name:   "no credentials, which is why it can't be reconciled",
			At:     6 * time.Minute,
			Result: hostedResult(hostedFails("PlatformCredentialsFound", "ReconciliationSucceeded")),
			Want:   "Warning | Update Stalled | 08:00:00 | Hosted cluster demo can't update its control plane (Down): it says why | it says why" + hostedDemo,
		},
		{
			Name:   "a configuration that is not valid",
			At:     time.Hour,
			Result: hostedResult(hostedFails("ValidHostedControlPlaneConfiguration")),
			Want:   "Warning | Update Stalled | 08:00:00 | Hosted cluster demo can't update its control plane (Down): it says why | it says why" + hostedDemo,
		},
		{Name: "for a moment", At: 5 * time.Minute, Result: hostedResult(hostedFails("PlatformCredentialsFound", "ReconciliationSucceeded"))},
		{Name: "not known", At: time.Hour, Result: hostedResult(hostedIs("ValidHostedControlPlaneConfiguration", "Unknown", "StatusUnknown", ""))},
	},
	"hosted-cluster-release-not-accepted": hostedConditionCases("ClusterVersionReleaseAccepted", "does not accept the release of its payload", "Update Stalled"),
	"hosted-cluster-not-reconciled": {
		{
			Name:   "for six minutes",
			At:     6 * time.Minute,
			Result: hostedResult(hostedFails("ReconciliationSucceeded")),
			Want:   "Warning | Unknown | 08:00:00 | Hosted cluster demo can't be reconciled (Down): it says why | it says why" + hostedDemo,
		},
		{
			Name: "an image that can't be looked up: its pull secret is gone",
			At:   6 * time.Minute,
			Result: hostedResult(askedAnd(func(w *hostedWorld) {
				blocked("ValidReleaseImage condition is false: failed to get pull secret")(w)
				hostedIs("ValidReleaseImage", "False", "SecretNotFound", "failed to get pull secret")(w)
				hostedFails("ReconciliationSucceeded")(w)
			})),
			Want: "Warning | Unknown | 08:00:00 | Hosted cluster demo can't be reconciled (Down): it says why | it says why" + hostedDemo,
		},
		{Name: "for a moment", At: 5 * time.Minute, Result: hostedResult(hostedFails("ReconciliationSucceeded"))},
		{Name: "it is", At: time.Hour, Result: hostedResult(hostedIs("ReconciliationSucceeded", "True", "ReconciliatonSucceeded", ""))},
	},
	"hosted-cluster-etcd-recovery-failed": {
		{
			Name:   "failed",
			Result: hostedResult(hostedIs("EtcdRecoveryActive", "False", "EtcdRecoveryJobFailed", "the Etcd cluster requires manual intervention.")),
			Want: "Error | API Availability | 08:00:00 | Hosted cluster demo has an etcd that must be repaired manually (EtcdRecoveryJobFailed): the Etcd cluster requires manual intervention. | " +
				"the Etcd cluster requires manual intervention." + hostedDemo,
		},
		{Name: "not needed", Result: hostedResult(hostedIs("EtcdRecoveryActive", "False", "AsExpected", ""))},
		{Name: "at work", Result: hostedResult(hostedIs("EtcdRecoveryActive", "True", "EtcdRecoveryJobFailed", ""))},
	},
	"hosted-cluster-failing": {
		{
			Name:   "failing",
			Result: hostedResult(hostedIs("ClusterVersionSucceeding", "False", "ClusterOperatorsNotAvailable", "console is not available")),
			Want:   "Warning | Update Stalled | 08:00:00 | Hosted cluster demo is failing to proceed with the update (ClusterOperatorsNotAvailable): console is not available | console is not available" + hostedDemo,
		},
		{
			Name:   "an operator that is slow",
			Result: hostedResult(hostedIs("ClusterVersionSucceeding", "Unknown", "SlowClusterOperator", "waiting on network over 90 minutes")),
			Want: "Warning | Update Stalled | 08:00:00 | Hosted cluster demo may be failing to proceed with the update (SlowClusterOperator): waiting on network over 90 minutes | " +
				"waiting on network over 90 minutes" + hostedDemo,
		},
		{Name: "not known", Result: hostedResult(hostedIs("ClusterVersionSucceeding", "Unknown", "StatusUnknown", ""))},
		{Name: "no condition", Result: hostedResult(func(w *hostedWorld) { w.hc.Status.Conditions = nil })},
	},
	"hosted-cluster-unavailable":            hostedConditionCases("Available", "is unavailable", "API Availability"),
	"hosted-cluster-etcd-unavailable":       hostedConditionCases("EtcdAvailable", "has an unavailable etcd", "API Availability"),
	"hosted-cluster-api-server-unavailable": hostedConditionCases("KubeAPIServerAvailable", "has an unavailable API server", "API Availability"),
	"hosted-cluster-disconnected":           hostedConditionCases("DataPlaneConnectionAvailable", "has no connection to its nodes", "Update Stalled"),
	"hosted-cluster-nodes-without-pool": {
		{
			Name: "of AutoNode, beside a pool",
			At:   11 * time.Minute,
			Result: hostedWorldResult(func(w *hostedWorld) {
				w.unmanaged("karpenter-2", 5)
				w.unmanaged("karpenter-1", 0)
			}),
			Want: "Info | None | 08:00:00 | Hosted cluster demo has 2 nodes that belong to no node pool | Nodes of platform None, and nodes that AutoNode creates, have " +
				"neither a Machine nor the label of a NodePool, for example node karpenter-1. It is unknown whether they are updated, and no pool counts them." + hostedDemo,
		},
		{Name: "a node that has just joined", At: 10 * time.Minute, Result: hostedWorldResult(func(w *hostedWorld) { w.unmanaged("c", 0) })},
		{Name: "with a Machine", At: time.Hour, Result: hostedWorldResult(func(w *hostedWorld) {
			w.addMachine("c", versionA)
			w.joins("c")
		})},
		{Name: "without a Machine, with a label", At: time.Hour, Result: hostedWorldResult(func(w *hostedWorld) { w.Machines = nil })},
	},
	"hosted-cluster-previous-incomplete": {
		{
			Name: "superseded",
			Result: hostedResult(func(w *hostedWorld) {
				w.begins(w.hc.Status.Version, "4.22.5")
				w.begins(w.hc.Status.Version, versionB)
			}),
			Want: "Info | None | 08:00:00 | Previous update to 4.22.5 never completed, last complete update was 4.22.3 | " +
				"Current update to 4.22.4 was initiated while the previous update to version 4.22.5 was still in progress" + hostedDemo,
		},
		{Name: "after a complete one", Result: hostedResult(func(w *hostedWorld) { w.begins(w.hc.Status.Version, versionB) })},
	},
	"component-unavailable": {
		{
			Name:   "for six minutes",
			At:     6 * time.Minute,
			Result: componentResult(metav1.Condition{Type: "Available", Status: "False", Reason: "WaitingForAvailable", Message: "no quorum"}),
			Want:   "Warning | API Availability | 08:00:00 | Control plane component etcd is unavailable (WaitingForAvailable): no quorum | no quorum" + componentRef,
		},
		{
			Name:   "for long",
			At:     20 * time.Minute,
			Result: componentResult(metav1.Condition{Type: "Available", Status: "False", Reason: "NotFound"}),
			Want:   "Error | API Availability | 08:00:00 | Control plane component etcd is unavailable (NotFound) | <no message>" + componentRef,
		},
		{Name: "for a moment", At: 5 * time.Minute, Result: componentResult(metav1.Condition{Type: "Available", Status: "False", Reason: "NotFound"})},
		{Name: "not known", At: time.Hour, Result: componentResult(metav1.Condition{Type: "Available", Status: "Unknown", Reason: "NotFound"})},
	},
	"component-not-reconciled": {
		{
			Name:   "for six minutes",
			At:     6 * time.Minute,
			Result: componentResult(rollout("False", "ReconciliationError")),
			Want:   "Warning | Update Stalled | 08:00:00 | Control plane component etcd can't be reconciled (ReconciliationError): 2 of 3 replicas | 2 of 3 replicas" + componentRef,
		},
		{
			Name:   "for long",
			At:     40 * time.Minute,
			Result: componentResult(rollout("False", "ReconciliationError")),
			Want:   "Error | Update Stalled | 08:00:00 | Control plane component etcd can't be reconciled (ReconciliationError): 2 of 3 replicas | 2 of 3 replicas" + componentRef,
		},
		{Name: "waits", At: time.Hour, Result: componentResult(rollout("False", "WaitingForDependencies"))},
		{Name: "after it has waited for others", At: 15 * time.Minute, Result: componentResultSince(11*time.Minute, rollout("False", "ReconciliationError"))},
		{Name: "done", At: time.Hour, Result: componentResult(rollout("True", "ReconciliationError"))},
	},
	"component-slow": {
		{
			Name:   "for long",
			At:     21 * time.Minute,
			Result: componentResult(rollout("False", "WaitingForRolloutComplete")),
			Want:   "Warning | Update Speed | 08:00:00 | Control plane component etcd is taking long to roll out (WaitingForRolloutComplete): 2 of 3 replicas | 2 of 3 replicas" + componentRef,
		},
		{Name: "for a while", At: 20 * time.Minute, Result: componentResult(rollout("False", "WaitingForRolloutComplete"))},
		{Name: "after it has waited for others", At: 30 * time.Minute, Result: componentResultSince(11*time.Minute, rollout("False", "WaitingForRolloutComplete"))},
		{
			Name:   "for long, after it has waited for others",
			At:     32 * time.Minute,
			Result: componentResultSince(11*time.Minute, rollout("False", "WaitingForRolloutComplete")),
			Want:   "Warning | Update Speed | 08:11:00 | Control plane component etcd is taking long to roll out (WaitingForRolloutComplete): 2 of 3 replicas | 2 of 3 replicas" + componentRef,
		},
		{Name: "done", At: time.Hour, Result: componentResult(rollout("True", "WaitingForRolloutComplete"))},
	},
	"node-pool-refused": {
		{
			Name:   "not managed: all else is outdated",
			Result: nodePoolResult("Replace", poolIs("UpdateManagementEnabled", "ValidationFailed", "ValidReleaseImage", "ValidationFailed", "Ready", "TooManyUnhealthy")),
			Want:   "Warning | Update Stalled | 08:00:00 | Node pool surge can't be updated (ValidationFailed): it says why | it says why" + surgePool,
		},
		{
			Name:   "a release that is not valid",
			Result: nodePoolResult("Replace", poolIs("ValidReleaseImage", "ValidationFailed", "SupportedVersionSkew", "UnsupportedSkew")),
			Want:   "Warning | Update Stalled | 08:00:00 | Node pool surge can't be updated (ValidationFailed): it says why | it says why" + surgePool,
		},
		{
			Name:   "a configuration that is not valid",
			Result: nodePoolResult("Replace", poolIs("ValidMachineConfig", "ValidationFailed", "ValidGeneratedPayload", "Failed")),
			Want:   "Warning | Update Stalled | 08:00:00 | Node pool surge can't be updated (ValidationFailed): it says why | it says why" + surgePool,
		},
		{
			Name:   "no image of the platform, beside an update",
			Result: nodePoolResult("Replace", poolIs("ValidPlatformImage", "ValidationFailed", "Ready", "TooManyUnhealthy")),
			Want:   "Warning | Update Stalled | 08:00:00 | Node pool surge can't be updated (ValidationFailed): it says why | it says why" + surgePool,
		},
		{
			Name: "an architecture that the payload does not have",
			Result: nodePoolResult("Replace", func(w *hostedWorld) {
				poolIs("SupportedVersionSkew", "UnsupportedSkew", "ValidMachineConfig", "ValidationFailed")(w)
				w.condition(&w.np.Status.Conditions, "ValidArchPlatform", "False", "InvalidArchPlatform", "NodePool CPU arch, arm64, is "+
					"not supported by the HostedCluster payload type, AMD64; either change the NodePool CPU arch or use a multi-arch release image")
			}),
			Want: "Warning | Update Stalled | 08:00:00 | Node pool surge can't be updated (InvalidArchPlatform): NodePool CPU arch, arm64, is not supported by the HostedCluster payload type, AMD64; either change the NodePool CPU arch or use a multi-arch release … | NodePool CPU arch, arm64, is not supported by the " +
				"HostedCluster payload type, AMD64; either change the NodePool CPU arch or use a multi-arch release image" + surgePool,
		},
		{
			Name: "an architecture that the payload has now",
			Result: nodePoolResult("Replace", func(w *hostedWorld) {
				poolIs("ValidMachineConfig", "ValidationFailed")(w)
				w.condition(&w.np.Status.Conditions, "ValidArchPlatform", "True", "AsExpected", "not supported by the HostedCluster payload type")
			}),
			Want: "Warning | Update Stalled | 08:00:00 | Node pool surge can't be updated (ValidationFailed): it says why | it says why" + surgePool,
		},
		{
			Name: "an architecture that the platform does not have, at which HyperShift goes on",
			Result: nodePoolResult("Replace", func(w *hostedWorld) {
				poolIs("ValidMachineConfig", "ValidationFailed")(w)
				w.condition(&w.np.Status.Conditions, "ValidArchPlatform", "False", "InvalidArchPlatform", "CPU arch s390x is not supported for platform: None, use 'amd64' instead")
			}),
			Want: "Warning | Update Stalled | 08:00:00 | Node pool surge can't be updated (ValidationFailed): it says why | it says why" + surgePool,
		},
		{
			Name:   "no ignition endpoint",
			At:     21 * time.Minute,
			Result: nodePoolResult("Replace", poolIs("IgnitionEndpointAvailable", "IgnitionEndpointMissing", "SupportedVersionSkew", "UnsupportedSkew")),
			Want:   "Warning | Update Stalled | 08:00:00 | Node pool surge can't be updated (IgnitionEndpointMissing): it says why | it says why" + surgePool,
		},
		{Name: "no ignition endpoint yet", At: 20 * time.Minute, Result: nodePoolResult("Replace", poolIs("IgnitionEndpointAvailable", "IgnitionEndpointMissing"))},
		{Name: "valid", Result: nodePoolResult("Replace", func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "ValidReleaseImage", "True", "AsExpected", "")
		})},
	},
	"node-pool-in-place-failed": {
		{
			Name:   "failed",
			Result: nodePoolResult("InPlace", poolIs("UpdatingVersion", "InplaceUpgradeFailed")),
			Want:   "Error | Update Stalled | 08:00:00 | Node pool surge has failed to update a node in place (InplaceUpgradeFailed): it says why | it says why" + surgePool,
		},
		{Name: "another type", Result: nodePoolResult("Replace", poolIs("UpdatingVersion", "InplaceUpgradeFailed"))},
		{Name: "not updating", Result: nodePoolResult("InPlace", poolIs("UpdatingVersion", "AsExpected"))},
		{Name: "updating", Result: nodePoolResult("InPlace", func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "UpdatingVersion", "True", "InplaceUpgradeFailed", "")
		})},
		{Name: "unknown", Result: nodePoolResult("InPlace", func(*hostedWorld) {})},
	},
	"node-pool-payload-invalid": {
		{
			Name:   "not valid",
			Result: nodePoolResult("Replace", poolIs("ValidGeneratedPayload", "InvalidConfig")),
			Want:   "Warning | Update Stalled | 08:00:00 | Node pool surge has no valid configuration for new nodes (InvalidConfig): it says why | it says why" + surgePool,
		},
		{Name: "unknown", Result: nodePoolResult("Replace", func(*hostedWorld) {})},
	},
	"node-pool-unsupported": {
		{
			Name:   "after the control plane",
			At:     6 * time.Minute,
			Result: nodePoolResult("Replace", poolIs("SupportedVersionSkew", "UnsupportedSkew")),
			Want:   "Warning | Unknown | 08:00:00 | Node pool surge has a version that the control plane does not support (UnsupportedSkew): it says why | it says why" + surgePool,
		},
		{Name: "during its update", At: time.Hour, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			poolIs("SupportedVersionSkew", "UnsupportedSkew")(w)
			w.begins(w.hc.Status.Version, versionB)
		})},
		{
			Name: "while the components are updated",
			At:   6 * time.Minute,
			Result: nodePoolResult("Replace", func(w *hostedWorld) {
				poolIs("SupportedVersionSkew", "UnsupportedSkew")(w)
				w.begins(w.hc.Status.ControlPlaneVersion, versionB)
			}),
			Want: "Warning | Unknown | 08:00:00 | Node pool surge has a version that the control plane does not support (UnsupportedSkew): it says why | it says why" + surgePool,
		},
		{Name: "right after its update", At: 8 * time.Minute, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			poolIs("SupportedVersionSkew", "UnsupportedSkew")(w)
			w.begins(w.hc.Status.Version, versionB)
			w.now = w.now.Add(5 * time.Minute)
			w.completes(w.hc.Status.Version)
		})},
		{Name: "another reason", At: time.Hour, Result: nodePoolResult("Replace", poolIs("SupportedVersionSkew", "Other"))},
	},
	"node-pool-unhealthy": {
		{
			Name:   "too many",
			Result: nodePoolResult("Replace", poolIs("Ready", "TooManyUnhealthy")),
			Want:   "Warning | Cluster Capacity | 08:00:00 | Node pool surge has too many unhealthy nodes (TooManyUnhealthy): it says why | it says why" + surgePool,
		},
		{Name: "another reason", Result: nodePoolResult("Replace", poolIs("Ready", "ScalingUp"))},
		{Name: "paused, which leaves it as it was", Result: nodePoolResult("Replace", poolIs("Ready", "TooManyUnhealthy", "ReconciliationActive", "ReconciliationPaused"))},
	},
	"node-pool-machines-not-ready": {
		{
			Name:   "for long",
			At:     41 * time.Minute,
			Result: nodePoolResult("Replace", poolIs("AllMachinesReady", "Provisioning")),
			Want:   "Warning | Update Speed | 08:00:00 | Node pool surge has waited long for its Machines (Provisioning): it says why | it says why" + surgePool,
		},
		{Name: "for a while", At: 40 * time.Minute, Result: nodePoolResult("Replace", poolIs("AllMachinesReady", "Provisioning"))},
		{Name: "by a new Machine, which is not old", At: 60 * time.Minute, Result: nodePoolResult("Replace", replacing(30, func(*hostedWorld) {}))},
		{
			Name:   "by a new Machine, which is old",
			At:     60 * time.Minute,
			Result: nodePoolResult("Replace", replacing(15, func(*hostedWorld) {})),
			Want:   "Warning | Update Speed | 08:15:00 | Node pool surge has waited long for its Machines (Provisioning): it says why | it says why" + surgePool,
		},
		{
			Name:   "by a new Machine, while an old one is drained",
			At:     60 * time.Minute,
			Result: nodePoolResult("Replace", replacing(15, func(w *hostedWorld) { w.leaves("a") })),
			Want:   "Warning | Update Speed | 08:15:00 | Node pool surge has waited long for its Machines (Provisioning): it says why | it says why" + surgePool,
		},
		{
			Name: "its node is not healthy",
			At:   60 * time.Minute,
			Result: nodePoolResult("Replace", replacing(15, func(w *hostedWorld) {
				w.condition(&w.np.Status.Conditions, "AllMachinesReady", "True", "AsExpected", "")
				poolIs("AllNodesHealthy", "NodeProvisioning")(w)
			})),
			Want: "Warning | Update Speed | 08:15:00 | Node pool surge waits for its nodes to join (NodeProvisioning): it says why | it says why" + surgePool,
		},
		{
			Name: "its node has no label",
			At:   60 * time.Minute,
			Result: nodePoolResult("Replace", replacing(15, func(w *hostedWorld) {
				w.condition(&w.np.Status.Conditions, "AllMachinesReady", "True", "AsExpected", "")
			})),
			Want: "Warning | Update Speed | 08:15:00 | Node pool surge waits for its nodes to join | The nodes of 1 Machine are ready and do not have the label of the pool." + surgePool,
		},
		{Name: "a new Machine of which it is not known since when", At: 60 * time.Minute, Result: nodePoolResult("Replace", replacing(15, func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "AllMachinesReady", "True", "AsExpected", "")
			w.machine("c").CreationTimestamp = metav1.Time{}
		}))},
		{Name: "by an old one that is drained", At: 60 * time.Minute, Result: nodePoolResult("Replace", replacing(15, func(w *hostedWorld) {
			w.isGone("c")
			w.leaves("a")
		}))},
	},
	"node-pool-not-starting": {
		{
			Name:   "since it was asked for",
			At:     16 * time.Minute,
			Result: nodePoolResult("Replace", func(w *hostedWorld) { w.poolAsks(versionB) }),
			Want:   "Warning | Update Stalled | 08:00:00 | Node pool surge has not started to update | " + stalled + "Updating version in progress. Target version: 4.22.4" + surgePool,
		},
		{
			Name: "with a word of its Machines",
			At:   30 * time.Minute,
			Result: nodePoolResult("InPlace", func(w *hostedWorld) {
				w.poolAsks(versionB)
				poolIs("AllMachinesReady", "Provisioning")(w)
			}),
			Want: "Warning | Update Stalled | 08:00:00 | Node pool surge has not started to update | " + stalled + "it says why" + surgePool,
		},
		{
			Name:   "for an hour",
			At:     time.Hour,
			Result: nodePoolResult("InPlace", func(w *hostedWorld) { w.poolAsks(versionB) }),
			Want:   "Error | Update Stalled | 08:00:00 | Node pool surge has not started to update | " + stalled + "Updating version in progress. Target version: 4.22.4" + surgePool,
		},
		{
			Name:   "after one node",
			At:     30 * time.Minute,
			Result: nodePoolResult("Replace", standsAfterOne(10)),
			Want:   "Warning | Update Stalled | 08:10:00 | Node pool surge has stopped updating | " + stalled + "Updating version in progress. Target version: 4.22.4" + surgePool,
		},
		{
			Name: "after all nodes",
			At:   30 * time.Minute,
			Result: nodePoolResult("Replace", func(w *hostedWorld) {
				standsAfterOne(10)(w)
				w.machine("b").Spec.Version = ptr(versionB)
			}),
			Want: "Warning | Update Stalled | 08:10:00 | Node pool surge has stopped updating | " + stalled + "Updating version in progress. Target version: 4.22.4" + surgePool,
		},
		{Name: "for a while", At: 15 * time.Minute, Result: nodePoolResult("Replace", func(w *hostedWorld) { w.poolAsks(versionB) })},
		{Name: "paused until just now", At: time.Hour, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			w.poolAsks(versionB)
			w.Observed = map[string]time.Time{"NodePool/surge": start.Add(50 * time.Minute)}
		})},
		{Name: "after one node, just now", At: 25 * time.Minute, Result: nodePoolResult("Replace", standsAfterOne(10))},
		{Name: "after one node, at a time that was not observed", At: time.Hour, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			standsAfterOne(10)(w)
			w.Observed = nil
		})},
		{Name: "not asked for", At: time.Hour, Result: nodePoolResult("Replace", func(*hostedWorld) {})},
		{Name: "a node is drained", At: 9 * time.Minute, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			w.poolAsks(versionB)
			w.now = w.now.Add(-20 * time.Minute)
			w.poolAsks(versionB)
			w.leaves("a")
		})},
		{Name: "a Machine is made", At: time.Hour, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			w.poolAsks(versionB)
			w.addMachine("c", versionB)
		})},
	},
	"node-pool-paused": {
		{
			Name: "with outdated nodes",
			Result: nodePoolResult("Replace", func(w *hostedWorld) {
				w.poolAsks(versionB)
				w.np.Spec.PausedUntil = ptr("true")
			}),
			Want: "Warning | Update Stalled | - | Outdated nodes in paused node pool surge will not be updated | The NodePool or its HostedCluster has pausedUntil, which stops " +
				"all changes to the nodes of the pool, including updates. The nodes will not be updated until it has passed or is removed." + surgePool,
		},
		{
			Name: "updated in place",
			Result: nodePoolResult("InPlace", func(w *hostedWorld) {
				w.poolAsks(versionB)
				w.np.Spec.PausedUntil = ptr("true")
			}),
			Want: "Warning | Update Stalled | - | Outdated nodes in paused node pool surge will not be updated | The NodePool has pausedUntil, which stops " +
				"all changes to the nodes of the pool, including updates. The nodes will not be updated until it has passed or is removed." + surgePool,
		},
		{Name: "with updated nodes", Result: nodePoolResult("Replace", func(w *hostedWorld) { w.np.Spec.PausedUntil = ptr("true") })},
		{Name: "not paused", Result: nodePoolResult("Replace", func(w *hostedWorld) { w.poolAsks(versionB) })},
	},
	"node-pool-on-delete": {
		{
			Name:   "two nodes wait",
			Result: nodePoolResult("Replace", onDelete(func(w *hostedWorld) { w.poolAsks(versionB) })),
			Want: "Warning | Update Stalled | - | Nodes of node pool surge wait for the deletion of their Machines | The NodePool has the strategy OnDelete: " +
				"a node is replaced when an administrator deletes its Machine, in namespace clusters-demo of the management cluster. Waiting: 2 nodes." + surgePool,
		},
		{Name: "none waits", Result: nodePoolResult("Replace", onDelete(func(*hostedWorld) {}))},
		{Name: "updated in place", Result: nodePoolResult("InPlace", onDelete(func(w *hostedWorld) { w.poolAsks(versionB) }))},
		{Name: "rolling", Result: nodePoolResult("Replace", func(w *hostedWorld) {
			w.poolAsks(versionB)
			w.np.Spec.Management.Replace = &hypershiftv1beta1.ReplaceUpgrade{Strategy: "RollingUpdate"}
		})},
	},
	"hosted-node-drain-long":       hostedDrainCases(),
	"hosted-node-volumes-attached": volumesCases(),
	"machine-failed": {
		{
			Name: "with a message",
			Result: hostedNodeResult(func(w *hostedWorld) {
				w.machine("a").Status.Phase, w.machine("a").Status.FailureMessage = "Failed", ptr("no capacity")
			}),
			Want: "Error | Update Stalled | - | Machine m-a has failed: no capacity | no capacity | machines.cluster.x-k8s.io/m-a",
		},
		{
			Name:   "without",
			Result: hostedNodeResult(func(w *hostedWorld) { w.machine("a").Status.Phase = "Failed" }),
			Want:   "Error | Update Stalled | - | Machine m-a has failed | <no message> | machines.cluster.x-k8s.io/m-a",
		},
		{Name: "running", Result: hostedNodeResult(func(*hostedWorld) {})},
		{Name: "that is being deleted", Result: hostedNodeResult(func(w *hostedWorld) {
			w.leaves("a")
			w.machine("a").Status.Phase = "Failed"
		})},
	},
	"machine-repaired": {
		{
			Name: "after it failed",
			Result: hostedNodeResult(func(w *hostedWorld) {
				w.machine("a").Status.Phase = "Failed"
				repairIs(w, "HealthCheckSucceeded", "False", "MachineHasFailure")
				repairIs(w, "OwnerRemediated", "False", "WaitingForRemediation")
			}),
			Want: "Info | None | 08:00:00 | Machine m-a is unhealthy and is replaced (MachineHasFailure): it says why | it says why | machines.cluster.x-k8s.io/m-a",
		},
		{Name: "that is not to be replaced", Result: hostedNodeResult(func(w *hostedWorld) { repairIs(w, "HealthCheckSucceeded", "False", "UnhealthyNode") })},
		{Name: "healthy again", Result: hostedNodeResult(func(w *hostedWorld) {
			repairIs(w, "HealthCheckSucceeded", "True", "")
			repairIs(w, "OwnerRemediated", "False", "WaitingForRemediation")
		})},
		{Name: "without a check", Result: hostedNodeResult(func(w *hostedWorld) { repairIs(w, "OwnerRemediated", "False", "WaitingForRemediation") })},
	},
}

// stalled is how the description of a pool that is stuck begins.
const stalled = "The NodePool is neither paused nor stopped by a condition, and none of its nodes is being updated to 4.22.4. The NodePool reports: "

// standsAfterOne is a pool that has stopped after one of its nodes, as was observed some minutes after the start.
func standsAfterOne(minutes int) func(*hostedWorld) {
	return func(w *hostedWorld) {
		w.poolAsks(versionB)
		w.machine("a").Spec.Version = ptr(versionB)
		w.Observed = map[string]time.Time{"NodePool/surge": start.Add(time.Duration(minutes) * time.Minute)}
	}
}

func repairIs(w *hostedWorld, kind string, status metav1.ConditionStatus, reason string) {
	w.condition(&w.machine("a").Status.Conditions, kind, status, reason, "it says why")
}

func onDelete(more func(*hostedWorld)) func(*hostedWorld) {
	return func(w *hostedWorld) {
		w.np.Spec.Management.Replace = &hypershiftv1beta1.ReplaceUpgrade{Strategy: "OnDelete"}
		more(w)
	}
}

// hostedConditionCases are those of a condition that is a problem when it has been False for long.
func hostedConditionCases(kind, is, impact string) []healthcases.Case {
	want := func(level string) string {
		return level + " | " + impact + " | 08:00:00 | Hosted cluster demo " + is + " (Down): it says why | it says why" + hostedDemo
	}
	return []healthcases.Case{
		{Name: "for six minutes", At: 6 * time.Minute, Result: hostedResult(hostedIs(kind, "False", "Down", "it says why")), Want: want("Warning")},
		{Name: "for long", At: 20 * time.Minute, Result: hostedResult(hostedIs(kind, "False", "Down", "it says why")), Want: want("Error")},
		{Name: "for a moment", At: 5 * time.Minute, Result: hostedResult(hostedIs(kind, "False", "Down", ""))},
		{Name: "not known", At: time.Hour, Result: hostedResult(hostedIs(kind, "Unknown", "StatusUnknown", ""))},
	}
}
