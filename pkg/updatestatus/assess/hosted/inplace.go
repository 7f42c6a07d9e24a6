package hosted

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// inPlaceChecks are those of a node that is updated in place, beside nodestate.Checks.
var inPlaceChecks = []assess.Check[nodeFacts]{
	{Find: nodeNotBegun, HealthCheck: assess.HealthCheck{
		Name: "hosted-node-not-begun", Then: assess.ThenHyperShift, Subject: assess.NodeNoun,
		Texts: assess.Texts{assess.NoCase: {
			One: "has not begun to update", Many: "have not begun to update",
			Description: "HyperShift has assigned the node its configuration, and the pod {pod} in namespace {namespace} of the hosted cluster, which " +
				"updates the node, does nothing about it: it may not run.",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause, Thresholds: beginThresholds,
		Appears: "a node that is ready has been assigned its configuration for more than 10 minutes, and the pod that updates it in place " +
			"has not requested its drain. Not while the node waits to be uncordoned after an earlier update",
		Response: "Check the pod of the node in the namespace POOL-upgrade of the hosted cluster: whether it is scheduled, whether its image " +
			"can be pulled, and its log.",
		NextSteps: assess.InHosted(assess.ReadOnly("oc describe node NODE")),
	}},
}

// beginThresholds are beyond what the image of an upgrade pod takes to be pulled.
var beginThresholds = assess.Thresholds{Warning: 10 * time.Minute, Failure: time.Hour}

// nodeNotBegun is about a node of which nothing is done, since it was first observed so.
func nodeNotBegun(facts nodeFacts) *assess.Finding {
	if !facts.hasNotBegun() || facts.updateObserved.IsZero() || nodestate.IsNotReady(facts.node) || facts.isLeaving() {
		return nil
	}
	pod, namespace := drain.UpgradePod+facts.node.Name, facts.pool.Name+"-upgrade"
	return &assess.Finding{
		Since: facts.updateObserved, Words: assess.Words{"pod": pod, "namespace": namespace}, Reference: reference.HostedTroubleshooting,
		NextSteps: assess.InHosted(assess.ReadOnly("oc describe pod -n " + namespace + " " + pod)),
	}
}

// phaseInPlace goes by the annotations that the Machine Config Daemon sets. From the reboot on the node is rebooting, until it can
// run workloads again.
func (f nodeFacts) phaseInPlace() string {
	config := f.pool.config
	switch {
	case config == "" || f.annotation(nodestate.DesiredConfigAnnotation) != config:
		return ""
	case f.annotation(nodestate.CurrentConfigAnnotation) == config:
		return updatev1alpha1.ReasonRebooting
	case !f.isDrained() && f.annotation(nodestate.DesiredDrainAnnotation) == nodestate.DrainVerb+config:
		return updatev1alpha1.ReasonDraining
	case !f.isDrained():
		return updatev1alpha1.ReasonUpdating // it is not to be drained yet
	case f.hasRebooted():
		return updatev1alpha1.ReasonRebooting
	default:
		return updatev1alpha1.ReasonUpdating
	}
}

// isDrained returns whether the node was drained for its update in place.
func (f nodeFacts) isDrained() bool {
	return f.annotation(nodestate.LastAppliedDrainAnnotation) == nodestate.DrainVerb+f.pool.config
}

// hasNotBegun returns whether the node is to be updated in place, and the pod that does that has not asked for its drain, which is the first that
// it does (openshift/machine-config-operator: pkg/daemon/update.go, update; openshift/hypershift: control-plane-operator/
// hostedclusterconfigoperator/controllers/inplaceupgrader/inplaceupgrader.go, reconcileUpgradePods). A node that is still to be uncordoned
// after the update before waits for that.
func (f nodeFacts) hasNotBegun() bool {
	desired := f.annotation(nodestate.DesiredDrainAnnotation)
	isUncordoned := desired == f.annotation(nodestate.LastAppliedDrainAnnotation) || !strings.HasPrefix(desired, nodestate.UncordonVerb)
	return f.pool.inPlace && f.phase() == updatev1alpha1.ReasonUpdating && !f.isDrained() && isUncordoned && f.degraded().Status == metav1.ConditionFalse
}

// hasRebooted returns whether the node is not ready, or has become so after it was cordoned for its drain. An administrator may have
// cordoned it before the update.
func (f nodeFacts) hasRebooted() bool {
	for _, ready := range f.node.Status.Conditions {
		if ready.Type == corev1.NodeReady {
			cordoned := nodestate.Cordoned(f.node)
			return ready.Status != corev1.ConditionTrue || !cordoned.IsZero() && ready.LastTransitionTime.After(assess.Later(cordoned, f.pool.started))
		}
	}
	return true
}
