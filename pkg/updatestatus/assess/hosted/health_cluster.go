package hosted

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// Commands about the objects of a hosted cluster in its management cluster.
const (
	describeHostedCluster = "oc describe hostedcluster -n NAMESPACE HOSTEDCLUSTER"
	describeComponent     = "oc describe controlplanecomponent -n NAMESPACE COMPONENT"
	describeNodePool      = "oc describe nodepool -n NAMESPACE NODEPOOL"
	controlPlanePods      = "oc get pods -n CONTROLPLANE"
)

// checkedCluster is the release of a HostedCluster, and how far its operators are.
type checkedCluster struct {
	releaseState
	operators controlplane.Operators
	// hasNoNodes is whether it has no nodes, and isPaused whether HyperShift changes nothing of it.
	hasNoNodes, isPaused bool
	// unmanaged are the nodes that belong to no pool.
	unmanaged []*corev1.Node
	// requestObserved is when another release was first observed to be asked for, zero if it was not.
	requestObserved time.Time
}

// The cases of a hosted cluster whose payload fails.
const (
	caseFailing      = "Failing"
	caseMayBeFailing = "MayBeFailing"
)

// clusterText is that of a check for a condition of a HostedCluster.
func clusterText(is string) assess.Texts {
	return assess.Texts{assess.NoCase: {Sentence: "Hosted cluster {name} " + is + "{reason}", Description: assess.Message}}
}

// unmanagedThresholds are longer than a new node of a pool takes to get the label of its pool.
var unmanagedThresholds = assess.Thresholds{Warning: 10 * time.Minute}

// clusterChecks are those of a HostedCluster, and of what is asked of it.
var clusterChecks = slices.Concat(requestChecks, stateChecks)

// stateChecks are those of the state of a HostedCluster.
var stateChecks = []assess.Check[checkedCluster]{
	{Find: clusterFailing, HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-failing", Then: assess.ThenHyperShift,
		Texts: assess.Texts{
			caseFailing:      {Sentence: "Hosted cluster {name} is failing to proceed with the update{reason}", Description: assess.Message + "{note}"},
			caseMayBeFailing: {Sentence: "Hosted cluster {name} may be failing to proceed with the update{reason}", Description: assess.Message + "{note}"},
		},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Effect,
		Appears: "ClusterVersionSucceeding of the HostedCluster is False, or Unknown while an operator is slow (Info in a cluster " +
			"without nodes, where it is always False)",
		Response: "Check the object that the message names, usually an operator of the hosted cluster. Without nodes, its " +
			"operators can't be updated.",
		NextSteps: slices.Concat(assess.ReadOnly(describeHostedCluster), assess.InHosted(assess.ReadOnly("oc get clusteroperators"))),
	}},
	{Find: clusterCondition(conditionAvailable, ""), HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-unavailable", Then: assess.ThenHyperShift,
		Texts:  clusterText("is unavailable"),
		Impact: updatev1alpha1.ImpactAPIAvailability, Causality: assess.Effect, Thresholds: controlplane.UnavailableThresholds,
		Appears:   "Available of the HostedCluster has been False for more than 5 minutes",
		Response:  "Check the pods of its control plane in the management cluster.",
		NextSteps: assess.ReadOnly(describeHostedCluster, controlPlanePods),
	}},
	{Find: clusterCondition(conditionEtcd, ""), HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-etcd-unavailable", Then: assess.ThenHyperShift,
		Texts:  clusterText("has an unavailable etcd"),
		Impact: updatev1alpha1.ImpactAPIAvailability, Causality: assess.CauseAndEffect,
		Thresholds: controlplane.UnavailableThresholds,
		Appears:    "EtcdAvailable has been False for more than 5 minutes",
		Response:   "Check the pods and volumes of etcd in the namespace of the control plane.",
		NextSteps:  assess.ReadOnly(describeHostedCluster, controlPlanePods),
	}},
	{Find: etcdRecoveryFailed, HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-etcd-recovery-failed", Then: assess.ThenUnpaused,
		Texts:  clusterText("has an etcd that must be repaired manually"),
		Impact: updatev1alpha1.ImpactAPIAvailability, Causality: assess.Cause,
		Appears:   "EtcdRecoveryActive of the HostedCluster is False with EtcdRecoveryJobFailed: etcd must be repaired manually",
		Response:  "Check the members of etcd and the job etcd-recovery in the namespace of the control plane.",
		NextSteps: assess.ReadOnly(describeHostedCluster, controlPlanePods),
	}},
	{Find: clusterCondition(conditionKubeAPIServer, ""), HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-api-server-unavailable", Then: assess.ThenHyperShift,
		Texts:  clusterText("has an unavailable API server"),
		Impact: updatev1alpha1.ImpactAPIAvailability, Causality: assess.CauseAndEffect,
		Thresholds: controlplane.UnavailableThresholds,
		Appears:    "KubeAPIServerAvailable has been False for more than 5 minutes",
		Response:   "Check the pods of kube-apiserver in the namespace of the control plane.",
		NextSteps:  assess.ReadOnly(describeHostedCluster, controlPlanePods),
	}},
	{Find: clusterCondition(conditionDataPlaneConnected, ""), HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-disconnected", Then: assess.ThenHyperShift,
		Texts:  clusterText("has no connection to its nodes"),
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Effect, Thresholds: controlplane.UnavailableThresholds,
		Appears:   "DataPlaneConnectionAvailable has been False for more than 5 minutes",
		Response:  "Check the konnectivity pods on both sides, and the network between the nodes and the management cluster.",
		NextSteps: assess.ReadOnly(describeHostedCluster, controlPlanePods),
	}},
	{Find: unmanagedNodes, HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-nodes-without-pool", Then: assess.ThenGone,
		Texts: assess.Texts{assess.NoCase: {
			Sentence: "Hosted cluster {name} has {nodes} that belong to no node pool",
			Description: "Nodes of platform None, and nodes that AutoNode creates, have neither a Machine nor the label of a NodePool, for example node {first}. " +
				"It is unknown whether they are updated, and no pool counts them.",
		}},
		Impact: updatev1alpha1.ImpactNone, Causality: assess.NeitherCauseNorEffect,
		Thresholds: unmanagedThresholds,
		Appears: "for more than 10 minutes, a hosted cluster has had a node that belongs to no NodePool, such as the nodes of " +
			"platform None and of AutoNode",
		Response:  "No action required. Check the versions of these nodes in the hosted cluster, because they are not counted here.",
		NextSteps: assess.InHosted(assess.ReadOnly("oc get nodes -L hypershift.openshift.io/nodePool")),
	}},
	{Find: previousIncomplete, HealthCheck: assess.HealthCheck{
		Name: "hosted-cluster-previous-incomplete", Then: assess.ThenGone,
		Texts:  assess.Texts{assess.NoCase: controlplane.SupersededText},
		Impact: updatev1alpha1.ImpactNone, Causality: assess.NeitherCauseNorEffect,
		Appears:   "the update started while the previous one was incomplete, until its control plane is complete",
		Response:  "No action required. Let the update complete.",
		NextSteps: assess.ReadOnly(describeHostedCluster),
	}},
}

// etcdRecoveryFailed is about an etcd that HyperShift has given up to repair ("the Etcd cluster requires manual intervention",
// openshift/hypershift: hypershift-operator/controllers/hostedcluster/etcd_recovery.go). It does not stop HyperShift.
func etcdRecoveryFailed(checked checkedCluster) *assess.Finding {
	found := clusterCondition(conditionEtcdRecovery, reasonRecoveryFailed)(checked)
	if found != nil {
		found.Level = updatev1alpha1.LevelError
	}
	return found
}

// unmanagedNodes is about nodes without a pool, whose update nothing in the management cluster tells of: those of platform None have no
// Machines, from which nodes get the label of their pool (openshift/hypershift: control-plane-operator/hostedclusterconfigoperator/
// controllers/node/node.go), and those of AutoNode are made by Karpenter.
func unmanagedNodes(checked checkedCluster) *assess.Finding {
	if len(checked.unmanaged) == 0 {
		return nil
	}
	first := slices.MinFunc(checked.unmanaged, func(a, b *corev1.Node) int { return a.CreationTimestamp.Compare(b.CreationTimestamp.Time) })
	return &assess.Finding{
		Since:     first.CreationTimestamp.Time,
		Level:     updatev1alpha1.LevelInfo,
		Words:     assess.Words{"nodes": insight.Count(len(checked.unmanaged), "node"), "first": first.Name},
		Reference: reference.HostedUpdates,
	}
}

// conditionFinding returns what is reported about an object with a condition.
func conditionFinding(condition metav1.Condition) *assess.Finding {
	return &assess.Finding{
		Since:     condition.LastTransitionTime.Time,
		Reported:  reported(condition),
		Reference: reference.HostedTroubleshooting,
	}
}

// reported returns what HyperShift reports in a condition.
func reported(condition metav1.Condition) *updatev1alpha1.ComponentReport {
	return &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentHyperShift, Reason: condition.Reason, Message: condition.Message}
}

func previousIncomplete(checked checkedCluster) *assess.Finding {
	found := controlplane.Superseded(checked.history, checked.operators, reference.HostedUpdates)
	if found != nil {
		found.Level = updatev1alpha1.LevelInfo
	}
	return found
}

// clusterFailing is no problem of a hosted cluster without nodes: its payload can't be complete. While the Cluster Version Operator waits
// for a slow operator, its Failing is Unknown, as which only StatusUnknown of HyperShift is nothing but unknown (openshift/hypershift:
// hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go, reconcile).
func clusterFailing(checked checkedCluster) *assess.Finding {
	condition := meta.FindStatusCondition(checked.hosted.Status.Conditions, conditionVersionSucceeding)
	which := caseFailing
	switch {
	case condition == nil, condition.Status == metav1.ConditionTrue, condition.Reason == reasonStatusUnknown:
		return nil
	case condition.Status == metav1.ConditionUnknown:
		which = caseMayBeFailing
	}
	found := conditionFinding(*condition)
	found.Case, found.Words = which, assess.Words{"note": ""}
	if checked.hasNoNodes {
		found.Level, found.Words["note"] = updatev1alpha1.LevelInfo, payloadNeedsNodes
	}
	return found
}

// clusterCondition returns a check for a condition of a HostedCluster that is False, with a reason if one is given.
func clusterCondition(kind, reason string) func(checkedCluster) *assess.Finding {
	return func(checked checkedCluster) *assess.Finding {
		condition := meta.FindStatusCondition(checked.hosted.Status.Conditions, kind)
		if condition == nil || condition.Status != metav1.ConditionFalse || reason != "" && condition.Reason != reason {
			return nil
		}
		return conditionFinding(*condition)
	}
}
