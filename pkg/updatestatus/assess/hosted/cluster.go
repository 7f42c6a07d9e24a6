package hosted

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Conditions of a HostedCluster, and of its pools, that are read.
const (
	conditionProgressing        = "Progressing"
	conditionVersionProgressing = "ClusterVersionProgressing"
	conditionVersionSucceeding  = "ClusterVersionSucceeding"
	conditionAvailable          = "Available"
	conditionEtcd               = "EtcdAvailable"
	conditionKubeAPIServer      = "KubeAPIServerAvailable"
	conditionDataPlaneConnected = "DataPlaneConnectionAvailable"
	conditionReleaseImage       = "ValidReleaseImage"
	conditionSupported          = "SupportedHostedCluster"
	conditionConfiguration      = "ValidConfiguration"
	conditionUpgradeable        = "ClusterVersionUpgradeable"
	conditionCredentials        = "PlatformCredentialsFound"
	conditionPlaneConfiguration = "ValidHostedControlPlaneConfiguration"
	conditionReleaseAccepted    = "ClusterVersionReleaseAccepted"
	conditionReconciled         = "ReconciliationSucceeded"
	conditionEtcdRecovery       = "EtcdRecoveryActive"

	// reasonStatusUnknown is that of conditions that HyperShift can't copy from the ClusterVersion.
	reasonStatusUnknown = "StatusUnknown"
	// reasonRecoveryFailed is that of EtcdRecoveryActive when people have to repair etcd.
	reasonRecoveryFailed = "EtcdRecoveryJobFailed"
	// reasonBlocked is that of Progressing while an update is refused, HyperShift is paused, or a look-up fails.
	reasonBlocked = "Blocked"
	// reasonInvalidImage is that of ValidReleaseImage for every error but those of a look-up: the pull secret, the architectures.
	reasonInvalidImage = "InvalidImage"
)

// syntheticOperators are cluster operators of a hosted cluster that have no operator there: they are always fine, and have the new
// version as soon as it is known. The components of their names are what is updated.
var syntheticOperators = map[string]bool{
	"kube-apiserver": true, "kube-controller-manager": true, "kube-scheduler": true,
	"openshift-apiserver": true, "openshift-controller-manager": true, "operator-lifecycle-manager-packageserver": true,
}

// noHistory is why nothing can be said about the update of a hosted cluster.
const noHistory = "The HostedCluster has no version history"

// payloadNeedsNodes is why the update of a payload without nodes is not completed.
const payloadNeedsNodes = "; the payload requires nodes, but there are none"

// ClusterInput is what the control plane of a hosted cluster as a whole is assessed from.
type ClusterInput struct {
	// HostedCluster is nil if there is none.
	HostedCluster *hypershiftv1beta1.HostedCluster
	Components    []*hypershiftv1beta1.ControlPlaneComponent
	// ClusterOperators are those of the hosted cluster, none if they are not known.
	ClusterOperators []*configv1.ClusterOperator
	// NoNodes is whether the hosted cluster is known to have no nodes: its operators can't be updated then.
	NoNodes bool
	// Unmanaged are the nodes that belong to no pool.
	Unmanaged []*corev1.Node
	// RequestObserved is when another release was first observed to be asked for, zero if it was not.
	RequestObserved time.Time
}

// Cluster assesses the control plane of a hosted cluster as a whole. The ClusterVersion of the hosted cluster is not read:
// the HostedCluster has a copy of it, and one object does not contradict itself. The result changes without an event when the
// estimate passes, and when a pause ends.
func Cluster(in ClusterInput, now time.Time) assess.Result {
	if in.HostedCluster == nil {
		return assess.Result{}
	}
	release := readRelease(in.HostedCluster, in.Components, now)
	hosted := release.hosted
	counted := in.count(release)
	// The curves of an update's pace are those of standalone clusters: only earlier updates tell how long this one takes.
	estimate := controlplane.EstimateCompletion(release.history, controlplane.Operators{Total: counted.Total}, now)
	paused, pauseEnds := isPausedUntil(hosted.Spec.PausedUntil, now)
	ref := clusterRef(hosted)

	one := &updatev1alpha1.HostedClusterInsight{
		ClusterVersionInsight: updatev1alpha1.ClusterVersionInsight{
			Resource:   ref,
			Conditions: []metav1.Condition{clusterUpdating(release, in.NoNodes)},
			Versions:   controlplane.VersionsOf(release.history),
			Requested:  release.requested(in.RequestObserved),
			Completion: counted.Completion(),
			Assessment: counted.Assess(release.history, estimate),
		},
		Management: release.management(), DataPlane: release.dataPlane(),
	}
	if len(release.history) > 0 {
		one.StartedAt = assess.OptionalTime(release.history[0].StartedTime.Time)
		if release.isComplete() {
			one.CompletedAt = assess.OptionalTime(assess.TimeOf(release.history[0].CompletionTime))
		}
		if !controlplane.IsMigration(release.history) {
			one.EstimatedCompletedAt = estimate.CompletedAt()
		}
	}
	insights := []insight.ScopedInsight{{
		Part: insight.ControlPlane, Unfinished: release.isAnotherAsked(),
		Insight: updatev1alpha1.Insight{UID: insight.UID("hc", hosted.Name), Type: updatev1alpha1.InsightHostedCluster, HostedCluster: one},
	}}
	health, nextCheck := assess.CheckHealth(clusterChecks,
		checkedCluster{
			releaseState: release, operators: counted, hasNoNodes: in.NoNodes, isPaused: paused, unmanaged: in.Unmanaged, requestObserved: in.RequestObserved,
		},
		assess.Subject{Resource: ref, Part: insight.ControlPlane}, now)
	return assess.Result{
		Report:    insight.Report{Subject: insight.Subject{Kind: "HostedCluster", Name: hosted.Name}, Insights: append(insights, health...)},
		NextCheck: assess.Earliest(pauseEnds, assess.Earliest(estimate.NextCheck, nextCheck)),
	}
}

// Operator assesses a cluster operator of a hosted cluster, which is updated after the components. One that has no operator there has no insight.
func Operator(
	operator *configv1.ClusterOperator, hosted *hypershiftv1beta1.HostedCluster, components []*hypershiftv1beta1.ControlPlaneComponent, now time.Time,
) assess.Result {
	if syntheticOperators[operator.Name] || hosted == nil {
		return assess.Result{Report: insight.Report{Subject: assess.OperatorSubject(operator.Name)}}
	}
	release := readRelease(hosted, components, now)
	return controlplane.Operator(controlplane.OperatorInput{
		Operator: operator, Target: release.operators.version, IsComplete: release.isComplete(), Cluster: updatev1alpha1.ClusterHosted,
	}, now)
}

// count counts the components and the operators, and how many of them are updated. Where none are known, the history alone tells.
func (in ClusterInput) count(release releaseState) controlplane.Operators {
	counted := controlplane.Operators{IsUnfinished: !release.isComplete()}
	if len(release.history) == 0 {
		return counted
	}
	add := func(isUpdated bool) {
		counted.Total++
		if isUpdated {
			counted.Updated++
		}
	}
	for _, component := range reporting(in.Components) {
		add(release.components.isRunBy(component.Status.Version))
	}
	for _, operator := range in.ClusterOperators {
		if syntheticOperators[operator.Name] || !controlplane.InPayload(operator) {
			continue
		}
		add(release.operators.isRunBy(controlplane.OperatorVersion(operator)))
	}
	if counted.Total == 0 {
		add(release.isComplete())
	}
	if release.isComplete() {
		// What is read of the hosted cluster may be older than what the HostedCluster says of it.
		counted.Updated = counted.Total
	}
	return counted
}

// clusterUpdating is true until both tracks are complete.
func clusterUpdating(release releaseState, noNodes bool) metav1.Condition {
	status, reason := metav1.ConditionFalse, updatev1alpha1.ReasonHostedClusterNotProgressing
	if len(release.history) == 0 {
		return assess.Condition(updatev1alpha1.ConditionUpdating, metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermineUpdating,
			noHistory, time.Time{})
	}
	newest := release.history[0]
	version := cmp.Or(newest.Version, "a release of unknown version")
	message, since := "The HostedCluster has completed "+version, assess.TimeOf(newest.CompletionTime)
	switch {
	case !release.isComplete():
		status, reason = metav1.ConditionTrue, updatev1alpha1.ReasonHostedClusterProgressing
		message, since = "The HostedCluster is progressing to "+version, newest.StartedTime.Time
		if len(release.unfinished) > 0 {
			message += ", which is not complete for " + strings.Join(release.unfinished, " and ")
		}
		if noNodes {
			message += payloadNeedsNodes
		}
		if meta.IsStatusConditionPresentAndEqual(release.hosted.Status.Conditions, conditionVersionProgressing, metav1.ConditionUnknown) {
			message += "; the ClusterVersion of the hosted cluster can't be read, so the reported state of the payload may be outdated"
		}
	case release.refusal() != "" && release.isAnotherAsked():
		reason, message = updatev1alpha1.ReasonNotAccepted, message+", and another release is requested and refused"
		since = time.Time{}
	case release.isAnotherAsked():
		reason, message = updatev1alpha1.ReasonRequested, message+", and another release is requested"
		since = time.Time{}
	}
	return assess.Condition(updatev1alpha1.ConditionUpdating, status, reason, message, since)
}

func isHostedTrue(hosted *hypershiftv1beta1.HostedCluster, kind string) bool {
	return meta.IsStatusConditionTrue(hosted.Status.Conditions, kind)
}

// isPausedUntil returns whether HyperShift is paused, and when that ends by itself, zero if it does not. It reads a pausedUntil as
// openshift/hypershift: support/util/pausereconcile.go (ProcessPausedUntilField) does: "True", "t" and "1" are true as well.
func isPausedUntil(until *string, now time.Time) (paused bool, ends time.Time) {
	if until == nil {
		return false, time.Time{}
	}
	if forever, err := strconv.ParseBool(*until); err == nil {
		return forever, time.Time{}
	}
	at, err := time.Parse(time.RFC3339, *until)
	if err != nil || !at.After(now) {
		return false, time.Time{}
	}
	return true, at
}

func clusterRef(hosted *hypershiftv1beta1.HostedCluster) updatev1alpha1.ResourceRef {
	return hypershiftRef("hostedclusters", hosted)
}

// hypershiftRef returns the reference to an object of HyperShift.
func hypershiftRef(resource string, object metav1.Object) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{
		Group: hypershiftv1beta1.GroupName, Resource: resource, Namespace: object.GetNamespace(), Name: object.GetName(),
		Cluster: updatev1alpha1.ClusterManagement,
	}
}
