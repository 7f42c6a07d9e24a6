package hosted_test

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
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

// What Progressing says of refusals (openshift/hypershift: hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go,
// isProgressing), with messages of validateUserCAConfigMaps, validateHostedClusterSupport, isUpgrading, and of support/supportedversion.
const (
	notUpgradeable = "ClusterVersionUpgradeable condition is false: cluster version is not upgradeable"
	notValid       = "configMap user-ca-bundle must have a ca-bundle.crt key"
	notSupported   = "operator only supports private clusters in region us-east-1"
	tooNew         = `the latest version supported is: "4.22.0". Attempting to use: "4.23.1"`
	noPullSecret   = `failed to get pull secret: secrets "demo-pull-secret" not found`
)

// refused is a refusal that a condition of the HostedCluster is the reason of.
func refused(condition, reason, message string) func(*hostedWorld) {
	return func(w *hostedWorld) {
		blocked(condition + " condition is false: " + message)(w)
		hostedIs(condition, "False", reason, message)(w)
	}
}

// isBlocked is what is reported of a refusal.
func isBlocked(level, image, reason, message string) string {
	return level + " | Update Stalled | 08:00:00 | The update of hosted cluster demo is blocked (" + reason + "): " + message +
		" | " + message + " (requested release: " + image + ")" + hostedDemo
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
		w.now = w.now.Add(time.Duration(made) * time.Minute)
		w.addMachine("c", versionB)
		w.machine("c").CreationTimestamp = metav1.NewTime(w.now)
		w.machineIs("c", "InfrastructureReady", "False", "VMNotReady", "VM is not ready: Starting")
		more(w)
	}
}

// Texts of HyperShift (openshift/hypershift: ignition-server/controllers/tokensecret_controller.go, hypershift-operator/controllers/nodepool/
// conditions.go, control-plane-operator/controllers/hostedcontrolplane/v2/snapshotcontroller/component.go), and of a provider (kubernetes-sigs/cluster-api-provider-kubevirt: pkg/kubevirt/machine.go, GetVMNotReadyReason, the second
// with the message of the scheduler).
const (
	badPayload    = "failed to generate payload: error getting ignition payload: machine-config-server failed to generate config"
	noSecret      = `secrets "token-surge-bbbb4444" not found`
	stopped       = "VM is not ready: Stopped"
	operand       = "deployment csi-snapshot-controller is not ready"
	unschedulable = "0/6 nodes are available: 6 Insufficient memory."

	// hypershift-operator/controllers/nodepool/aws.go (setAWSConditions), and what is left of it in a summary
	noAMI    = `Couldn't discover an AMI for release image "quay.io/openshift-release-dev/ocp-release@sha256:` + digest64 + `": couldn't find AWS image for region "us-xx-1"`
	shortAMI = `Couldn't discover an AMI for release image "quay.io/openshift-release-dev/ocp-release@sha256:bbbb4444…": couldn't find AWS image for region "us-xx-1"`
	digest64 = "bbbb4444bbbb4444bbbb4444bbbb4444bbbb4444bbbb4444bbbb4444bbbb4444"

	payloadLine    = " | Update Stalled | 08:00:00 | Node pool surge has no valid configuration for its nodes (InvalidConfig): " + badPayload + " | " + badPayload + surgePool
	newMachineLine = "Warning | Update Speed | 08:15:00 | Node pool surge has waited long for its Machines (VMNotReady): VM is not ready: Starting | " +
		"VM is not ready: Starting (Machine m-c)" + surgePool + " machines.cluster.x-k8s.io/m-c"
	notReached = " | Update Stalled | 08:00:00 | No new node of node pool surge has reached the ignition server | A new node gets its configuration from the ignition " +
		"server of its hosted cluster when it boots for the first time. A Machine of the pool has a host, and its node has not got it." + surgePool
	machineC = " | machines.cluster.x-k8s.io/m-c"
)

// notBegun is what is reported of a node of which nothing is done.
const notBegun = " | Update Stalled | 08:00:00 | Node a has not begun to update | HyperShift has assigned the node its configuration, and the pod machine-config-daemon-a " +
	"in namespace surge-upgrade of the hosted cluster, which updates the node, does nothing about it: it may not run. | nodes/a"

// assignedResult assesses a node of a pool that is updated in place, of which the node a was assigned its configuration at the start.
func assignedResult(name string, change func(*hostedWorld)) func(time.Time) assess.Result {
	w := newHostedWorld("surge", "InPlace")
	drainsInPlace(w)
	w.annotate("a", "state", "Done", "desiredDrain", "uncordon-"+configG, "lastAppliedDrain", "uncordon-"+configG)
	w.Observed = map[string]time.Time{assess.UpdateKey("a"): start, assess.UpdateKey("b"): start}
	change(w)
	return func(now time.Time) assess.Result {
		for _, report := range hosted.Assess(w.Input, now)[1].Reports {
			if report.Subject == (insight.Subject{Kind: "Machine", Name: "m-" + name}) {
				return assess.Result{Report: report}
			}
		}
		return assess.Result{}
	}
}

// payloadIs sets ValidGeneratedPayload, of a pool that may be paused.
func payloadIs(status metav1.ConditionStatus, reason, message string, paused bool, more func(*hostedWorld)) func(*hostedWorld) {
	return func(w *hostedWorld) {
		w.condition(&w.np.Status.Conditions, "ValidGeneratedPayload", status, reason, message)
		if paused {
			w.condition(&w.np.Status.Conditions, "ReconciliationActive", "False", "ReconciliationPaused", "Reconciliation paused until field removed")
		}
		more(w)
	}
}

// aSurge is a pool that is being updated, with a new Machine.
func aSurge(w *hostedWorld) {
	w.poolAsks(versionB)
	w.addMachine("c", versionB)
}

// boots is a pool with a new Machine whose host was provisioned some minutes after the start, and what is said of the ignition server.
func boots(minutes int, status metav1.ConditionStatus, reason string) func(*hostedWorld) {
	return func(w *hostedWorld) {
		aSurge(w)
		w.condition(&w.np.Status.Conditions, "ReachedIgnitionEndpoint", status, reason, "")
		w.now = w.now.Add(time.Duration(minutes) * time.Minute)
		w.machine("c").Status.Phase = "Provisioned"
		w.machineIs("c", "InfrastructureReady", "True", "", "")
	}
}

// fails is a provider that says of the Machine c that it failed.
func fails(reason, message string) func(*hostedWorld) {
	return func(w *hostedWorld) { w.machineIs("c", "InfrastructureReady", "False", reason, message) }
}

// machineResult assesses the Machine c after a change.
func machineResult(change func(*hostedWorld)) func(time.Time) assess.Result {
	w := newHostedWorld("surge", "Replace")
	change(w)
	return func(now time.Time) assess.Result {
		return hosted.Node(hosted.NodeInput{
			PoolObjects: hosted.PoolObjects{NodePool: w.np, MachineDeployment: w.MachineDeployments[0]}, Machine: w.machine("c"),
		}, now)
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
			Name:   "an image that is not valid",
			Result: hostedWorldResult(askedSince(refused("ValidReleaseImage", "InvalidImage", tooNew))),
			Want:   isBlocked("Warning", imageB, "ValidReleaseImage", tooNew),
		},
		{
			Name:   "an image that is not valid, for long",
			At:     20 * time.Minute,
			Result: hostedWorldResult(askedSince(refused("ValidReleaseImage", "InvalidImage", tooNew))),
			Want:   isBlocked("Error", imageB, "ValidReleaseImage", tooNew),
		},
		{
			Name:   "not upgradeable",
			Result: hostedWorldResult(askedSince(blocked(notUpgradeable))),
			Want:   isBlocked("Error", imageB, "ClusterVersionUpgradeable", "cluster version is not upgradeable"),
		},
		{
			Name: "not upgradeable, with why",
			Result: hostedWorldResult(askedSince(func(w *hostedWorld) {
				blocked(notUpgradeable)(w)
				hostedIs("ClusterVersionUpgradeable", "False", "AdminAckRequired", "Kubernetes 1.36 removes several APIs")(w)
			})),
			Want: isBlocked("Error", imageB, "ClusterVersionUpgradeable", "cluster version is not upgradeable: AdminAckRequired: Kubernetes 1.36 removes several APIs"),
		},
		{
			Name:   "a configuration that is not valid",
			At:     2*time.Minute + assess.Tick,
			Result: hostedWorldResult(askedSince(refused("ValidConfiguration", "InvalidConfiguration", notValid))),
			Want:   isBlocked("Error", imageB, "ValidConfiguration", notValid),
		},
		{Name: "a configuration that is not valid for a while", At: 2 * time.Minute, Result: hostedWorldResult(askedSince(refused("ValidConfiguration", "InvalidConfiguration", notValid)))},
		{Name: "a configuration that has not been valid for long", At: 4 * time.Minute, Result: hostedWorldResult(askedSince(func(w *hostedWorld) {
			w.now = w.now.Add(3 * time.Minute)
			refused("ValidConfiguration", "InvalidConfiguration", notValid)(w)
		}))},
		{
			Name:   "a cluster that is not supported",
			Result: hostedWorldResult(askedSince(refused("SupportedHostedCluster", "UnsupportedHostedCluster", notSupported))),
			Want:   isBlocked("Error", imageB, "SupportedHostedCluster", notSupported),
		},
		{
			Name: "by a tag",
			Result: hostedWorldResult(askedSince(func(w *hostedWorld) {
				w.hc.Spec.Release.Image = "quay.io/example/release:4.22.4"
				blocked(notUpgradeable)(w)
			})),
			Want: isBlocked("Error", "quay.io/example/release:4.22.4", "ClusterVersionUpgradeable", "cluster version is not upgradeable"),
		},
		{
			Name: "with an error that says the same",
			At:   time.Hour,
			Result: hostedWorldResult(askedSince(func(w *hostedWorld) {
				blocked(notUpgradeable)(w)
				hostedFails("ReconciliationSucceeded")(w)
			})),
			Want: isBlocked("Error", imageB, "ClusterVersionUpgradeable", "cluster version is not upgradeable"),
		},
		{Name: "an image of which nothing else is said", Result: hostedWorldResult(askedSince(blocked("ValidReleaseImage condition is false: " + tooNew)))},
		{Name: "a digest that can't be looked up", Result: hostedWorldResult(askedSince(blocked("failed to get the digest: connection refused")))},
		{Name: "by a tag, as it is, with a configuration that is not valid", At: time.Hour, Result: hostedResult(func(w *hostedWorld) {
			w.hc.Spec.Release.Image = "quay.io/example/release:4.22.3"
			refused("ValidConfiguration", "InvalidConfiguration", notValid)(w)
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
				refused("ValidReleaseImage", "SecretNotFound", noPullSecret)(w)
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
		{
			Name:   "what it deploys, for long",
			At:     21 * time.Minute,
			Result: componentResult(metav1.Condition{Type: "RolloutComplete", Status: "False", Reason: "WaitingForOperands", Message: operand}),
			Want:   "Warning | Update Speed | 08:00:00 | Control plane component etcd is taking long to roll out (WaitingForOperands): " + operand + " | " + operand + componentRef,
		},
		{
			Name: "for very long", At: 2 * time.Hour, Result: componentResult(rollout("False", "WaitingForRolloutComplete")),
			Want: "Error | Update Stalled | 08:00:00 | Control plane component etcd is taking long to roll out (WaitingForRolloutComplete): 2 of 3 replicas | 2 of 3 replicas" + componentRef,
		},
		{
			Name: "what it deploys, for a while", At: 20 * time.Minute,
			Result: componentResult(metav1.Condition{Type: "RolloutComplete", Status: "False", Reason: "WaitingForOperands", Message: operand}),
		},
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
		{
			Name: "no image for the platform, which says why in the first line",
			Result: nodePoolResult("Replace", func(w *hostedWorld) {
				w.poolAsks(versionB)
				w.condition(&w.np.Status.Conditions, "ValidPlatformImage", "False", "ValidationFailed", noAMI)
			}),
			Want: "Warning | Update Stalled | 08:00:00 | Node pool surge can't be updated (ValidationFailed): " + shortAMI + " | " + noAMI + surgePool,
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
			Name:   "during an update",
			At:     6 * time.Minute,
			Result: nodePoolResult("Replace", payloadIs("", "InvalidConfig", badPayload, false, aSurge)),
			Want:   "Warning" + payloadLine,
		},
		{
			Name:   "during an update, for long",
			At:     20 * time.Minute,
			Result: nodePoolResult("Replace", payloadIs("", "InvalidConfig", badPayload, false, aSurge)),
			Want:   "Error" + payloadLine,
		},
		{
			Name:   "without an update",
			At:     time.Hour,
			Result: nodePoolResult("Replace", payloadIs("", "InvalidConfig", badPayload, false, func(*hostedWorld) {})),
			Want:   "Warning" + payloadLine,
		},
		{
			Name:   "a Secret that is missing",
			At:     10*time.Minute + assess.Tick,
			Result: nodePoolResult("Replace", payloadIs("False", "NotFound", noSecret, false, aSurge)),
			Want:   "Warning | Update Stalled | 08:00:00 | Node pool surge has no valid configuration for its nodes (NotFound): " + noSecret + " | " + noSecret + surgePool,
		},
		{Name: "for a while", At: 5 * time.Minute, Result: nodePoolResult("Replace", payloadIs("", "InvalidConfig", badPayload, false, aSurge))},
		{Name: "at the start of an update", At: 10 * time.Minute, Result: nodePoolResult("Replace", payloadIs("False", "NotFound", noSecret, false, aSurge))},
		{Name: "it is being generated", At: time.Minute, Result: nodePoolResult("Replace", payloadIs("Unknown", "", "Unable to get status data from token secret", false, aSurge))},
		{Name: "paused, and so without a Secret", At: time.Hour, Result: nodePoolResult("Replace", payloadIs("False", "NotFound", noSecret, true, func(*hostedWorld) {}))},
		{Name: "generated", At: time.Hour, Result: nodePoolResult("Replace", payloadIs("True", "AsExpected", "Payload generated successfully", false, func(*hostedWorld) {}))},
		{Name: "unknown", At: time.Hour, Result: nodePoolResult("Replace", func(*hostedWorld) {})},
	},
	"node-pool-ignition-not-reached": {
		{Name: "for a while", At: 15 * time.Minute, Result: nodePoolResult("Replace", boots(0, "False", "ignitionNotReached"))},
		{
			Name: "for long", At: 15*time.Minute + assess.Tick, Result: nodePoolResult("Replace", boots(0, "False", "ignitionNotReached")),
			Want: "Warning" + notReached,
		},
		{Name: "longer", At: time.Hour, Result: nodePoolResult("Replace", boots(0, "False", "ignitionNotReached")), Want: "Error" + notReached},
		{Name: "a host that has just been provisioned", At: 25 * time.Minute, Result: nodePoolResult("Replace", boots(10, "False", "ignitionNotReached"))},
		{Name: "reached", At: 30 * time.Minute, Result: nodePoolResult("Replace", boots(0, "True", "AsExpected"))},
		{Name: "its Secret is missing", At: 30 * time.Minute, Result: nodePoolResult("Replace", boots(0, "False", "NotFound"))},
		{Name: "updated in place", At: 30 * time.Minute, Result: nodePoolResult("InPlace", boots(0, "False", "ignitionNotReached"))},
		{Name: "not updating", At: 30 * time.Minute, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "ReachedIgnitionEndpoint", "False", "ignitionNotReached", "")
		})},
		{Name: "its node has joined", At: 30 * time.Minute, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			boots(0, "False", "ignitionNotReached")(w)
			w.joins("c")
		})},
		{Name: "no host yet", At: 30 * time.Minute, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			boots(0, "False", "ignitionNotReached")(w)
			w.machine("c").Status.Phase = "Provisioning"
		})},
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
			Name:   "a host that stopped, for long",
			At:     41 * time.Minute,
			Result: nodePoolResult("Replace", func(w *hostedWorld) { w.machineIs("a", "InfrastructureReady", "False", "VMNotReady", stopped) }),
			Want: "Warning | Update Speed | 08:00:00 | Node pool surge has waited long for its Machines (VMNotReady): " + stopped + " | " + stopped +
				" (Machine m-a)" + surgePool + " machines.cluster.x-k8s.io/m-a",
		},
		{
			Name: "several", At: 41 * time.Minute,
			Result: nodePoolResult("Replace", func(w *hostedWorld) {
				w.machineIs("b", "InfrastructureReady", "False", "VMNotReady", stopped)
				w.now = w.now.Add(time.Minute)
				w.machineIs("a", "BootstrapReady", "False", "WaitingForDataSecret", "")
			}),
			Want: "Warning | Update Speed | 08:00:00 | Node pool surge has waited long for its Machines (VMNotReady): " + stopped + " | " + stopped +
				" (Machine m-a and 1 Machine more)" + surgePool + " machines.cluster.x-k8s.io/m-a machines.cluster.x-k8s.io/m-b",
		},
		{Name: "for a while", At: 40 * time.Minute, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			w.machineIs("a", "InfrastructureReady", "False", "VMNotReady", stopped)
		})},
		{Name: "one that is being deleted, which AllMachinesReady tells of", At: time.Hour, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			w.leaves("a")
			w.machineIs("a", "InfrastructureReady", "False", "Deleting", "")
			poolIs("AllMachinesReady", "Deleting")(w)
		})},
		{Name: "one that is repaired", At: time.Hour, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			w.machineIs("a", "InfrastructureReady", "False", "VMNotReady", stopped)
			w.machineIs("a", "HealthCheckSucceeded", "False", "UnhealthyNode", "")
			w.machineIs("a", "OwnerRemediated", "False", "WaitingForRemediation", "")
		})},
		{Name: "there should be none", At: time.Hour, Result: nodePoolResult("Replace", func(w *hostedWorld) {
			w.Machines, w.Nodes, w.np.Spec.Replicas = nil, nil, ptr(int32(0))
			w.condition(&w.np.Status.Conditions, "AllMachinesReady", "False", "AsExpected", "NodePool set to no replicas")
		})},
		{Name: "by a new Machine, which is not old", At: 60 * time.Minute, Result: nodePoolResult("Replace", replacing(30, func(*hostedWorld) {}))},
		{
			Name:   "by a new Machine, which is old",
			At:     60 * time.Minute,
			Result: nodePoolResult("Replace", replacing(15, func(*hostedWorld) {})),
			Want:   newMachineLine,
		},
		{
			Name: "by a new Machine, whose report changes",
			At:   60 * time.Minute,
			Result: nodePoolResult("Replace", replacing(15, func(w *hostedWorld) {
				w.machine("c").Status.Conditions = nil
				w.now = w.now.Add(30 * time.Minute)
				w.machineIs("c", "InfrastructureReady", "False", "VMNotReady", "VM is not ready: Starting")
			})),
			Want: newMachineLine,
		},
		{
			Name:   "by a new Machine, while an old one is drained",
			At:     60 * time.Minute,
			Result: nodePoolResult("Replace", replacing(15, func(w *hostedWorld) { w.leaves("a") })),
			Want:   newMachineLine,
		},
		{
			Name: "its node is not healthy",
			At:   60 * time.Minute,
			Result: nodePoolResult("Replace", replacing(15, func(w *hostedWorld) {
				w.machineIs("c", "InfrastructureReady", "True", "", "")
				poolIs("AllNodesHealthy", "NodeProvisioning")(w)
			})),
			Want: "Warning | Update Speed | 08:15:00 | Node pool surge waits for its nodes to join (NodeProvisioning): it says why | it says why" + surgePool,
		},
		{
			Name: "its node has no label",
			At:   60 * time.Minute,
			Result: nodePoolResult("Replace", replacing(15, func(w *hostedWorld) {
				w.machineIs("c", "InfrastructureReady", "True", "", "")
			})),
			Want: "Warning | Update Speed | 08:15:00 | Node pool surge waits for its nodes to join | The nodes of 1 Machine are ready and do not have the label of the pool." + surgePool,
		},
		{Name: "a new Machine of which it is not known since when", At: 60 * time.Minute, Result: nodePoolResult("Replace", replacing(15, func(w *hostedWorld) {
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
	"hosted-node-not-begun": {
		{Name: "for a while", At: 10 * time.Minute, Result: assignedResult("a", func(*hostedWorld) {})},
		{Name: "for long", At: 10*time.Minute + assess.Tick, Result: assignedResult("a", func(*hostedWorld) {}), Want: "Warning" + notBegun},
		{Name: "longer", At: time.Hour, Result: assignedResult("a", func(*hostedWorld) {}), Want: "Error" + notBegun},
		{Name: "its drain is requested", At: 9 * time.Minute, Result: assignedResult("a", func(w *hostedWorld) { w.annotate("a", "desiredDrain", "drain-"+configH) })},
		{Name: "it is drained", At: time.Hour, Result: assignedResult("a", func(w *hostedWorld) {
			w.annotate("a", "desiredDrain", "drain-"+configH, "lastAppliedDrain", "drain-"+configH)
		})},
		{Name: "it is still to be uncordoned", At: time.Hour, Result: assignedResult("a", func(w *hostedWorld) {
			w.annotate("a", "desiredDrain", "uncordon-"+configG, "lastAppliedDrain", "drain-"+configG)
		})},
		{Name: "not assigned", At: time.Hour, Result: assignedResult("b", func(*hostedWorld) {})},
		{Name: "not known since when", At: time.Hour, Result: assignedResult("a", func(w *hostedWorld) { w.Observed = nil })},
		{Name: "being deleted", At: time.Hour, Result: assignedResult("a", func(w *hostedWorld) { w.machine("a").DeletionTimestamp = ptrTime(w.now) })},
		{Name: "its kubelet is not ready", At: time.Hour, Result: assignedResult("a", func(w *hostedWorld) { w.ready("a", corev1.ConditionUnknown) })},
	},
	"hosted-node-drain-long":       hostedDrainCases(),
	"hosted-node-volumes-attached": volumesCases(),
	"machine-not-provisioned": {
		{
			Name: "a new one, for a while", At: 25 * time.Minute, Result: machineResult(replacing(15, fails("Unschedulable", unschedulable))),
		},
		{
			Name: "a new one", At: 25*time.Minute + assess.Tick, Result: machineResult(replacing(15, fails("Unschedulable", unschedulable))),
			Want: "Warning | Update Stalled | 08:15:00 | Machine m-c can't be provisioned (Unschedulable): " + unschedulable + " | " + unschedulable + machineC,
		},
		{
			Name: "a new one, whose message only counts", At: 75 * time.Minute, Result: machineResult(replacing(15, fails("InstanceProvisionFailed", "0 of 2 completed"))),
			Want: "Error | Update Stalled | 08:15:00 | Machine m-c can't be provisioned (InstanceProvisionFailed) | <no message>" + machineC,
		},
		{
			Name: "no host fits", At: time.Hour, Result: machineResult(replacing(15, fails("NoSuitableAgents", ""))),
			Want: "Warning | Update Stalled | 08:15:00 | Machine m-c can't be provisioned (NoSuitableAgents) | <no message>" + machineC,
		},
		{
			Name: "not for an update", At: 90 * time.Minute, Result: machineResult(func(w *hostedWorld) {
				w.addMachine("c", versionA)
				w.machine("c").CreationTimestamp = metav1.NewTime(w.now)
				fails("Unschedulable", unschedulable)(w)
			}),
			Want: "Warning | Cluster Capacity | 08:00:00 | Machine m-c can't be provisioned (Unschedulable): " + unschedulable + " | " + unschedulable + machineC,
		},
		{
			Name: "a node whose instance was terminated", At: 11 * time.Minute,
			Result: hostedNodeResult(func(w *hostedWorld) {
				w.machineIs("a", "InfrastructureReady", "False", "InstanceTerminated", "1 of 2 completed")
			}),
			Want: "Warning | Cluster Capacity | 08:00:00 | Machine m-a has lost its host (InstanceTerminated) | <no message> | machines.cluster.x-k8s.io/m-a",
		},
		{Name: "at work", At: time.Hour, Result: machineResult(replacing(15, fails("InstanceProvisionStarted", "0 of 2 completed")))},
		{Name: "that is being deleted", At: time.Hour, Result: machineResult(replacing(15, func(w *hostedWorld) {
			w.machine("c").DeletionTimestamp = ptrTime(w.now)
			fails("Unschedulable", unschedulable)(w)
		}))},
	},
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
		{
			Name: "whose provider says why as well", At: time.Hour,
			Result: machineResult(replacing(15, func(w *hostedWorld) {
				fails("InstanceProvisionFailed", "0 of 2 completed")(w)
				w.machine("c").Status.Phase, w.machine("c").Status.FailureMessage = "Failed", ptr("no capacity")
			})),
			Want: "Error | Update Stalled | - | Machine m-c has failed: no capacity | no capacity" + machineC,
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
